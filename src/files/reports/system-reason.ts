/** Operating system errors by code, in words that follow "cannot be read:". */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission was denied',
  EPERM: 'permission was denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ELOOP: 'its symbolic links form a cycle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  EBUSY: 'it is in use',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
};

/**
 * Describes a file system error.
 *
 * @param error A caught value.
 * @returns The reason in words that follow "cannot be read:"; the error's own message for unknown codes.
 */
export function systemReason(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && Object.hasOwn(REASONS, code)) return REASONS[code];
  return error instanceof Error ? error.message : String(error);
}

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

/** Errors with another meaning where a file is written. */
const WRITE_REASONS: Readonly<Record<string, string>> = {
  ...REASONS,
  ENOENT: 'its folder does not exist, or the system allows no new files in it',
  EEXIST: 'a part of its path is a file, not a folder',
  EACCES: 'permission was denied, so its folder or an existing file is protected',
  EPERM: 'the system does not allow it, so its folder or an existing file is protected',
  EIO: 'the disk reports an error',
};

/** Describes why a file cannot be written, with the code of the system, by which documentation can be searched. */
export function writeReason(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && Object.hasOwn(WRITE_REASONS, code)) return `${WRITE_REASONS[code]} (${code})`;
  return systemReason(error);
}

export function systemReason(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && Object.hasOwn(REASONS, code)) return REASONS[code];
  return error instanceof Error ? error.message : String(error);
}

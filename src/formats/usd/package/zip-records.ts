/** Sizes and signatures of the zip records in packages (PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.16). */

export const LOCAL_SIGNATURE = 0x04034b50;
export const CENTRAL_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;

/** Bytes of a local file header without name and extra field. */
export const LOCAL_SIZE = 30;
/** Bytes of a central directory record without name, extra field and comment. */
export const CENTRAL_SIZE = 46;
/** Bytes of the end record without comment. */
export const END_SIZE = 22;

/** Every file of a package starts at a multiple of this many bytes, so that it can be used in place. */
export const ALIGNMENT = 64;

export const UTF8_NAME = 0x800;

/**
 * Validates the name of a file in a package. Names are relative paths with slashes that stay inside the package. Returns the problem as a clause
 * ("it is empty"); null for a valid name.
 */
export function nameFault(name: string): string | null {
  if (name === '') return 'it is empty';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'it is an absolute path';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are intended
  if (/[\\\x00-\x1f]/.test(name)) return 'it has backslashes or control characters';
  return name.split('/').includes('..') ? 'it leads out of the package' : null;
}

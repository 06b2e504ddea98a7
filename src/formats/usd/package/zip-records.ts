/** Zip records as packages have them (PKWARE APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.16). */

export const LOCAL_SIGNATURE = 0x04034b50;
export const CENTRAL_SIGNATURE = 0x02014b50;
export const END_SIGNATURE = 0x06054b50;

/** Bytes of the records without names, extra fields and comments. */
export const LOCAL_SIZE = 30;
export const CENTRAL_SIZE = 46;
export const END_SIZE = 22;

/** Every file of a package starts at a multiple of this, so that it can be used in place. */
export const ALIGNMENT = 64;

/** Flag: the name is UTF-8. */
export const UTF8_NAME = 0x800;

/**
 * What is wrong with the name of a file in a package; null for a good one. Names are relative paths with slashes that stay inside.
 */
export function nameFault(name: string): string | null {
  if (name === '') return 'it is empty';
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'it is an absolute path';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\\x00-\x1f]/.test(name)) return 'it has backslashes or control characters';
  return name.split('/').includes('..') ? 'it leads out of the package' : null;
}

/** Names of files after names in files, which anyone may have written. */
import { uniqueName } from '../../core/text/unique-name.ts';

/** Bytes of UTF-8 in a name without its extension. File systems take 255, and a number, an extension and `.tmp` follow. */
const MOST_BYTES = 200;
/** What file systems reject or treat as folders, and lone surrogates, which UTF-8 cannot hold. */
const REJECTED = /[\p{Cc}\p{Cs}<>:"/\\|?*]/gu;
/** Marks that reorder a name or cannot be seen. The joiners U+200C and U+200D stay: words of Persian and Hindi, and emoji, need them. */
const MISLEADING = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** Devices of Windows, which stay devices with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?: *$| *\.)/i;

function utf8Length(letter: string): number {
  const code = letter.codePointAt(0) as number;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
}

function cutAt(name: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const letter of name) {
    bytes += utf8Length(letter);
    if (bytes > most) return name.slice(0, end);
    end += letter.length;
  }
  return name;
}

/**
 * Fits a name of harmless characters to the rules of all file systems: 200 bytes of UTF-8, no dot or space at the end, no device of Windows.
 * `reserved`: bytes to leave free for what is appended.
 */
export function fitFileName(name: string, reserved = 0): string {
  const fitted = cutAt(name, MOST_BYTES - reserved).replace(/[. ]+$/, '');
  if (fitted === '') return '_';
  return DEVICE.test(fitted) ? cutAt(`_${fitted}`, MOST_BYTES - reserved) : fitted;
}

/**
 * Converts any text to one segment of a path: without separators, control characters and marks of direction, and within the limits of {@link
 * fitFileName}, so never `.` or `..`. `reserved`: bytes to leave free for what is appended.
 */
export function safeFileName(name: string, reserved = 0): string {
  return fitFileName(name.replace(REJECTED, '_').replace(MISLEADING, '_'), reserved);
}

/** Returns the same text for names that are one file on some system: those that differ only in case (Windows, macOS) or in how accents are composed (macOS). */
export function fileNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Numbers a path that is taken: `walk`, `walk 2`, `walk 3`. */
export function numberPath(path: string, taken: Set<string>): string {
  const unique = uniqueName(path, (one) => taken.has(fileNameKey(one)), ' ', 2);
  taken.add(fileNameKey(unique));
  return unique;
}

/**
 * Makes a file name of any text, such as the name of a clip: one segment of a path that every file system takes, with at most 200 bytes of UTF-8 before
 * the number; no separator, control character, mark of direction or device of Windows; never `.` or `..`.
 *
 * @param name Any text.
 * @param taken Keys of the names in use, in lower case; that of the result is added. A name that is taken gets a number.
 * @returns The file name, without extension.
 * @example
 * toFileName('../run: left'); // '.._run_ left'
 */
export function toFileName(name: string, taken: Set<string> = new Set()): string {
  return numberPath(safeFileName(name), taken);
}

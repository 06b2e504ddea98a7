import type { IssueCode } from '../report/codes.ts';
import { FormatError } from '../report/format-error.ts';

/** Strings of JavaScript engines end before this many characters. */
const LONGEST_TEXT = 0x1fffffe8;

/**
 * The text of a file whose encoding nobody wrote down: UTF-16 where it begins with that byte order mark, else UTF-8,
 * else Windows-1252, which takes any byte, so that only names can come out wrong.
 *
 * @throws FormatError with the given code where the text would be longer than a string can be.
 */
export function decodeText(bytes: Uint8Array, tooLong: IssueCode): string {
  if (bytes.length > LONGEST_TEXT) {
    throw new FormatError(
      tooLong,
      `The text has ${bytes.length} bytes; up to ${LONGEST_TEXT} can be read. Split the file.`,
    );
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

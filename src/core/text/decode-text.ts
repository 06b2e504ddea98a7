import type { IssueCode } from '../report/codes.ts';
import { FormatError } from '../report/format-error.ts';

/** Greatest string length of V8, characters. */
const LONGEST_TEXT = 0x1fffffe8;

/**
 * Decodes a text file that does not declare its encoding: UTF-16 when it starts with that byte order mark, else UTF-8 when it is valid,
 * else Windows-1252. Windows-1252 accepts every byte, so at worst names are wrong.
 *
 * @param bytes the whole file.
 * @param tooLong code of the error for a file that does not fit into a string.
 * @returns the text, without a byte order mark.
 * @throws FormatError with the code `tooLong` for more bytes than a string can have characters.
 */
export function decodeText(bytes: Uint8Array, tooLong: IssueCode): string {
  if (bytes.length > LONGEST_TEXT) {
    throw new FormatError(
      tooLong,
      `The text has ${bytes.length} bytes; at most ${LONGEST_TEXT} can be read. Split the file.`,
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

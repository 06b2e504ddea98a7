import type { IssueCode } from '../report/codes.ts';
import { FormatError } from '../report/format-error.ts';
import { type Issue, issue } from '../report/issue.ts';
import { guessEncoding } from './guess-encoding.ts';

/** Greatest string length of V8, characters. */
export const LONGEST_TEXT = 0x1fffffe8;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Decodes a text file that does not declare its encoding: UTF-16 when it starts with that byte order mark, else UTF-8. Lines that are not valid UTF-8
 * have the most probable older encoding, see `guessEncoding`. Throws FormatError with the code `tooLong` for more bytes than a string can have
 * characters. Returns the `text` without a byte order mark; `legacyEncoding` is the encoding that was guessed, null for Unicode.
 */
export function decodeText(bytes: Uint8Array, tooLong: IssueCode): { text: string; legacyEncoding: string | null } {
  if (bytes.length > LONGEST_TEXT) {
    throw new FormatError(
      tooLong,
      `The text has ${bytes.length} bytes; at most ${LONGEST_TEXT} can be read. Split the file.`,
    );
  }
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes), legacyEncoding: null };
  const whole = decodeUtf8(bytes);
  if (whole !== null) return { text: whole, legacyEncoding: null };
  const lines = splitLines(bytes);
  const { name, label } = guessEncoding(lines.filter((line) => decodeUtf8(line) === null));
  const decoder = new TextDecoder(label);
  return { text: lines.map((line) => decodeUtf8(line) ?? decoder.decode(line)).join(''), legacyEncoding: name };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Splits bytes after every line end. No encoding has these bytes within a character. */
function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) continue;
    lines.push(bytes.subarray(start, at + 1));
    start = at + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}

export function encodingIssue(encoding: string): Issue {
  const message = `The names are not UTF-8; they were read as ${encoding}. Save the file as UTF-8 if they are wrong.`;
  return issue('TEXT_ENCODING_GUESSED', message);
}

/** Reads the words of a BVH text one by one. The text is only ever scanned forwards, by character codes. */
import { FormatError } from '../../core/report/format-error.ts';
import { locationOf } from '../../core/text/location-of.ts';

/** A text and the place up to which it is read. */
export interface Cursor {
  readonly text: string;
  at: number;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const COLON = 58;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** Whether a code is no part of a word: white space and control characters, and NaN, which charCodeAt gives at the end. */
function isSpace(code: number): boolean {
  return !(code > 32);
}

function isBrace(code: number): boolean {
  return code === OPEN_BRACE || code === CLOSE_BRACE;
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

/** Moves to the next character that is not white space; false at the end of the text. */
export function skipSpace(cursor: Cursor): boolean {
  const { text } = cursor;
  let at = cursor.at;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  cursor.at = at;
  return at < text.length;
}

/** The next word, in capitals: a brace, or all up to white space, a brace or a colon. Empty at the end of the text. */
export function takeKeyword(cursor: Cursor): string {
  if (!skipSpace(cursor)) return '';
  const start = cursor.at;
  const { text } = cursor;
  if (isBrace(text.charCodeAt(start))) return text[cursor.at++]!;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || isBrace(code) || code === COLON) break;
  }
  cursor.at = at;
  return text.slice(start, at).toUpperCase();
}

/** Passes a colon, if it is next. */
export function skipColon(cursor: Cursor): void {
  if (skipSpace(cursor) && cursor.text.charCodeAt(cursor.at) === COLON) cursor.at++;
}

/** The next word as it stands: all up to white space or a brace. Empty at a brace and at the end of the text. */
export function takeWord(cursor: Cursor): string {
  skipSpace(cursor);
  const start = cursor.at;
  const { text } = cursor;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || isBrace(code)) break;
  }
  cursor.at = at;
  return text.slice(start, at);
}

/** A name: all up to the end of its line or the brace that opens the block, so it may hold spaces; trimmed, may be empty. */
export function takeName(cursor: Cursor): string {
  skipSpace(cursor);
  const start = cursor.at;
  const { text } = cursor;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLineEnd(code) || isBrace(code)) break;
  }
  cursor.at = at;
  return text.slice(start, at).trim();
}

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
const EXACT_DIGITS = 15;
const NOT_A_NUMBER = /^[+-]?(nan|inf|infinity|\d\.#[a-z])/i;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const LARGEST_FLOAT32 = 3.4028234663852886e38;

/**
 * The next number. NaN for what printers make of numbers that are not finite (`nan`, `-inf`, `-1.#IND`) and beyond the
 * range of float32; null, with the cursor before the word, where the word is no number.
 *
 * Up to 15 digits are gathered in an integer and divided by a power of ten: both are exact, so the one division rounds
 * as the standard conversion does (Clinger 1990, the fast path). Everything else goes through the standard conversion.
 */
export function takeNumber(cursor: Cursor): number | null {
  skipSpace(cursor);
  const { text } = cursor;
  const start = cursor.at;
  let at = start;
  let code = text.charCodeAt(at);
  const negative = code === 45;
  if (negative || code === 43) code = text.charCodeAt(++at);
  let digits = 0;
  let decimals = 0;
  let mantissa = 0;
  for (; isDigit(code); code = text.charCodeAt(++at)) {
    mantissa = mantissa * 10 + (code - DIGIT_0);
    digits++;
  }
  if (code === 46) {
    for (code = text.charCodeAt(++at); isDigit(code); code = text.charCodeAt(++at)) {
      mantissa = mantissa * 10 + (code - DIGIT_0);
      decimals++;
    }
  }
  digits += decimals;
  if (digits > 0 && digits <= EXACT_DIGITS && (isSpace(code) || isBrace(code))) {
    cursor.at = at;
    const value = mantissa / POWERS_OF_TEN[decimals]!;
    return negative ? -value : value;
  }
  const word = takeWord(cursor);
  if (DECIMAL.test(word)) {
    const value = Number(word);
    return Math.abs(value) <= LARGEST_FLOAT32 ? value : Number.NaN;
  }
  if (NOT_A_NUMBER.test(word)) return Number.NaN;
  cursor.at = start;
  return null;
}

const QUOTED_LENGTH = 40;

/** The error for the word at a place: says what is there and what was expected. */
export function syntaxError(cursor: Cursor, at: number, expected: string): FormatError {
  const here = { text: cursor.text, at };
  const ended = !skipSpace(here);
  const start = here.at;
  const word = takeWord(here) || cursor.text.slice(start, start + 1);
  const found = ended ? 'The text ends' : `Found ${JSON.stringify(word.slice(0, QUOTED_LENGTH))}`;
  return new FormatError(
    'BVH_SYNTAX',
    `${found} where ${expected} was expected. Mend the text there, or export the file again.`,
    locationOf(cursor.text, start),
  );
}

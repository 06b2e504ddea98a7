/** Reads a BVH text word by word, in one forward pass over character codes. */
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { copyText } from '../../core/text/copy-text.ts';
import { locationOf } from '../../core/text/location-of.ts';

export interface Cursor {
  readonly text: string;
  /** Offset of the next character. */
  at: number;
  /** Offset of the first comment that was skipped. */
  commentAt?: number;
  /** Offset of the first number that was not separated from the one before it. */
  joinedAt?: number;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const COLON = 58;
const HASH = 35;
const PERCENT = 37;
const PLUS = 43;
const MINUS = 45;
const SLASH = 47;
const SEMICOLON = 59;
const NO_BREAK_SPACE = 160;
const DIGIT_0 = 48;
const DIGIT_9 = 57;

/** Whether a code separates words: white space, control characters, and NaN, which charCodeAt returns at the end. */
function isSpace(code: number): boolean {
  return !(code > 32) || code === NO_BREAK_SPACE;
}

/** Whether a comment starts here: `#`, `//`, `;` or `%`. The format has none, but people and programs add them. */
function isComment(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code > SEMICOLON || code < HASH) return false;
  return code === HASH || code === SEMICOLON || code === PERCENT || (code === SLASH && text[at + 1] === '/');
}

function isBrace(code: number): boolean {
  return code === OPEN_BRACE || code === CLOSE_BRACE;
}

function endsWord(code: number): boolean {
  return isSpace(code) || isBrace(code);
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function isDigit(code: number): boolean {
  return code >= DIGIT_0 && code <= DIGIT_9;
}

/** Moves to the next character that is neither white space nor in a comment. */
export function skipSpace(cursor: Cursor): boolean {
  const { text } = cursor;
  let at = cursor.at;
  for (;;) {
    while (at < text.length && isSpace(text.charCodeAt(at))) at++;
    if (!isComment(text, at)) break;
    cursor.commentAt ??= at;
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) at++;
  }
  cursor.at = at;
  return at < text.length;
}

/** Moves to the first character from `start` on that ends what is read, and returns the text up to there. */
function takeUntil(cursor: Cursor, start: number, ends: (code: number) => boolean): string {
  const { text } = cursor;
  let at = start;
  while (at < text.length && !ends(text.charCodeAt(at))) at++;
  cursor.at = at;
  return text.slice(start, at);
}

/** Takes the next keyword: a brace, or everything up to white space, a brace or a colon. */
export function takeKeyword(cursor: Cursor): string {
  if (!skipSpace(cursor)) return '';
  const { text, at } = cursor;
  if (isBrace(text.charCodeAt(at))) return text[cursor.at++]!;
  return takeUntil(cursor, at, (code) => endsWord(code) || code === COLON).toUpperCase();
}

export function skipColon(cursor: Cursor): void {
  if (skipSpace(cursor) && cursor.text.charCodeAt(cursor.at) === COLON) cursor.at++;
}

/** Takes the next word: everything up to white space or a brace. */
export function takeWord(cursor: Cursor): string {
  skipSpace(cursor);
  return takeUntil(cursor, cursor.at, endsWord);
}

/** Takes a name: everything up to the end of the line or the opening brace of the block. Names can contain spaces. */
export function takeName(cursor: Cursor): string {
  const { text } = cursor;
  let { at } = cursor;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return copyText(takeUntil(cursor, at, (code) => isLineEnd(code) || isBrace(code)).trim());
}

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
const EXACT_DIGITS = 15;
const NOT_A_NUMBER = /^[+-]?(nan|inf|infinity|\d\.#[a-z])/i;
/** A number up to the end of the word or the sign of the next number. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?=$|[+-])/i;

/**
 * Takes the next number.
 *
 * Up to 15 digits are accumulated in an integer and divided by a power of ten. Both are exact, so the single division rounds
 * like the standard conversion (Clinger 1990, the fast path). Everything else uses the standard conversion.
 *
 * @returns The number; NaN for spellings of numbers that are not finite (`nan`, `-inf`, `-1.#IND`) and outside the range of float32; null,
 *   with the cursor before the word, if the word is not a number.
 */
export function takeNumber(cursor: Cursor): number | null {
  skipSpace(cursor);
  const { text } = cursor;
  const start = cursor.at;
  let at = start;
  let code = text.charCodeAt(at);
  const negative = code === MINUS;
  if (negative || code === PLUS) code = text.charCodeAt(++at);
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
  const isJoined = code === MINUS || code === PLUS;
  if (digits > 0 && digits <= EXACT_DIGITS && (isSpace(code) || isBrace(code) || isJoined)) {
    cursor.at = at;
    if (isJoined) cursor.joinedAt ??= at;
    const value = mantissa / POWERS_OF_TEN[decimals]!;
    return negative ? -value : value;
  }
  const word = takeWord(cursor);
  const [number] = DECIMAL.exec(word) ?? [];
  if (number !== undefined) {
    const value = Number(number);
    cursor.at = start + number.length;
    if (number !== word) cursor.joinedAt ??= cursor.at;
    return Math.abs(value) <= FLOAT32_MAX ? value : Number.NaN;
  }
  if (NOT_A_NUMBER.test(word)) return Number.NaN;
  cursor.at = start;
  return null;
}

const QUOTED_LENGTH = 40;

export function syntaxError(cursor: Cursor, at: number, expected: string): FormatError {
  const here = { text: cursor.text, at };
  const ended = !skipSpace(here);
  const start = here.at;
  const word = takeWord(here) || cursor.text.slice(start, start + 1);
  const found = ended ? 'The text ends' : `Found ${JSON.stringify(word.slice(0, QUOTED_LENGTH))}`;
  return new FormatError(
    'BVH_SYNTAX',
    `${found} where ${expected} was expected. Repair the text there, or export the file again.`,
    locationOf(cursor.text, start),
  );
}

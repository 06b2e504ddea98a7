import { copyText } from '../../../core/text/copy-text.ts';
import { decodeLooseUtf8 } from '../layer/loose-utf8.ts';
import { isPath } from '../layer/path-syntax.ts';
import { isWordCode, peekWord, skipSpace, syntaxError, type TextCursor } from './text-cursor.ts';

const BACKSLASH = 92;
const NEWLINE = 10;

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const NUMERIC_ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/y;

/** Reads an escape like `\x41` or `\101` as a byte; −1 if none comes next. */
function readByte(cursor: TextCursor): number {
  NUMERIC_ESCAPE.lastIndex = cursor.at;
  const found = NUMERIC_ESCAPE.exec(cursor.text);
  if (found === null) return -1;
  cursor.at += found[0].length;
  return found[1] === undefined ? Number.parseInt(found[2], 8) & 0xff : Number.parseInt(found[1], 16);
}

/** Reads an escape; the cursor is on its backslash. Consecutive escaped bytes above 127 are decoded as UTF-8. */
function readEscape(cursor: TextCursor): string {
  const first = readByte(cursor);
  if (first < 0) {
    const mark = cursor.text[cursor.at + 1] ?? '';
    cursor.at += 2;
    return ESCAPES[mark] ?? mark;
  }
  if (first === 0) throw syntaxError(cursor, 'no NUL character in the string');
  if (first < 128) return String.fromCharCode(first);
  const bytes = [first];
  for (let at = cursor.at; ; at = cursor.at) {
    const next = readByte(cursor);
    if (next < 128) {
      cursor.at = at;
      return decodeLooseUtf8(Uint8Array.from(bytes));
    }
    bytes.push(next);
  }
}

export function isString(cursor: TextCursor): boolean {
  skipSpace(cursor);
  const mark = cursor.text[cursor.at];
  return mark === '"' || mark === "'";
}

/** Reads a string in single or double quotes, or in three of either. Strings in triple quotes may span lines. */
export function readString(cursor: TextCursor, expected: string): string {
  if (!isString(cursor)) throw syntaxError(cursor, expected);
  const start = cursor.at;
  const mark = cursor.text[start];
  const triple = cursor.text.startsWith(mark.repeat(3), start);
  const end = triple ? mark.repeat(3) : mark;
  const quote = mark.charCodeAt(0);
  cursor.at += end.length;
  const parts: string[] = [];
  let from = cursor.at;
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (Number.isNaN(code)) throw syntaxError(cursor, `the closing ${end} of the string`, start);
    if (code === BACKSLASH) {
      parts.push(cursor.text.slice(from, cursor.at), readEscape(cursor));
      from = cursor.at;
    } else if (code === quote && (!triple || cursor.text.startsWith(end, cursor.at))) {
      parts.push(cursor.text.slice(from, cursor.at));
      cursor.at += end.length;
      return copyText(parts.join(''));
    } else if (code === NEWLINE && !triple) {
      throw syntaxError(cursor, `the closing ${end} of the string on the same line`, start);
    } else cursor.at++;
  }
}

/** Tests whether an asset path comes next. */
export function isAsset(cursor: TextCursor): boolean {
  skipSpace(cursor);
  return cursor.text[cursor.at] === '@';
}

/** Reads an asset path: `@path@`, or `@@@path@@@` for a path that contains `@`. It has no control characters. */
export function readAsset(cursor: TextCursor, expected: string): string {
  if (!isAsset(cursor)) throw syntaxError(cursor, expected);
  const start = cursor.at;
  const isTriple = cursor.text.startsWith('@@@', start);
  const mark = isTriple ? '@@@' : '@';
  let end = start + mark.length;
  for (;;) {
    end = cursor.text.indexOf(mark, end);
    if (end < 0) throw syntaxError(cursor, `the closing ${mark} of the asset path`, start);
    if (!isTriple || cursor.text[end - 1] !== '\\') break;
    end += 3;
  }
  // One or two @ may come right before the closing @@@.
  while (isTriple && cursor.text[end + 3] === '@') end++;
  const raw = cursor.text.slice(start + mark.length, end);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are intended
  if (/[\x00-\x1f\x7f]/.test(raw))
    throw syntaxError(cursor, 'an asset path on one line without control characters', start);
  cursor.at = end + mark.length;
  return copyText(isTriple ? raw.replaceAll('\\@@@', '@@@') : raw);
}

export function readPath(cursor: TextCursor, expected: string): string {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== '<') throw syntaxError(cursor, expected);
  const start = cursor.at;
  const end = cursor.text.indexOf('>', start);
  const path = end < 0 ? '' : copyText(cursor.text.slice(start + 1, end));
  if (end < 0 || path.includes('\n')) throw syntaxError(cursor, 'the closing > of the path', start);
  if (!isPath(path)) throw syntaxError(cursor, 'a path like </Prim/Child.property>', start);
  cursor.at = end + 1;
  return path;
}

/** Powers of ten that doubles represent exactly. */
const POWERS = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
const EXACT_WHOLE = 2 ** 53;

const SIGNED_WORD = /[+-]?(?:inf|nan)(?![\p{L}\p{Nd}_])/uy;

function readSignedWord(cursor: TextCursor, expected: string): number {
  SIGNED_WORD.lastIndex = cursor.at;
  const word = SIGNED_WORD.exec(cursor.text)?.[0];
  if (word === undefined) throw syntaxError(cursor, expected);
  cursor.at += word.length;
  if (word.endsWith('nan')) return Number.NaN;
  return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/**
 * Reads a number, also `inf`, `-inf` and `nan`. The result is the nearest double, as `Number` finds it; most numbers need one exact division only
 * (W. D. Clinger, "How to read floating point numbers accurately", 1990).
 */
export function readNumber(cursor: TextCursor, expected: string): number {
  skipSpace(cursor);
  const { text, at: start } = cursor;
  let at = start;
  let code = text.charCodeAt(at);
  const isNegative = code === 45;
  if (isNegative || code === 43) code = text.charCodeAt(++at);
  const first = at;
  let whole = 0;
  for (; code >= 48 && code <= 57; code = text.charCodeAt(++at)) whole = whole * 10 + (code - 48);
  let digits = at - first;
  let decimals = 0;
  if (code === 46) {
    const point = at;
    code = text.charCodeAt(++at);
    for (; code >= 48 && code <= 57; code = text.charCodeAt(++at)) whole = whole * 10 + (code - 48);
    decimals = at - point - 1;
    digits += decimals;
  }
  if (digits === 0) return readSignedWord(cursor, expected);
  let isPlain = whole <= EXACT_WHOLE && decimals < POWERS.length;
  if (code === 101 || code === 69) {
    isPlain = false;
    code = text.charCodeAt(++at);
    if (code === 45 || code === 43) code = text.charCodeAt(++at);
    const power = at;
    while (code >= 48 && code <= 57) code = text.charCodeAt(++at);
    if (at === power) throw syntaxError(cursor, expected);
  }
  // `1abc` is not a number.
  if (isWordCode(code)) throw syntaxError(cursor, expected);
  cursor.at = at;
  if (!isPlain) return Number(text.slice(start, at));
  const size = decimals === 0 ? whole : whole / POWERS[decimals];
  return isNegative ? -size : size;
}

const WHOLE = /[+-]?\d+(?![\p{L}\p{Nd}_.])/uy;

/** Reads an integer without rounding. */
export function readWhole(cursor: TextCursor, expected: string): bigint {
  skipSpace(cursor);
  WHOLE.lastIndex = cursor.at;
  const digits = WHOLE.exec(cursor.text)?.[0];
  // No integer type has more than 20 digits, and the time of BigInt grows with the square of the digits.
  if (digits === undefined || digits.length > 64) throw syntaxError(cursor, expected);
  cursor.at += digits.length;
  return BigInt(digits.replace('+', ''));
}

/** Tests whether a number comes next, by its first characters. */
export function isNumber(cursor: TextCursor): boolean {
  skipSpace(cursor);
  SIGNED_WORD.lastIndex = cursor.at;
  return /^[+-]?\.?\d/.test(cursor.text.slice(cursor.at, cursor.at + 3)) || SIGNED_WORD.test(cursor.text);
}

export function isNone(cursor: TextCursor): boolean {
  return peekWord(cursor) === 'None';
}

/** Strings, asset paths, paths of prims and numbers of USD texts. */
import { type Cursor, peekWord, skipSpace, syntaxError } from './cursor.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** What an escape stands for; the cursor is behind the backslash and is moved behind the escape. */
function readEscape(cursor: Cursor): string {
  const mark = cursor.text[cursor.at++];
  if (mark === 'x') {
    const digits = /^[0-9a-fA-F]{1,2}/.exec(cursor.text.slice(cursor.at, cursor.at + 2))?.[0] ?? '';
    cursor.at += digits.length;
    return String.fromCharCode(Number.parseInt(digits === '' ? '0' : digits, 16));
  }
  if (mark >= '0' && mark <= '7') {
    const digits = /^[0-7]{1,3}/.exec(cursor.text.slice(cursor.at - 1, cursor.at + 2))?.[0] ?? mark;
    cursor.at += digits.length - 1;
    return String.fromCharCode(Number.parseInt(digits, 8) & 0xff);
  }
  return ESCAPES[mark] ?? mark;
}

/** Whether a string comes next. */
export function isString(cursor: Cursor): boolean {
  skipSpace(cursor);
  const mark = cursor.text[cursor.at];
  return mark === '"' || mark === "'";
}

/** A string in single or double quotes, or in three of either, which may go over lines. */
export function readString(cursor: Cursor, expected: string): string {
  if (!isString(cursor)) throw syntaxError(cursor, expected);
  const start = cursor.at;
  const mark = cursor.text[start];
  const triple = cursor.text.startsWith(mark.repeat(3), start);
  const end = triple ? mark.repeat(3) : mark;
  cursor.at += end.length;
  let out = '';
  for (;;) {
    if (cursor.at >= cursor.text.length) throw syntaxError(cursor, `the end ${end} of the string`, start);
    if (cursor.text.startsWith(end, cursor.at)) {
      cursor.at += end.length;
      return out;
    }
    const char = cursor.text[cursor.at++];
    if (char === '\n' && !triple) throw syntaxError(cursor, `the end ${end} of the string in its line`, start);
    out += char === '\\' ? readEscape(cursor) : char;
  }
}

/** Whether an asset path comes next. */
export function isAsset(cursor: Cursor): boolean {
  skipSpace(cursor);
  return cursor.text[cursor.at] === '@';
}

/** An asset path: `@path@`, or `@@@path@@@` for one with @ in it. No control characters. */
export function readAsset(cursor: Cursor, expected: string): string {
  if (!isAsset(cursor)) throw syntaxError(cursor, expected);
  const start = cursor.at;
  const isTriple = cursor.text.startsWith('@@@', start);
  const mark = isTriple ? '@@@' : '@';
  let end = start + mark.length;
  for (;;) {
    end = cursor.text.indexOf(mark, end);
    if (end < 0) throw syntaxError(cursor, `the end ${mark} of the asset path`, start);
    if (!isTriple || cursor.text[end - 1] !== '\\') break;
    end += 3;
  }
  // One or two @ may stand right before the end of a triple one.
  while (isTriple && cursor.text[end + 3] === '@') end++;
  const raw = cursor.text.slice(start + mark.length, end);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(raw))
    throw syntaxError(cursor, 'an asset path in one line without control characters', start);
  cursor.at = end + mark.length;
  return isTriple ? raw.replaceAll('\\@@@', '@@@') : raw;
}

/** A path in angle brackets, as written; `<>` is the empty path. */
export function readPath(cursor: Cursor, expected: string): string {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== '<') throw syntaxError(cursor, expected);
  const start = cursor.at;
  const end = cursor.text.indexOf('>', start);
  const path = end < 0 ? '' : cursor.text.slice(start + 1, end);
  if (end < 0 || path.includes('\n')) throw syntaxError(cursor, 'the end > of the path', start);
  if (!isPath(path)) throw syntaxError(cursor, 'a path like </Prim/Child.property>', start);
  cursor.at = end + 1;
  return path;
}

const NAME = String.raw`[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}_]*`;
const VARIANT = String.raw`\{\s*${NAME}\s*=\s*[\p{L}\p{Nd}_|.-]*\s*\}`;
const ELEMENT = `(?:${NAME}(?:${VARIANT}(?:${NAME})?)*|\\.\\.)`;
const PROPERTY = `${NAME}(?::[\\p{L}\\p{Nl}\\p{Nd}_][\\p{L}\\p{Nl}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}_]*)*`;
const PATH = new RegExp(
  `^(?:/|/?${ELEMENT}(?:/${ELEMENT})*|\\.)?(?:(?<!\\.)\\.${PROPERTY}(?:\\[[^\\]]*\\](?:\\.${PROPERTY})?)*|(?<=^|\\.)${PROPERTY}|(?:\\.mapper|\\.expression).*)?$`,
  'u',
);

/** Whether a text is a path of a prim or a property, absolute or relative, with or without variants. Empty is one. */
export function isPath(text: string): boolean {
  return PATH.test(text);
}

const NUMBER = /[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf|nan)/y;

/** The digits of a number that comes next, passed; null without one. `inf`, `-inf` and `nan` are numbers. */
export function takeNumber(cursor: Cursor): string | null {
  skipSpace(cursor);
  NUMBER.lastIndex = cursor.at;
  const found = NUMBER.exec(cursor.text);
  if (found === null) return null;
  const after = cursor.text.charCodeAt(cursor.at + found[0].length);
  // `infinite` and `1abc` are no numbers.
  if ((after >= 65 && after <= 90) || (after >= 97 && after <= 122) || after === 95) return null;
  cursor.at += found[0].length;
  return found[0];
}

/** What the digits of a number stand for. */
export function numberOf(digits: string): number {
  if (digits.endsWith('inf')) return digits.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return digits.endsWith('nan') ? Number.NaN : Number(digits);
}

/** Whether the next thing is the word `None`. */
export function isNone(cursor: Cursor): boolean {
  return peekWord(cursor) === 'None';
}

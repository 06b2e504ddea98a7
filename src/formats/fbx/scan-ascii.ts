/** Words, strings and numbers of an FBX text, one by one. The text is only ever scanned forwards, by character codes. */
import { FormatError } from '../../core/report/format-error.ts';
import { placeOf } from '../../core/text/place-of.ts';

/** A text and the place up to which it is read. */
export interface Scan {
  readonly text: string;
  at: number;
}

export const QUOTE = 34;
export const STAR = 42;
export const COMMA = 44;
export const COLON = 58;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const SEMICOLON = 59;

/** Moves past white space and comments; the code of the character there, NaN at the end of the text. */
export function peek(scan: Scan): number {
  const { text } = scan;
  let at = scan.at;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) at++;
    else if (code === SEMICOLON) at = endOfLine(text, at);
    else {
      scan.at = at;
      return code;
    }
  }
}

function endOfLine(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break;
  }
  return at;
}

/** Passes the character, if it is next. */
export function accept(scan: Scan, code: number): boolean {
  if (peek(scan) !== code) return false;
  scan.at++;
  return true;
}

function isWordEnd(code: number): boolean {
  switch (code) {
    case QUOTE:
    case STAR:
    case COMMA:
    case COLON:
    case SEMICOLON:
    case OPEN_BRACE:
    case CLOSE_BRACE:
      return true;
    default:
      return !(code > SPACE);
  }
}

/** All up to white space or a character with a meaning of its own; may be empty. White space is not skipped. */
export function takeWord(scan: Scan): string {
  const { text, at: start } = scan;
  let at = start;
  while (!isWordEnd(text.charCodeAt(at))) at++;
  scan.at = at;
  return text.slice(start, at);
}

/** The FBX SDK writes three characters so; `&amp;` is not among them. */
const ESCAPES: Readonly<Record<string, string>> = { '&quot;': '"', '&lf;': '\n', '&cr;': '\r' };

/** The string whose quote is next. It may hold line ends; a backslash is a backslash. */
export function takeString(scan: Scan): string {
  const start = scan.at + 1;
  const end = scan.text.indexOf('"', start);
  if (end < 0) throw syntaxError(scan, scan.at, 'the quote that ends this string', 'The text ends');
  scan.at = end + 1;
  const inside = scan.text.slice(start, end);
  return inside.includes('&') ? inside.replace(/&(?:quot|lf|cr);/g, (written) => ESCAPES[written]!) : inside;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** What printers make of numbers that are not finite: `nan`, `-inf`, `1.#QNAN`, `-nan(ind)`. */
const NOT_FINITE = /^([+-]?)(?:(inf|infinity|1\.#inf0*)|nan(?:\(\w*\))?|1\.#\w*)$/i;

/** The number that a word is; null where it is none. */
export function toNumber(word: string): number | null {
  if (DECIMAL.test(word)) return Number(word);
  const match = NOT_FINITE.exec(word);
  if (match === null) return null;
  return match[2] === undefined ? Number.NaN : match[1] === '-' ? -Infinity : Infinity;
}

const SHOWN = 40;

/** The error for a place: says what is there and what was expected. */
export function syntaxError(scan: Scan, at: number, expected: string, found?: string): FormatError {
  const here = { text: scan.text, at };
  const start = Number.isNaN(peek(here)) ? scan.text.length : here.at;
  const word = (takeWord({ text: scan.text, at: start }) || scan.text.slice(start, start + 1)).slice(0, SHOWN);
  const what = found ?? (start === scan.text.length ? 'The text ends' : `Found ${JSON.stringify(word)}`);
  const message = `${what} where ${expected} was expected. Mend the text there, or export the file again.`;
  return new FormatError('FBX_SYNTAX', message, placeOf(scan.text, start));
}

/** Scans words, strings and numbers of an FBX text. Scanning only moves forwards, by character codes. */
import { FormatError } from '../../../core/report/format-error.ts';
import { locationOf } from '../../../core/text/location-of.ts';

export interface Scan {
  readonly text: string;
  /** Index of the next character. */
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

/** Skips white space and comments and returns the next character. */
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

/** Skips white space and comments, then consumes a character if it is next. */
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

/** Consumes all characters up to white space or punctuation. Does not skip leading white space. */
export function takeWord(scan: Scan): string {
  const { text, at: start } = scan;
  let at = start;
  while (!isWordEnd(text.charCodeAt(at))) at++;
  scan.at = at;
  return text.slice(start, at);
}

/** The FBX SDK escapes three characters; `&amp;` is not among them. */
const ESCAPES: Readonly<Record<string, string>> = { '&quot;': '"', '&lf;': '\n', '&cr;': '\r' };

/**
 * Consumes the string whose opening quote is next. A string may contain line ends; a backslash is an ordinary character. Throws FormatError
 * `FBX_SYNTAX` if the closing quote is missing.
 */
export function takeString(scan: Scan): string {
  const start = scan.at + 1;
  const end = scan.text.indexOf('"', start);
  if (end < 0) throw syntaxError(scan, scan.at, 'the quote that ends this string', 'The text ends');
  scan.at = end + 1;
  const inside = scan.text.slice(start, end);
  return inside.includes('&') ? inside.replace(/&(?:quot|lf|cr);/g, (written) => ESCAPES[written]!) : inside;
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** Infinities and NaN as programs print them: `nan`, `-inf`, `1.#QNAN`, `-nan(ind)`. */
const NOT_FINITE = /^([+-]?)(?:(inf|infinity|1\.#inf0*)|nan(?:\(\w*\))?|1\.#\w*)$/i;

/** Converts a word to a number. Returns the number, which may be NaN or infinite; null for other words. */
export function toNumber(word: string): number | null {
  if (DECIMAL.test(word)) return Number(word);
  const match = NOT_FINITE.exec(word);
  if (match === null) return null;
  return match[2] === undefined ? Number.NaN : match[1] === '-' ? -Infinity : Infinity;
}

/** Characters of the text that an error message shows. */
const MAX_SHOWN = 40;

export function syntaxError(scan: Scan, at: number, expected: string, found?: string): FormatError {
  const here = { text: scan.text, at };
  const start = Number.isNaN(peek(here)) ? scan.text.length : here.at;
  const word = (takeWord({ text: scan.text, at: start }) || scan.text.slice(start, start + 1)).slice(0, MAX_SHOWN);
  const what = found ?? (start === scan.text.length ? 'The text ends' : `Found ${JSON.stringify(word)}`);
  const message = `${what} where ${expected} was expected. Correct the text there, or export the file again.`;
  return new FormatError('FBX_SYNTAX', message, locationOf(scan.text, start));
}

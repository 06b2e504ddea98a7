/** A place in a USD text, and the words from there on. */
import { FormatError } from '../../../core/report/format-error.ts';
import type { FieldValue } from '../layer/layer.ts';
import { identifierEnd, propertyEnd } from '../layer/path-syntax.ts';

/** Reading moves `at` on; a value, not a stream: the whole text is there. */
export interface TextCursor {
  readonly text: string;
  at: number;
  /** Characters that the paths of specs and targets may still have: short statements below a very long name could fill any memory. */
  pathBudget: number;
  /** Type names that were met, as values: very many specs have the same. */
  readonly typeNames: Map<string, FieldValue>;
}

/** Room for paths that any file has, and the more of it by the length of the text. */
const ROOM = 2 ** 22;
const ROOM_PER_CHARACTER = 32;

/** The start of a text. */
export function createTextCursor(text: string, at = 0): TextCursor {
  return { text, at, pathBudget: ROOM + ROOM_PER_CHARACTER * text.length, typeNames: new Map() };
}

/** Takes room for a path that is kept. USD_LIMIT when there is none left. */
export function chargePath(cursor: TextCursor, path: string): string {
  cursor.pathBudget -= path.length;
  if (cursor.pathBudget >= 0) return path;
  const message = `Paths have more than ${ROOM_PER_CHARACTER} times as many characters as the whole file, which anyrig does not read`;
  throw new FormatError('USD_LIMIT', message, lineAndColumn(cursor.text, cursor.at));
}

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const TAB = 9;
const HASH = 35;

/** Line and column of a place in a text, both from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}

/** The error that the text is not as it must be, at the place of the cursor or another one. */
export function syntaxError({ text, at: here }: TextCursor, expected: string, at: number = here): FormatError {
  const rest = text.slice(at, at + 24).split('\n')[0];
  const found = at >= text.length ? 'the end of the file' : rest === '' ? 'the end of the line' : JSON.stringify(rest);
  return new FormatError('USD_SYNTAX', `Found ${found}, expected ${expected}`, lineAndColumn(text, at));
}

/** Passes blanks and comments of the line. */
export function skipSpace(cursor: TextCursor): void {
  const { text } = cursor;
  for (;;) {
    const code = text.charCodeAt(cursor.at);
    if (code === SPACE || code === TAB || code === RETURN) cursor.at++;
    else if (code === HASH) {
      const end = text.indexOf('\n', cursor.at);
      cursor.at = end < 0 ? text.length : end;
    } else return;
  }
}

/** Passes blanks, comments and ends of lines; whether there was an end of a line. */
export function skipLines(cursor: TextCursor): boolean {
  let passed = false;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text.charCodeAt(cursor.at) !== NEWLINE) return passed;
    cursor.at++;
    passed = true;
  }
}

/** Passes what ends a statement, an end of line or a semicolon; whether there was any. */
export function skipSeparators(cursor: TextCursor): boolean {
  let passed = false;
  for (;;) {
    if (skipLines(cursor)) passed = true;
    if (cursor.text[cursor.at] !== ';') return passed;
    cursor.at++;
    passed = true;
  }
}

/** Passes a mark when it is the next thing after blanks; whether it was. */
export function takeMark(cursor: TextCursor, mark: string): boolean {
  skipSpace(cursor);
  if (!cursor.text.startsWith(mark, cursor.at)) return false;
  cursor.at += mark.length;
  return true;
}

/** The same of a mark of one character, by its code. */
export function takeCode(cursor: TextCursor, code: number): boolean {
  skipSpace(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== code) return false;
  cursor.at++;
  return true;
}

/** Passes a mark that must be there. */
export function expectMark(cursor: TextCursor, mark: string, after: string): void {
  if (!takeMark(cursor, mark)) throw syntaxError(cursor, `${JSON.stringify(mark)} ${after}`);
}

/** Whether the next character after blanks is this one. */
export function isNext(cursor: TextCursor, mark: string): boolean {
  skipSpace(cursor);
  return cursor.text.startsWith(mark, cursor.at);
}

/** The identifier that comes next, not passed; null without. */
export function peekWord(cursor: TextCursor): string | null {
  skipSpace(cursor);
  const end = identifierEnd(cursor.text, cursor.at);
  return end === cursor.at ? null : cursor.text.slice(cursor.at, end);
}

/** Passes a certain word, which must end there; whether it was next. */
export function takeWord(cursor: TextCursor, word: string): boolean {
  skipSpace(cursor);
  const end = cursor.at + word.length;
  if (!cursor.text.startsWith(word, cursor.at) || identifierEnd(cursor.text, end, true) !== end) return false;
  cursor.at = end;
  return true;
}

/** Passes an identifier. USD_SYNTAX without one. */
export function readWord(cursor: TextCursor, expected: string): string {
  const word = peekWord(cursor);
  if (word === null) throw syntaxError(cursor, expected);
  cursor.at += word.length;
  return word;
}

/** Whether a character may go on an identifier or number of the scanner: a letter, digit or `_` of ASCII. */
export function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** Passes a name with namespaces, as properties have it: `primvars:skel:jointIndices`. */
export function readNamespacedName(cursor: TextCursor, expected: string): string {
  skipSpace(cursor);
  const start = cursor.at;
  cursor.at = propertyEnd(cursor.text, start);
  if (cursor.at === start) throw syntaxError(cursor, expected);
  return cursor.text.slice(start, cursor.at);
}

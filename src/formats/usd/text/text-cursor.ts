/** A position in a USD text, and functions that skip or read the characters and words after it. */
import { FormatError } from '../../../core/report/format-error.ts';
import { copyText } from '../../../core/text/copy-text.ts';
import type { FieldValue } from '../layer/layer.ts';
import { identifierEnd, propertyEnd } from '../layer/path-syntax.ts';

/** A position in a USD text. The text is complete: reading only advances `at`. */
export interface TextCursor {
  readonly text: string;
  at: number;
  /**
   * Characters that the paths of further specs and targets may have. Short statements inside a prim with a very long name could otherwise fill all
   * memory.
   */
  pathBudget: number;
  /** Values of type names that were read, by name. Many specs share them. */
  readonly typeNames: Map<string, FieldValue>;
}

/** Path budget: a constant part that any file has, and a part per character of the text. */
const BASE_PATH_BUDGET = 2 ** 22;
const PATH_BUDGET_PER_CHARACTER = 32;

export function createTextCursor(text: string, at = 0): TextCursor {
  return { text, at, pathBudget: BASE_PATH_BUDGET + PATH_BUDGET_PER_CHARACTER * text.length, typeNames: new Map() };
}

/** Subtracts the length of a stored path from the path budget. */
export function chargePath(cursor: TextCursor, path: string): string {
  cursor.pathBudget -= path.length;
  if (cursor.pathBudget >= 0) return path;
  const message = `The paths of the layer have more than ${PATH_BUDGET_PER_CHARACTER} times as many characters as the file, the limit of anyrig; shorten the prim names`;
  throw new FormatError('USD_LIMIT', message, lineAndColumn(cursor.text, cursor.at));
}

const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const TAB = 9;
const HASH = 35;

export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}

/** Creates the error for text that differs from what the grammar expects. */
export function syntaxError({ text, at: here }: TextCursor, expected: string, at: number = here): FormatError {
  const rest = text.slice(at, at + 24).split('\n')[0];
  const found = at >= text.length ? 'the end of the file' : rest === '' ? 'the end of the line' : JSON.stringify(rest);
  return new FormatError('USD_SYNTAX', `Found ${found}, expected ${expected}`, lineAndColumn(text, at));
}

/** Skips blanks and comments up to the end of the line. */
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

/** Skips blanks, comments and line ends. */
export function skipLines(cursor: TextCursor): boolean {
  let passed = false;
  for (;;) {
    skipSpace(cursor);
    if (cursor.text.charCodeAt(cursor.at) !== NEWLINE) return passed;
    cursor.at++;
    passed = true;
  }
}

/** Skips blanks, comments and the line ends or semicolons that end a statement. */
export function skipSeparators(cursor: TextCursor): boolean {
  let passed = false;
  for (;;) {
    if (skipLines(cursor)) passed = true;
    if (cursor.text[cursor.at] !== ';') return passed;
    cursor.at++;
    passed = true;
  }
}

/** Skips blanks, then a mark if it comes next. */
export function takeMark(cursor: TextCursor, mark: string): boolean {
  skipSpace(cursor);
  if (!cursor.text.startsWith(mark, cursor.at)) return false;
  cursor.at += mark.length;
  return true;
}

/** Skips blanks, then a mark of one character if it comes next. */
export function takeCode(cursor: TextCursor, code: number): boolean {
  skipSpace(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== code) return false;
  cursor.at++;
  return true;
}

/** Skips a mark that the grammar requires. */
export function expectMark(cursor: TextCursor, mark: string, context: string): void {
  if (!takeMark(cursor, mark)) throw syntaxError(cursor, `${JSON.stringify(mark)} ${context}`);
}

/** Skips blanks and tests the text after them. */
export function isNext(cursor: TextCursor, mark: string): boolean {
  skipSpace(cursor);
  return cursor.text.startsWith(mark, cursor.at);
}

/** Skips blanks and reads the identifier after them without skipping it. Returns the identifier; null if none comes next. */
export function peekWord(cursor: TextCursor): string | null {
  skipSpace(cursor);
  const end = identifierEnd(cursor.text, cursor.at);
  return end === cursor.at ? null : cursor.text.slice(cursor.at, end);
}

/** Skips blanks, then a certain whole word if it comes next. */
export function takeWord(cursor: TextCursor, word: string): boolean {
  skipSpace(cursor);
  const end = cursor.at + word.length;
  if (!cursor.text.startsWith(word, cursor.at) || identifierEnd(cursor.text, end, true) !== end) return false;
  cursor.at = end;
  return true;
}

export function readWord(cursor: TextCursor, expected: string): string {
  const word = peekWord(cursor);
  if (word === null) throw syntaxError(cursor, expected);
  cursor.at += word.length;
  return copyText(word);
}

/** Tests whether a character continues an identifier or number of the scanner: an ASCII letter, digit or `_`. */
export function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

/** Reads a name with namespaces, as properties have it: `primvars:skel:jointIndices`. */
export function readNamespacedName(cursor: TextCursor, expected: string): string {
  skipSpace(cursor);
  const start = cursor.at;
  cursor.at = propertyEnd(cursor.text, start);
  if (cursor.at === start) throw syntaxError(cursor, expected);
  return copyText(cursor.text.slice(start, cursor.at));
}

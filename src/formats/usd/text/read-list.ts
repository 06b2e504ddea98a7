import { FormatError } from '../../../core/report/format-error.ts';
import { copyText } from '../../../core/text/copy-text.ts';
import { isAsset, isNumber, isString, readAsset, readNumber, readPath, readString } from './literals.ts';
import {
  createTextCursor,
  expectMark,
  isNext,
  readWord,
  skipLines,
  skipSpace,
  syntaxError,
  type TextCursor,
  takeCode,
  takeMark,
} from './text-cursor.ts';

/** Levels of nested brackets. Only hostile files have more. */
export const MAX_NESTING = 64;

const COMMA = 44;
const CLOSING_PARENTHESIS = 41;
const CLOSING_BRACKET = 93;

/**
 * Reads items in square brackets, separated by commas; one comma may follow the last. Line ends are allowed after a comma and next to a bracket, not
 * before a comma.
 */
export function readList(cursor: TextCursor, readMember: () => void): void {
  expectMark(cursor, '[', 'before a list');
  skipLines(cursor);
  while (!takeCode(cursor, CLOSING_BRACKET)) {
    readMember();
    if (takeCode(cursor, COMMA)) {
      skipLines(cursor);
      continue;
    }
    skipLines(cursor);
    expectMark(cursor, ']', 'or a comma after a list item');
    return;
  }
}

/** Reads a tuple in parentheses; a comma may follow the last member. */
export function readTuple(cursor: TextCursor, count: number, type: string, readMember: () => void): void {
  if (!takeMark(cursor, '(')) throw syntaxError(cursor, `"(" around the ${count} members of a ${type}`);
  skipLines(cursor);
  for (let k = 0; k < count; k++) {
    readMember();
    const hasComma = takeCode(cursor, COMMA);
    if (!hasComma && k < count - 1) throw syntaxError(cursor, `"," between the ${count} members of a ${type}`);
    skipLines(cursor);
  }
  if (!takeCode(cursor, CLOSING_PARENTHESIS)) throw syntaxError(cursor, `")" after the ${count} members of a ${type}`);
}

function skipAtom(cursor: TextCursor): void {
  const mark = cursor.text[cursor.at];
  if (isString(cursor)) readString(cursor, 'a string');
  else if (isAsset(cursor)) readAsset(cursor, 'an asset path');
  else if (mark === '<') readPath(cursor, 'a path');
  else if (isNumber(cursor)) readNumber(cursor, 'a number');
  else readWord(cursor, 'a value');
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Skips a value of an unknown type by matching its brackets. */
export function skipValue(cursor: TextCursor): string {
  skipSpace(cursor);
  const start = cursor.at;
  const open: string[] = [];
  do {
    if (open.length > 0) skipLines(cursor);
    const mark = cursor.text[cursor.at];
    if (mark === undefined) throw syntaxError(cursor, 'a value', start);
    if (Object.hasOwn(CLOSERS, mark)) {
      open.push(CLOSERS[mark]);
      cursor.at++;
    } else if (mark === open[open.length - 1]) {
      open.pop();
      cursor.at++;
    } else if (open.length > 0 && /[,:;=]/.test(mark)) cursor.at++;
    else skipAtom(cursor);
    if (open.length > MAX_NESTING) throw syntaxError(cursor, `at most ${MAX_NESTING} levels of nested brackets`, start);
  } while (open.length > 0);
  return copyText(cursor.text.slice(start, cursor.at));
}

/** Tests whether a text is one value, of whatever type. Binary files can store any text as a value of an unknown type. */
export function isValueText(text: string): boolean {
  const cursor = createTextCursor(text);
  try {
    skipValue(cursor);
    return cursor.at === text.length;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** Skips a value of an unknown type, item by item if it is a list. */
export function skipItems(cursor: TextCursor): string[] {
  if (!isNext(cursor, '[')) return [skipValue(cursor)];
  const items: string[] = [];
  readList(cursor, () => items.push(skipValue(cursor)));
  return items;
}

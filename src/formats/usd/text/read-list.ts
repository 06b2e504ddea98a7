/** Brackets of USD texts: lists, tuples, and values of which only the brackets are understood. */
import {
  type TextCursor,
  expectMark,
  isNext,
  readWord,
  skipLines,
  skipSpace,
  syntaxError,
  takeMark,
  takeCode,
} from './text-cursor.ts';
import { isAsset, isNumber, isString, readAsset, readNumber, readPath, readString } from './literals.ts';

/** Brackets inside of brackets: more is an attack. */
export const MAX_NESTING = 64;

const COMMA = 44;
const CLOSING_PARENTHESIS = 41;
const CLOSING_BRACKET = 93;

/** Members between brackets, with commas, one may follow the last. Lines may end behind a comma and beside a bracket, not before a comma. */
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
    expectMark(cursor, ']', 'or a comma behind a member of a list');
    return;
  }
}

/** `( … , … )` with so many members; a comma may follow the last. */
export function readTuple(cursor: TextCursor, count: number, type: string, readMember: () => void): void {
  if (!takeMark(cursor, '(')) throw syntaxError(cursor, `"(" around the ${count} members of a ${type}`);
  skipLines(cursor);
  for (let k = 0; k < count; k++) {
    readMember();
    const hasComma = takeCode(cursor, COMMA);
    if (!hasComma && k < count - 1) throw syntaxError(cursor, `"," between the ${count} members of a ${type}`);
    skipLines(cursor);
  }
  if (!takeCode(cursor, CLOSING_PARENTHESIS)) throw syntaxError(cursor, `")" behind the ${count} members of a ${type}`);
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

/** Passes a value of which only the brackets are understood, and gives its text. */
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
    if (open.length > MAX_NESTING)
      throw syntaxError(cursor, `at most ${MAX_NESTING} brackets inside of each other`, start);
  } while (open.length > 0);
  return cursor.text.slice(start, cursor.at);
}

/** Texts of the members of a list, or of the one value that stands there, of a type that nobody knows. */
export function skipItems(cursor: TextCursor): string[] {
  if (!isNext(cursor, '[')) return [skipValue(cursor)];
  const items: string[] = [];
  readList(cursor, () => items.push(skipValue(cursor)));
  return items;
}

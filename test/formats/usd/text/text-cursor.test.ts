import { describe, expect, it } from 'vitest';
import {
  chargePath,
  createTextCursor,
  expectMark,
  isWordCode,
  lineAndColumn,
  peekWord,
  readNamespacedName,
  readWord,
  skipLines,
  skipSeparators,
  skipSpace,
  syntaxError,
  takeCode,
  takeMark,
  takeWord,
} from '../../../../src/formats/usd/text/text-cursor.ts';

describe('text cursor', () => {
  it('skipSpace: skips blanks and comments of the line', () => {
    const cursor = createTextCursor(' \t# said\nx');
    skipSpace(cursor);
    expect(cursor.at).toBe(8);
  });

  it('skipLines and skipSeparators: return whether a line or statement ended', () => {
    expect(skipLines(createTextCursor('  x'))).toBe(false);
    expect(skipLines(createTextCursor(' # a\r\n\n x'))).toBe(true);
    expect(skipSeparators(createTextCursor(' ; x'))).toBe(true);
    expect(skipSeparators(createTextCursor(' x'))).toBe(false);
  });

  it('takeMark and takeWord: advance only past matching text', () => {
    const cursor = createTextCursor(' = def defx');
    expect(takeMark(cursor, ':')).toBe(false);
    expect(takeCode(cursor, 61)).toBe(true);
    expect(takeWord(cursor, 'de')).toBe(false);
    expect(takeWord(cursor, 'def')).toBe(true);
    expect(takeWord(cursor, 'def')).toBe(false);
    expect(peekWord(cursor)).toBe('defx');
    expect(readWord(cursor, 'a word')).toBe('defx');
    expect(peekWord(cursor)).toBeNull();
    expect(() => readWord(cursor, 'a word')).toThrow('Found the end of the file, expected a word');
    expect(() => expectMark(cursor, '{', 'before a scope')).toThrow('expected "{" before a scope');
  });

  it('readNamespacedName: reads names with namespaces', () => {
    expect(readNamespacedName(createTextCursor(' skel:joints.x'), 'a name')).toBe('skel:joints');
    expect(() => readNamespacedName(createTextCursor(':a'), 'a name')).toThrow('a name');
  });

  it('isWordCode: detects characters of words and numbers', () => {
    expect([...'a_Z9'].every((char) => isWordCode(char.charCodeAt(0)))).toBe(true);
    expect([...' ,.)'].some((char) => isWordCode(char.charCodeAt(0)))).toBe(false);
  });

  it('lineAndColumn: counts from 1', () => {
    expect(lineAndColumn('ab\ncd\n', 0)).toEqual({ line: 1, column: 1 });
    expect(lineAndColumn('ab\ncd\n', 4)).toEqual({ line: 2, column: 2 });
    expect(lineAndColumn('ab\ncd\n', 6)).toEqual({ line: 3, column: 1 });
    expect(syntaxError(createTextCursor('ab\ncd', 3), 'x').where).toEqual({ line: 2, column: 1 });
    expect(syntaxError(createTextCursor('a\nb', 1), 'x').message).toBe('Found the end of the line, expected x');
  });

  it('chargePath: throws for paths far longer than the file', () => {
    const cursor = createTextCursor('');
    const path = 'a'.repeat(2 ** 20);
    for (let k = 0; k < 4; k++) expect(chargePath(cursor, path)).toBe(path);
    expect(() => chargePath(cursor, path)).toThrow(expect.objectContaining({ code: 'USD_LIMIT' }));
  });
});

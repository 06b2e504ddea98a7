import { describe, expect, it } from 'vitest';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';
import { readNumber } from '../../../../src/formats/usd/text/literals.ts';
import { readList, readTuple, skipItems, skipValue } from '../../../../src/formats/usd/text/read-list.ts';

function list(text: string): number[] {
  const cursor = createTextCursor(text);
  const out: number[] = [];
  readList(cursor, () => out.push(readNumber(cursor, 'a number')));
  return out;
}

function tuple(text: string, count: number): number[] {
  const cursor = createTextCursor(text);
  const out: number[] = [];
  readTuple(cursor, count, 'thing', () => out.push(readNumber(cursor, 'a number')));
  return out;
}

describe('lists', () => {
  it.each<[string, number[]]>([
    ['[]', []],
    ['[ 1 ]', [1]],
    ['[1, 2,]', [1, 2]],
    ['[\n 1,\n # said\n 2\n]', [1, 2]],
  ])('read %j', (text, values) => expect(list(text)).toEqual(values));

  it.each(['[', '[1', '[1 2]', '[,]', '[1\n, 2]', '1'])('refuse %j', (text) =>
    expect(() => list(text)).toThrow('expected'),
  );
});

describe('tuples', () => {
  it('have exactly so many members', () => {
    expect(tuple('(1, 2)', 2)).toEqual([1, 2]);
    expect(tuple('(\n1,\n2,\n)', 2)).toEqual([1, 2]);
    expect(() => tuple('(1)', 2)).toThrow('"," between the 2 members of a thing');
    expect(() => tuple('(1, 2, 3)', 2)).toThrow('")" behind the 2 members of a thing');
    expect(() => tuple('1', 2)).toThrow('"(" around the 2 members of a thing');
  });
});

describe('values of unknown types', () => {
  it.each(['bogus', '1.5', '"a]"', '(a, [b, "c)"])', '{ a = @b}@; c = </d> }', '[1,\n # )\n 2]'])(
    'are passed whole: %j',
    (text) => {
      expect(skipValue(createTextCursor(`${text} (hidden = true)`))).toBe(text);
    },
  );

  it('are taken one by one from lists', () => {
    expect(skipItems(createTextCursor('[1, (2, 3), "a"]'))).toEqual(['1', '(2, 3)', '"a"']);
    expect(skipItems(createTextCursor('7'))).toEqual(['7']);
  });

  it.each(['', '(', '(]', '\n1', '['.repeat(1e5)])('are refused where brackets fail (%#)', (text) => {
    expect(() => skipValue(createTextCursor(text))).toThrow(expect.objectContaining({ code: 'USD_SYNTAX' }));
  });
});

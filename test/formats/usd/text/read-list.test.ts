import { describe, expect, it } from 'vitest';
import { readNumber } from '../../../../src/formats/usd/text/literals.ts';
import { readList, readTuple, skipItems, skipValue } from '../../../../src/formats/usd/text/read-list.ts';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';

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

describe('readList', () => {
  it.each<[string, number[]]>([
    ['[]', []],
    ['[ 1 ]', [1]],
    ['[1, 2,]', [1, 2]],
    ['[\n 1,\n # said\n 2\n]', [1, 2]],
  ])('reads %j', (text, values) => expect(list(text)).toEqual(values));

  it.each(['[', '[1', '[1 2]', '[,]', '[1\n, 2]', '1'])('throws for %j', (text) =>
    expect(() => list(text)).toThrow('expected'),
  );
});

describe('readTuple', () => {
  it('requires the exact number of members', () => {
    expect(tuple('(1, 2)', 2)).toEqual([1, 2]);
    expect(tuple('(\n1,\n2,\n)', 2)).toEqual([1, 2]);
    expect(() => tuple('(1)', 2)).toThrow('"," between the 2 members of a thing');
    expect(() => tuple('(1, 2, 3)', 2)).toThrow('")" after the 2 members of a thing');
    expect(() => tuple('1', 2)).toThrow('"(" around the 2 members of a thing');
  });
});

describe('skipValue and skipItems', () => {
  it.each(['bogus', '1.5', '"a]"', '(a, [b, "c)"])', '{ a = @b}@; c = </d> }', '[1,\n # )\n 2]'])(
    'skip the whole value: %j',
    (text) => {
      expect(skipValue(createTextCursor(`${text} (hidden = true)`))).toBe(text);
    },
  );

  it('return the items of a list', () => {
    expect(skipItems(createTextCursor('[1, (2, 3), "a"]'))).toEqual(['1', '(2, 3)', '"a"']);
    expect(skipItems(createTextCursor('7'))).toEqual(['7']);
  });

  it.each(['', '(', '(]', '\n1', '['.repeat(1e5)])('throw for unbalanced brackets (%#)', (text) => {
    expect(() => skipValue(createTextCursor(text))).toThrow(expect.objectContaining({ code: 'USD_SYNTAX' }));
  });
});

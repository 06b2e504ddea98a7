import { describe, expect, it } from 'vitest';
import { placeOf } from '../../../src/core/text/place-of.ts';

describe('placeOf', () => {
  it('counts lines that end with LF, CR LF or CR, and columns, from 1', () => {
    const text = 'a\nbc\r\nd\re';
    expect([...text].map((_, at) => placeOf(text, at))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 2, column: 2 },
      { line: 2, column: 3 },
      { line: 2, column: 4 },
      { line: 3, column: 1 },
      { line: 3, column: 2 },
      { line: 4, column: 1 },
    ]);
  });
});

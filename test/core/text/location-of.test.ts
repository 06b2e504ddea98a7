import { describe, expect, it } from 'vitest';
import { locationOf } from '../../../src/core/text/location-of.ts';

describe('locationOf', () => {
  it('counts lines (LF, CR LF or CR) and columns from 1', () => {
    const text = 'a\nbc\r\nd\re';
    expect([...text].map((_, at) => locationOf(text, at))).toEqual([
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

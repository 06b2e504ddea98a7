import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Cursor,
  skipColon,
  skipSpace,
  syntaxError,
  takeKeyword,
  takeName,
  takeNumber,
  takeWord,
} from '../../../src/formats/bvh/bvh-cursor.ts';
import { lawRuns } from '../../support/law-runs.ts';

const LARGEST_FLOAT32 = Math.fround(3.4028234663852886e38);

function over(text: string): Cursor {
  return { text, at: 0 };
}

describe('takeNumber', () => {
  it('returns the same number as Number(), for any notation', () => {
    const printed = fc.oneof(
      fc.double({ noNaN: true, min: -1e30, max: 1e30 }).map(String),
      fc.tuple(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.nat({ max: 20 })).map(([x, n]) => x.toFixed(n)),
      fc.double({ noNaN: true, min: -1e30, max: 1e30 }).map((x) => x.toExponential()),
      fc.stringMatching(/^[-+]?(\d{1,20}\.\d{0,25}|\.\d{1,25}|\d{1,25})([eE][-+]?\d{1,2})?$/),
    );
    fc.assert(
      fc.property(printed, (text) => {
        const cursor = over(`\t${text}\n7`);
        const expected = Number(text);
        expect(takeNumber(cursor)).toBe(Math.abs(expected) > LARGEST_FLOAT32 ? Number.NaN : expected);
        expect(takeNumber(cursor)).toBe(7);
      }),
      { seed: 3, numRuns: lawRuns(5000) },
    );
  });

  it('reads numbers without a leading or a trailing digit, with a sign, and before a brace', () => {
    const cursor = over('.03333 -.5 5. +1 -0 1e-17 3}');
    const numbers = Array.from({ length: 7 }, () => takeNumber(cursor));
    expect(numbers).toEqual([0.03333, -0.5, 5, 1, -0, 1e-17, 3]);
    expect(takeKeyword(cursor)).toBe('}');
  });

  it.each(['nan', 'NaN', '-nan', '-nan(ind)', 'inf', '-Infinity', '1.#QNAN', '-1.#IND00', '1.#INF', '1e999', '-4e38'])(
    'returns NaN for %s, which is not a finite float32',
    (word) => {
      expect(takeNumber(over(word))).toBeNaN();
    },
  );

  it.each(['', '-', '.', 'e5', '1,5', '0x10', '1.2.3', '1e', 'JOINT', '}', '1_000', '--1'])(
    'returns null for %j and stays before it',
    (word) => {
      const cursor = over(` ${word}`);
      expect(takeNumber(cursor)).toBeNull();
      expect(cursor.at).toBe(1);
    },
  );
});

describe('takeKeyword and takeWord', () => {
  it('split at any white space, at braces and, for keywords, at colons', () => {
    const cursor = over('Hierarchy\t\r\n  end\u0000Site{Frames: 3}');
    expect(takeKeyword(cursor)).toBe('HIERARCHY');
    expect(takeKeyword(cursor)).toBe('END');
    expect(takeKeyword(cursor)).toBe('SITE');
    expect(takeWord(cursor)).toBe('');
    expect(takeKeyword(cursor)).toBe('{');
    expect(takeKeyword(cursor)).toBe('FRAMES');
    skipColon(cursor);
    skipColon(cursor);
    expect(takeWord(cursor)).toBe('3');
    expect(takeKeyword(cursor)).toBe('}');
    expect(skipSpace(cursor)).toBe(false);
    expect(takeKeyword(cursor)).toBe('');
  });

  it('takeName: takes everything up to the end of the line or a brace', () => {
    expect(takeName(over(' Right elbow \t\r\n{'))).toBe('Right elbow');
    expect(takeName(over('\nmixamorig:Hips{'))).toBe('mixamorig:Hips');
    expect(takeName(over('\n{ OFFSET'))).toBe('');
    expect(takeName(over(''))).toBe('');
  });
});

describe('syntaxError', () => {
  it('reports what was found, what was expected and the location, without control characters', () => {
    const error = syntaxError(over('a\n \u0007b\u0001c'), 1, 'OFFSET');
    expect(error.message).toMatch(/^Found "b" where OFFSET was expected\./);
    expect(error.where).toEqual({ line: 2, column: 3 });
    expect(error.code).toBe('BVH_SYNTAX');
    expect(syntaxError(over('x  '), 1, 'OFFSET').message).toMatch(/^The text ends where OFFSET was expected\./);
    expect(syntaxError(over('{'), 0, 'OFFSET').message).toMatch(/^Found "{"/);
    expect(syntaxError(over('y'.repeat(1000)), 0, 'OFFSET').message.length).toBeLessThan(200);
  });
});

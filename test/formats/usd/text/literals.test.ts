import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isNumber,
  readAsset,
  readNumber,
  readPath,
  readString,
  readWhole,
} from '../../../../src/formats/usd/text/literals.ts';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const number = (text: string): number => readNumber(createTextCursor(text), 'a number');
const string = (text: string): string => readString(createTextCursor(text), 'a string');
const asset = (text: string): string => readAsset(createTextCursor(text), 'an asset path');

describe('numbers', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['-0', -0],
    ['+1', 1],
    ['1.', 1],
    ['.5', 0.5],
    ['-1.5e-3', -0.0015],
    ['1E5', 1e5],
    ['inf', Number.POSITIVE_INFINITY],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['nan', Number.NaN],
    ['9007199254740993', 9007199254740992],
    ['0.30000000000000004', 0.30000000000000004],
    ['1e400', Number.POSITIVE_INFINITY],
  ])('readNumber: reads %s', (text, value) => expect(number(text)).toBe(value));

  it.each(['', 'a', '1a', '1e', '-', '.', 'infinite', '1_', '0x10'])('readNumber: throws for %j', (text) => {
    expect(() => number(text)).toThrow('expected a number');
  });

  it('readNumber: returns the nearest double for any digits', () => {
    const digits = fc.stringMatching(/^-?\d{1,22}(\.\d{0,25})?(e[+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        expect(number(text)).toBe(Number(text));
      }),
      { seed: 7, numRuns: lawRuns(2000) },
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(number(String(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
      { seed: 8, numRuns: lawRuns(2000) },
    );
  });

  it('isNumber: detects numbers by their first characters', () => {
    expect(['1', '-.5', '+2', '-inf', 'nan'].every((text) => isNumber(createTextCursor(text)))).toBe(true);
    expect(['a', '-', 'info', '"1"', ''].some((text) => isNumber(createTextCursor(text)))).toBe(false);
  });

  it('readWhole: reads integers of any size', () => {
    expect(readWhole(createTextCursor('-9223372036854775808'), 'n')).toBe(-(2n ** 63n));
    expect(() => readWhole(createTextCursor('1.5'), 'a whole number')).toThrow('a whole number');
    expect(() => readWhole(createTextCursor('9'.repeat(1e6)), 'a whole number')).toThrow('a whole number');
  });
});

describe('strings', () => {
  it.each([
    ['"a\'b"', "a'b"],
    ["'a\"b'", 'a"b'],
    ['"""a\n"b" """', 'a\n"b" '],
    ["'''a''b'''", "a''b"],
    ['""', ''],
    [String.raw`"\"\\\n\t\q"`, '"\\\n\tq'],
    [String.raw`"\x41\101\x4"`, 'AA\x04'],
    [String.raw`"\xc3\xa9\xe2\x82\xac"`, 'é€'],
    [String.raw`"\xff"`, '\udcff'],
  ])('readString: reads %s', (text, value) => expect(string(text)).toBe(value));

  it.each(['"a', '"a\nb"', '"a\\"', '"""a""', 'a'])('readString: throws for %j', (text) =>
    expect(() => string(text)).toThrow('expected'),
  );
});

describe('asset paths', () => {
  it.each([
    ['@a/b.usda@', 'a/b.usda'],
    ['@@', ''],
    ['@@@a@b@@@', 'a@b'],
    ['@@@@a@@@@', '@a@'],
    [String.raw`@@@a\@@@b@@@`, 'a@@@b'],
    [String.raw`@\x01@`, String.raw`\x01`],
  ])('readAsset: reads %s', (text, value) => expect(asset(text)).toBe(value));

  it.each(['@a', '@a\nb@', '@@@a@', '@a\x01@', 'a'])('readAsset: throws for %j', (text) =>
    expect(() => asset(text)).toThrow('expected'),
  );
});

describe('paths', () => {
  it('readPath: reads the path between angle brackets', () => {
    expect(readPath(createTextCursor(' </A.b> '), 'a path')).toBe('/A.b');
    expect(readPath(createTextCursor('<>'), 'a path')).toBe('');
  });

  it.each(['</A', '</A\n>', '<?>', '/A'])('readPath: throws for %j', (text) => {
    expect(() => readPath(createTextCursor(text), 'a path')).toThrow('expected');
  });
});

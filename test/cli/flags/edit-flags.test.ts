import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { readEdits } from '../../../src/cli/flags/edit-flags.ts';

describe('readEdits', () => {
  it('returns an empty object without flags', () => {
    expect(readEdits({})).toEqual({});
    expect(readEdits({ mirror: false, loop: undefined })).toEqual({});
  });

  it('reads every flag', () => {
    expect(readEdits({ trim: '0.5:2', speed: '1.5', mirror: true, loop: true, reduce: '0.25' })).toEqual({
      trim: { from: 0.5, to: 2 },
      speed: 1.5,
      mirror: true,
      loop: true,
      reduce: 0.25,
    });
  });

  it('accepts a --trim range that is open on one side', () => {
    expect([readEdits({ trim: '1:' }).trim, readEdits({ trim: ':2' }).trim]).toEqual([{ from: 1 }, { to: 2 }]);
  });

  it.each(['', ':', '1', '2:1', '1:1', 'a:b', '-1:2', '1:2:3', '1:Infinity'])('refuses --trim %j', (trim) => {
    expect(() => readEdits({ trim })).toThrow(UsageError);
    expect(() => readEdits({ trim })).toThrow(/A:B/);
  });

  it.each([{ speed: '0' }, { speed: '-1' }, { speed: 'fast' }, { reduce: '0' }, { reduce: '90' }, { reduce: ' ' }])(
    'refuses %o and names the expected value',
    (args) => {
      expect(() => readEdits(args)).toThrow(UsageError);
      expect(() => readEdits(args)).toThrow(/expected a number above 0/);
    },
  );
});

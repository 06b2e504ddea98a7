import { describe, expect, it } from 'vitest';
import { checkFlags } from '../../../src/cli/flags/check-flags.ts';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';

const DEFS = {
  file: { type: 'positional' },
  out: { type: 'string', alias: 'o' },
  clip: { type: 'string' },
  'hips-scale': { type: 'string' },
  force: { type: 'boolean' },
  mesh: { type: 'boolean', default: true },
} as const;
const check = (...argv: string[]): Record<string, readonly string[]> => {
  return Object.fromEntries(checkFlags(argv, DEFS, ['clip']));
};

describe('checkFlags', () => {
  it('gives the values of every flag, repeated ones in order, by any spelling', () => {
    expect(check('a', '--clip', '1', 'b', '--clip=Walk', '-o', 'x', '--force', '--no-mesh')).toEqual({
      out: ['x'],
      clip: ['1', 'Walk'],
      force: [''],
      mesh: [''],
    });
  });

  it('takes negative numbers and single dashes as values', () => {
    expect(check('--hips-scale', '-1', '--clip', '-')).toEqual({ 'hips-scale': ['-1'], clip: ['-'] });
  });

  it('leaves alone what comes after --', () => {
    expect(check('--force', '--', '--what', '-x')).toEqual({ force: [''] });
  });

  it.each([
    [['--hip-scale', '1'], 'There is no option --hip-scale; did you mean --hips-scale?'],
    [['--zzzzzz'], 'There is no option --zzzzzz'],
    [['-x'], 'There is no option -x'],
    [['--no-clip'], 'There is no option --no-clip'],
    [['--__proto__'], 'There is no option --__proto__'],
    [['--out'], '--out needs a value'],
    [['--out', '--force'], '--out needs a value; write --out=--force if that is its value'],
    [['--force=yes'], '--force takes no value'],
    [['-o', 'a', '--out', 'b'], '--out is given twice'],
    [['--force', '--force'], '--force is given twice'],
  ])('refuses %j', (argv, message) => {
    expect(() => check(...argv)).toThrow(UsageError);
    expect(() => check(...argv)).toThrow(message);
  });

  it('takes a value that looks like a flag when it is joined', () => {
    expect(check('--out=--force')).toEqual({ out: ['--force'] });
  });
});

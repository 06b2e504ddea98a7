import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { checkFlags, findPositionals } from '../../../src/cli/flags/check-flags.ts';

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
  it('returns the values of every flag in order, for any spelling', () => {
    expect(check('a', '--clip', '1', 'b', '--clip=Walk', '-o', 'x', '--force', '--no-mesh')).toEqual({
      out: ['x'],
      clip: ['1', 'Walk'],
      force: [''],
      mesh: [''],
    });
  });

  it('accepts negative numbers and single dashes as values', () => {
    expect(check('--hips-scale', '-1', '--clip', '-')).toEqual({ 'hips-scale': ['-1'], clip: ['-'] });
  });

  it('ignores arguments after --', () => {
    expect(check('--force', '--', '--what', '-x')).toEqual({ force: [''] });
  });

  it.each([
    [['--hip-scale', '1'], 'Unknown option --hip-scale; did you mean --hips-scale?'],
    [['--zzzzzz'], 'Unknown option --zzzzzz'],
    [['-x'], 'Unknown option -x'],
    [['--no-clip'], 'Unknown option --no-clip; did you mean --clip?'],
    [['--__proto__'], 'Unknown option --__proto__'],
    [['-out', 'a'], 'Unknown option -out; did you mean --out?'],
    [['-clip=Walk'], 'Unknown option -clip; did you mean --clip?'],
    [['--o', 'a'], 'Unknown option --o; did you mean -o?'],
    [['--out'], '--out needs a value'],
    [['--out', '--force'], '--out needs a value; write --out=--force if --force is the value'],
    [['--force=yes'], '--force takes no value'],
    [['-o', 'a', '--out', 'b'], '--out occurs twice; expected once'],
    [['--force', '--force'], '--force occurs twice; expected once'],
  ])('refuses %j', (argv, message) => {
    expect(() => check(...argv)).toThrow(UsageError);
    expect(() => check(...argv)).toThrow(message);
  });

  it('accepts the value of a short flag without a space', () => {
    expect(check('-oout.glb')).toEqual({ out: ['out.glb'] });
  });

  it('accepts a value that looks like a flag after =', () => {
    expect(check('--out=--force')).toEqual({ out: ['--force'] });
  });
});

describe('findPositionals', () => {
  it('returns what is neither a flag nor its value', () => {
    const args = ['a.fbx', '--clip', 'Walk', '--force', 'b.glb', '-o', 'c.glb', '--', '--d'];
    expect(findPositionals(args, DEFS)).toEqual(['a.fbx', 'b.glb', '--d']);
  });
});

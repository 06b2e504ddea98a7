import { describe, expect, it } from 'vitest';
import { InputError, UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { failureJson, failureOf, printFailure } from '../../../src/cli/errors/failure.ts';
import { FormatError } from '../../../src/core/report/format-error.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import { OutputError } from '../../../src/files/outputs/output-error.ts';

const damaged = new FormatError('GLTF_BUFFER', 'It is\ntoo short', { pointer: '/buffers/0', offset: 12 });

describe('failureOf', () => {
  it.each([
    ['an unreadable input', new InputError('a.glb', damaged), 3, 'GLTF_BUFFER'],
    ['a format error without a file', damaged, 3, 'GLTF_BUFFER'],
    ['an option', new OptionError('targetSkeleton', 'which?'), 2, 'OPTION_INVALID'],
    ['a command line', new UsageError('what?'), 2, 'USAGE'],
    ['a missing argument', Object.assign(new Error('Missing'), { name: 'CLIError' }), 2, 'USAGE'],
    ['a file in the way', new OutputError('OVERWRITE_REFUSED', 'a.glb', 'a.glb exists'), 2, 'OVERWRITE_REFUSED'],
    ['a full disk', new OutputError('CANNOT_WRITE', 'a.glb', 'a.glb: disk full'), 4, 'CANNOT_WRITE'],
    ['a bug', new TypeError('x is not a function'), 1, 'BUG'],
    ['any thrown value', 'text', 1, 'BUG'],
  ])('maps %s to an exit code and an error code', (_, error, exit, code) => {
    expect(failureOf(error)).toMatchObject({ exit, code });
  });
});

describe('printFailure', () => {
  const print = (error: unknown): string => printFailure(failureOf(error));

  it('formats one line with code, message, file and location', () => {
    expect(print(new InputError('a.glb', damaged))).toBe(
      'error GLTF_BUFFER: It is too short (a.glb, /buffers/0, byte 12)',
    );
  });

  it('does not repeat the file', () => {
    expect(print(new OutputError('CANNOT_WRITE', 'a.glb', 'a.glb cannot be written'))).toBe(
      'error CANNOT_WRITE: a.glb cannot be written',
    );
  });

  it('names the flag of an option', () => {
    expect(print(new OptionError('targetSkeleton', 'which?'))).toBe('error OPTION_INVALID: --target-skeleton: which?');
    expect(print(new OptionError('output', 'no'))).toBe('error OPTION_INVALID: --out: no');
    expect(print(new OptionError('file', 'a.usda is USD'))).toBe('error OPTION_INVALID: a.usda is USD');
  });

  it('names a flag before the message only if it was typed', () => {
    const choice = new OptionError(
      'targetSkeleton',
      'a.glb has 2 humanoid skeletons; choose one by name or index:\n  0',
    );
    const untyped = printFailure(failureOf(choice, new Set(['-o'])));
    expect(untyped).toBe(
      'error OPTION_INVALID: a.glb has 2 humanoid skeletons; choose one by name or index with --target-skeleton:\n  0',
    );
    const typed = printFailure(failureOf(choice, new Set(['--target-skeleton'])));
    expect(typed).toMatch(/^error OPTION_INVALID: --target-skeleton: a\.glb has/);
    const mesh = new OptionError('mesh', 'a.bvh has no mesh; use the option mesh: false');
    expect(printFailure(failureOf(mesh, new Set(['-o'])))).toBe(
      'error OPTION_INVALID: a.bvh has no mesh; use --no-mesh',
    );
    expect(printFailure(failureOf(new OptionError('output', 'no'), new Set(['-o'])))).toMatch(/--out: no$/);
  });

  it('keeps the lines of lists, and strips terminal control sequences', () => {
    expect(print(new OptionError('clip', 'there are:\n  0 "a\u001b[2J"'))).toBe(
      'error OPTION_INVALID: --clip: there are:\n  0 "a [2J"',
    );
  });

  it('labels a bug as such, without a stack', () => {
    const text = print(new TypeError('x is undefined'));
    expect(text).toBe('error BUG: x is undefined. This is a bug in anyrig; please report it');
    expect(print(new RangeError('x is 7.'))).toBe('error BUG: x is 7. This is a bug in anyrig; please report it');
  });
});

it('failureJson: has code, message, location and file', () => {
  expect(failureJson(failureOf(new InputError('a.glb', damaged)))).toEqual({
    ok: false,
    error: { code: 'GLTF_BUFFER', message: 'It is\ntoo short', where: damaged.where, file: 'a.glb' },
  });
});

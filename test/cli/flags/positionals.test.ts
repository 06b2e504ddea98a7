import { expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { positionals } from '../../../src/cli/flags/positionals.ts';

it('positionals: requires exactly one argument per name', () => {
  expect(positionals(['a', 'b'], ['x', 'y'])).toEqual(['a', 'b']);
  expect(positionals([], [])).toEqual([]);
  expect(() => positionals(['a'], ['x', 'motion'])).toThrow('The argument motion is missing; see --help');
  expect(() => positionals(['a', 'b'], ['x'])).toThrow('b is one argument too many');
  expect(() => positionals(['a'], [])).toThrow(UsageError);
});

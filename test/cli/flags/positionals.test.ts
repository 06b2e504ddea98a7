import { expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';
import { requirePositionals } from '../../../src/cli/flags/positionals.ts';

it('requirePositionals: requires exactly one argument per name', () => {
  expect(requirePositionals(['a', 'b'], ['x', 'y'])).toEqual(['a', 'b']);
  expect(requirePositionals([], [])).toEqual([]);
  expect(() => requirePositionals(['a'], ['x', 'motion'])).toThrow('The argument motion is missing; see --help');
  expect(() => requirePositionals(['a', 'b'], ['x'])).toThrow('b is one argument too many');
  expect(() => requirePositionals(['a'], [])).toThrow(UsageError);
});

import { expect, it } from 'vitest';
import { positionals } from '../../../src/cli/flags/positionals.ts';
import { UsageError } from '../../../src/cli/errors/cli-errors.ts';

it('wants exactly as many arguments as there are names', () => {
  expect(positionals(['a', 'b'], ['x', 'y'])).toEqual(['a', 'b']);
  expect(positionals([], [])).toEqual([]);
  expect(() => positionals(['a'], ['x', 'motion'])).toThrow('Which motion?');
  expect(() => positionals(['a', 'b'], ['x'])).toThrow('b is one argument too many');
  expect(() => positionals(['a'], [])).toThrow(UsageError);
});

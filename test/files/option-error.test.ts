import { expect, it } from 'vitest';
import { OptionError } from '../../src/files/option-error.ts';

it('OptionError: instanceof recognizes errors of another copy of the class', () => {
  class Copy extends RangeError {
    override readonly name = 'OptionError';
  }
  expect(new Copy('no') instanceof OptionError).toBe(true);
  expect(new OptionError('output', 'no') instanceof OptionError).toBe(true);
  expect(new RangeError('no') instanceof OptionError).toBe(false);
  expect({ name: 'OptionError' } instanceof OptionError).toBe(false);
});

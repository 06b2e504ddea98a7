import { expect, it } from 'vitest';
import { didYouMean } from '../../../src/cli/errors/did-you-mean.ts';

it('didYouMean: suggests only words with a similar spelling', () => {
  expect(didYouMean('retaget', ['retarget', 'inspect'])).toBe('; did you mean retarget?');
  expect(didYouMean('xyz', ['retarget', 'inspect'])).toBe('');
});

import { expect, it } from 'vitest';
import { didYouMean } from '../../../src/cli/errors/did-you-mean.ts';

it('suggests what is spelt alike, and nothing else', () => {
  expect(didYouMean('retaget', ['retarget', 'inspect'])).toBe('; did you mean retarget?');
  expect(didYouMean('xyz', ['retarget', 'inspect'])).toBe('');
});

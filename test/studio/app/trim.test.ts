import { expect, it } from 'vitest';
import { limitTrim } from '../../../studio/src/app/trim.ts';

it('limitTrim: an interval is limited to the motion and rounded to milliseconds', () => {
  expect(limitTrim(2, 0.50049, 1.25)).toEqual([0.5, 1.25]);
  expect(limitTrim(2, -1, 1)).toEqual([0, 1]);
  expect(limitTrim(2, 1, 9)).toEqual([1, 2]);
});

it('limitTrim: all of the motion is no trim, and less than a frame is refused', () => {
  expect(limitTrim(2, 0, 2)).toBeNull();
  expect(limitTrim(2, 1, 1.01)).toBeUndefined();
  expect(limitTrim(2, 1.5, 1)).toBeUndefined();
});

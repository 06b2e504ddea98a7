import { expect, it } from 'vitest';
import { lastKeyTime } from '../../../src/core/animation/clip.ts';

it('lastKeyTime: returns the last time of all tracks, 0 without keys', () => {
  expect(lastKeyTime([])).toBe(0);
  expect(lastKeyTime([{ times: new Float32Array(0) }])).toBe(0);
  expect(lastKeyTime([{ times: Float32Array.of(0, 2) }, { times: Float64Array.of(1.5, 2.5) }])).toBe(2.5);
});

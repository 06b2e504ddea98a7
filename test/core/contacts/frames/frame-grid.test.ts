import { expect, test } from 'vitest';
import { lastKeyTime, type Track } from '../../../../src/core/animation/clip.ts';
import { frameGridOf } from '../../../../src/core/contacts/frames/frame-grid.ts';

/** Frames of a clip of `count` keys at a rate. */
function gridOf(count: number, fps: number, start = 0): ReturnType<typeof frameGridOf> {
  const track: Track = {
    target: 0,
    path: 'translation',
    interpolation: 'LINEAR',
    times: Float64Array.from({ length: count }, (_, k) => start + k / fps),
    values: Float64Array.from({ length: 3 * count }, (_, k) => k),
  };
  return frameGridOf({ name: '', duration: lastKeyTime([track]), tracks: [track] });
}

test('frameGridOf has frames at all keys, and more between keys of a low rate', () => {
  expect([24, 30, 60, 120].map((fps) => gridOf(241, fps).count)).toEqual([481, 481, 241, 241]);
  expect(gridOf(241, 30).step).toBeCloseTo(1 / 60, 12);
});

test('frameGridOf has frames at all keys of a clip that is longer than the limit of frames', () => {
  expect(gridOf(200_000, 30).count).toBe(399_999);
  expect(gridOf(300_000, 120).count).toBe(300_000);
});

test('frameGridOf has a whole number of frames per key where the rate that it wants needs too many frames', () => {
  expect(gridOf(120_000, 12).count).toBe(2 * 119_999 + 1);
});

test('frameGridOf has a single frame for a clip without motion', () => {
  expect(gridOf(1, 30)).toEqual({ start: 0, count: 1, step: 1 / 60 });
});

test('frameGridOf begins with the first key that moves something, at the rate of the keys', () => {
  const { start, count, step } = gridOf(61, 30, 1 / 24);
  expect([start, count, step].map((value) => Number(value.toFixed(9)))).toEqual([0.041666667, 121, 0.016666667]);
});

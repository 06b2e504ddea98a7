import { expect, test } from 'vitest';
import { lastKeyTime, type Track } from '../../../../src/core/animation/clip.ts';
import { frameGridOf } from '../../../../src/core/contacts/frames/frame-grid.ts';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';

/** Frames of a clip of `count` keys at a rate. */
function gridOf(count: number, fps: number, start = 0, held = 0): ReturnType<typeof frameGridOf> {
  const track: Track = {
    target: 0,
    path: 'translation',
    interpolation: 'LINEAR',
    times: Float64Array.from({ length: count }, (_, k) => start + k / fps),
    values: Float64Array.from({ length: 3 * count }, (_, k) => k),
  };
  // A bone, and a node that is none and moves all the time.
  const other: Track = {
    ...track,
    target: 1,
    times: Float64Array.of(0, start + (count - 1) / fps + held),
    values: new Float64Array(6).fill(1, 3),
  };
  const humanoid = { skeleton: { parents: Int32Array.of(-1, 0) }, map: { nodes: Int32Array.of(-1, 0) } };
  const tracks = [track, other];
  return frameGridOf({ name: '', duration: lastKeyTime(tracks), tracks }, humanoid as unknown as Humanoid);
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

test('frameGridOf has the frames between the first and the last key that moves a bone, also late on a timeline', () => {
  for (const [start, held] of [
    [1 / 24, 0],
    [0, 2],
    [1000, 0.5],
  ]) {
    const grid = gridOf(61, 24, Math.fround(start), held);
    expect([grid.start, grid.count]).toEqual([Math.fround(start), 121]);
    expect(grid.step).toBeCloseTo(1 / 48, 6);
  }
});

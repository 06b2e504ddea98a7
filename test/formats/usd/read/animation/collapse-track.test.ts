import { expect, it } from 'vitest';
import type { Track } from '../../../../../src/core/animation/clip.ts';
import {
  collapseConstantTrack,
  normalizeRotation,
} from '../../../../../src/formats/usd/read/animation/collapse-track.ts';

const rest = Float64Array.of(1, 2, 3, 0, 0, 0, 1, 1, 1 + 1e-4, 1);
const track = (path: Track['path'], ...values: number[]): Track => ({
  target: 2,
  path,
  interpolation: 'LINEAR',
  times: Float64Array.of(0, 1),
  values: Float32Array.from(values),
});

it('collapseConstantTrack: returns a track that changes', () => {
  const moving = track('translation', 1, 2, 3, 1, 2, 4);
  expect(collapseConstantTrack(moving, rest, 0)).toBe(moving);
});

it('collapseConstantTrack: keeps one key of a constant track', () => {
  const found = collapseConstantTrack(track('translation', 4, 5, 6, 4, 5, 6), rest, 0);
  expect([...(found?.times ?? [])]).toEqual([0]);
  expect([...(found?.values ?? [])]).toEqual([4, 5, 6]);
});

it('collapseConstantTrack: returns null at rest, for both quaternion signs and half-precision scales', () => {
  expect(collapseConstantTrack(track('translation', 1, 2, 3, 1, 2, 3), rest, 0)).toBeNull();
  expect(collapseConstantTrack(track('rotation', 0, 0, 0, -1, 0, 0, 0, -1), rest, 3)).toBeNull();
  expect(collapseConstantTrack(track('scale', 1, 1, 1, 1, 1, 1), rest, 7)).toBeNull();
  expect(collapseConstantTrack(track('scale', 1, 1.01, 1, 1, 1.01, 1), rest, 7)).not.toBeNull();
});

it('normalizeRotation: normalizes quaternions; zero becomes the identity', () => {
  const values = Float32Array.of(0, 3, 0, 4, 0, 0, 0, 0);
  normalizeRotation(values, 0);
  normalizeRotation(values, 4);
  expect([...values]).toEqual([0, Math.fround(0.6), 0, Math.fround(0.8), 0, 0, 0, 1]);
});

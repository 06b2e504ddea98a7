import { expect, it } from 'vitest';
import { type Clip, lastKeyTime, type Track } from '../../../src/core/animation/clip.ts';
import { holdTips, reduced, thinningOf } from '../../../src/core/animation/hold-tips.ts';
import { tipTolerance } from '../../../src/core/animation/tip-tolerance.ts';
import { bareSkeleton } from '../../make/rig-text.ts';

const SKELETON = bareSkeleton(['hips', 'arm', 'hand'], [-1, 0, 1]);
for (const node of [1, 2]) SKELETON.rest[10 * node + 1] = 1;

/** A joint that bends at one key of nine, by an angle. */
function bend(target: number, angle: number): Track {
  const values = new Float64Array(36);
  for (let key = 0; key < 9; key++) values[4 * key + 3] = 1;
  values[4 * 5] = Math.sin(angle / 2);
  values[4 * 5 + 3] = Math.cos(angle / 2);
  return {
    target,
    path: 'rotation',
    interpolation: 'LINEAR',
    times: Float32Array.from(values.subarray(0, 9).keys()),
    values,
  };
}

/** Key times that stay of tracks that had lost all between the first and the last key. */
function heldTimes(...tracks: Track[]): number[][] {
  const clip: Clip = { name: '', duration: lastKeyTime(tracks), tracks };
  const thinnings = tracks.map((track) => thinningOf(track, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 1)));
  holdTips(SKELETON, clip, thinnings, tipTolerance(SKELETON, tracks, 0.1), Float64Array.from(tracks[0].times));
  return thinnings.map((thinning) => Array.from(reduced(thinning).times));
}

it('puts back the keys where a tip is missed, and those that keep the way there straight', () => {
  expect(heldTimes(bend(1, 1))[0]).toEqual(expect.arrayContaining([0, 4, 5, 6, 8]));
});

it('leaves alone what is within the tolerance', () => {
  expect(heldTimes(bend(1, 0.05))).toEqual([[0, 8]]);
});

it('puts back the key of the joint that does the most', () => {
  const [small, large] = heldTimes(bend(0, 0.01), bend(1, 1));
  expect(small).toEqual([0, 8]);
  expect(large).toContain(5);
});

import { expect, it } from 'vitest';
import { type Clip, lastKeyTime, type Track } from '../../../src/core/animation/clip.ts';
import { jointTolerances } from '../../../src/core/animation/joint-tolerances.ts';
import { createKeyReduction, reducedTrack, restoreKeys } from '../../../src/core/animation/restore-keys.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { bareSkeleton } from '../../support/make/rig-text.ts';

const SKELETON = bareSkeleton(['hips', 'arm', 'hand'], [-1, 0, 1]);
for (const node of [1, 2]) SKELETON.rest[POSE_STRIDE * node + 1] = 1;

/** Returns a track that bends a joint by an angle at one of nine keys. */
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

/** Returns the restored key times of tracks that keep only their first and last key. */
function restoredTimes(...tracks: Track[]): number[][] {
  const clip: Clip = { name: '', duration: lastKeyTime(tracks), tracks };
  const reductions = tracks.map((track) => createKeyReduction(track, Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 1)));
  restoreKeys(SKELETON, clip, reductions, jointTolerances(SKELETON, tracks, 0.1), Float64Array.from(tracks[0].times));
  return reductions.map((reduction) => Array.from(reducedTrack(reduction).times));
}

it('restoreKeys: restores keys where a tip is off, and the keys next to them', () => {
  expect(restoredTimes(bend(1, 1))[0]).toEqual(expect.arrayContaining([0, 4, 5, 6, 8]));
});

it('restoreKeys: restores nothing within the tolerance', () => {
  expect(restoredTimes(bend(1, 0.05))).toEqual([[0, 8]]);
});

it('restoreKeys: restores the key of the joint with the largest error', () => {
  const [small, large] = restoredTimes(bend(0, 0.01), bend(1, 1));
  expect(small).toEqual([0, 8]);
  expect(large).toContain(5);
});

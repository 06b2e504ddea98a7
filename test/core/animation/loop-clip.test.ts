import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { loopClip } from '../../../src/core/animation/loop-clip.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';
import { findRootMotionNode } from '../../../src/core/humanoid/root-motion-node.ts';
import { bareSkeleton } from '../../support/make/rig-text.ts';
import { clipOf, tPoseHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis, type Quaternion } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

const HUMANOID = tPoseHumanoid();
const STILL: Quaternion = [0, 0, 0, 1];

/** Returns the last key of the looped hips, when they move from (0, 1, 0) to a point and rotate about an axis. */
function endOf(
  point: readonly number[],
  degrees = 0,
  axis: readonly number[] = [0, 1, 0],
): { at: number[]; rotation: number[] } {
  const rotation = aboutAxis(axis, (degrees * Math.PI) / 180);
  const clip = clipOf(
    track(HUMANOID, 'hips', 'translation', 'LINEAR', [0, 2], [[0, 1, 0], point]),
    track(HUMANOID, 'hips', 'rotation', 'LINEAR', [0, 2], [STILL, rotation]),
  );
  const { tracks } = loopClip(HUMANOID.skeleton, clip, findRootMotionNode(HUMANOID));
  return { at: Array.from(tracks[0].values.subarray(3)), rotation: Array.from(tracks[1].values.subarray(4)) };
}

describe('loopClip', () => {
  it('keeps the root motion of a walk, and removes height and tilt', () => {
    const { at, rotation } = endOf([0.1, 1.05, 1.4], 10, [1, 0, 0]);
    expectNear(at, [0.1, 1, 1.4], EXACT);
    expectNear(rotation, STILL, EXACT);
  });

  it('removes a drift below a quarter of the hips height', () => {
    expectNear(endOf([0.17, 1, 0.17]).at, [0, 1, 0], EXACT);
    expectNear(endOf([0.18, 1, 0.18]).at, [0.18, 1, 0.18], EXACT);
  });

  it('keeps a rotation above 15° about the vertical, and removes a smaller one', () => {
    expectNear(endOf([0, 1, 0], 14).rotation, STILL, EXACT);
    expectNear(endOf([0, 1, 0], -16).rotation, aboutAxis([0, 1, 0], (-16 * Math.PI) / 180), EXACT);
    expectNear(endOf([0, 1, 0], 180).rotation.map(Math.abs), [0, 1, 0, 0], EXACT);
  });

  it('keeps only the rotation about the vertical', () => {
    const { rotation } = endOf([0, 1, 0], 90, [0.1, 1, 0]);
    expect(rotation[0]).toBeCloseTo(0, 12);
    expect(rotation[2]).toBeCloseTo(0, 12);
    expect(2 * Math.atan2(rotation[1], rotation[3])).toBeGreaterThan(1.5);
  });

  it('removes all motion without a root motion node', () => {
    const clip = clipOf(
      track(
        HUMANOID,
        'hips',
        'translation',
        'LINEAR',
        [0, 2],
        [
          [0, 1, 0],
          [0, 1, 5],
        ],
      ),
    );
    expect(Array.from(loopClip(HUMANOID.skeleton, clip).tracks[0].values)).toEqual([0, 1, 0, 0, 1, 0]);
  });

  it.each(['LINEAR', 'CUBICSPLINE'] as const)('leaves out a jump of %s keys at the very end', (interpolation) => {
    const turned = aboutAxis([1, 0, 0], 0.7);
    const keys = [STILL, STILL, turned];
    const zero = [0, 0, 0, 0];
    const values = interpolation === 'LINEAR' ? keys : keys.flatMap((key) => [zero, key, zero]);
    const clip = clipOf(track(HUMANOID, 'spine', 'rotation', interpolation, [0, 1 - 2 ** -24, 1], values));
    const [looped] = loopClip(HUMANOID.skeleton, clip).tracks;
    for (const time of [0, 0.5, 1 - 2 ** -24, 1]) {
      const rotation = new Float64Array(4);
      sampleTrack(looped, time, rotation, 0);
      expectNear(rotation, STILL, EXACT);
    }
  });

  it('keeps a jump at the very end to the first pose', () => {
    const turned = aboutAxis([1, 0, 0], 0.7);
    const clip = clipOf(track(HUMANOID, 'spine', 'rotation', 'LINEAR', [0, 1 - 2 ** -24, 1], [STILL, turned, STILL]));
    expect(loopClip(HUMANOID.skeleton, clip).tracks[0]).toBe(clip.tracks[0]);
  });

  it('keeps root motion on its node, and closes the hips relative to it', () => {
    const skeleton = bareSkeleton(['root', 'hips'], [-1, 0]);
    const times = new Float32Array([0, 1]);
    const moved = (target: number, ...values: number[]): Track => ({
      target,
      path: 'translation',
      interpolation: 'LINEAR',
      times,
      values: Float64Array.from(values),
    });
    const clip = clipOf(moved(0, 0, 0, 0, 0, 0, 1.4), moved(1, 0, 1, 0, 0.02, 1.01, 0.03));
    const { tracks } = loopClip(skeleton, clip, { ...findRootMotionNode(HUMANOID), hips: 1 });
    expect(tracks[0]).toBe(clip.tracks[0]);
    expectNear(tracks[1].values, [0, 1, 0, 0, 1, 0], EXACT);
  });

  it('keeps looping tracks, tracks with one key and clips of duration 0', () => {
    const closed = track(HUMANOID, 'spine', 'rotation', 'LINEAR', [0, 1, 2], [STILL, [1, 0, 0, 0], STILL]);
    const single = track(HUMANOID, 'head', 'rotation', 'LINEAR', [1], [[1, 0, 0, 0]]);
    const { tracks } = loopClip(HUMANOID.skeleton, clipOf(closed, single), findRootMotionNode(HUMANOID));
    expect(tracks[0]).toBe(closed);
    expect(tracks[1]).toBe(single);
    const pose = clipOf(track(HUMANOID, 'spine', 'rotation', 'LINEAR', [0], [STILL]));
    expect(loopClip(HUMANOID.skeleton, pose)).toBe(pose);
  });

  it('closes a shorter track at the end of the clip', () => {
    const long = track(HUMANOID, 'head', 'rotation', 'LINEAR', [0, 4], [STILL, STILL]);
    const short = track(HUMANOID, 'spine', 'rotation', 'LINEAR', [1, 2], [STILL, aboutAxis([1, 0, 0], 1)]);
    const { tracks, duration } = loopClip(HUMANOID.skeleton, clipOf(long, short), findRootMotionNode(HUMANOID));
    expect(duration).toBe(4);
    expect(Array.from(tracks[1].times)).toEqual([0, 1, 2, 4]);
    expectNear(tracks[1].values.subarray(12), STILL, EXACT);
    expectNear(tracks[1].values.subarray(0, 4), STILL, EXACT);
  });
});

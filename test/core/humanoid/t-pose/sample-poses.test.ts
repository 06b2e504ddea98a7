import { describe, expect, test } from 'vitest';
import { samplePoses } from '../../../../src/core/humanoid/t-pose/sample-poses.ts';
import { clipOf, tPoseHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../support/near.ts';
import { LAW_F32 } from '../../../support/tolerances.ts';

describe('samplePoses', () => {
  /** Times of the samples of a motion with keys at `times`: the hips move by one meter per second. */
  const sampleTimes = (times: readonly number[], maxCount?: number): number[] => {
    const body = tPoseHumanoid();
    const values = times.map((time) => [time, 1, 0]);
    const clip = clipOf(track(body, 'hips', 'translation', 'LINEAR', times, values));
    return Array.from(samplePoses(body.skeleton, clip, maxCount), ({ positions }) => positions[0]);
  };

  test('yields all frames of a short motion', () => {
    expectNear(sampleTimes([0.5, 1, 1.5]), [0.5, 1, 1.5], LAW_F32);
    expect(sampleTimes([2])).toEqual([2]);
    expect(sampleTimes([])).toEqual([]);
  });

  test('yields evenly distributed poses of a long motion', () => {
    const frames = Array.from({ length: 10_000 }, (_, frame) => frame / 30);
    expect(sampleTimes(frames)).toHaveLength(48);
    expectNear(sampleTimes(frames.slice(0, 101), 5), [0, 25 / 30, 50 / 30, 75 / 30, 100 / 30], LAW_F32);
  });

  test('yields evenly distributed poses of a motion with uneven frames', () => {
    expectNear(sampleTimes([0, 0.1, 0.15, 0.2, 2]), [0, 0.5, 1, 1.5, 2], LAW_F32);
  });
});

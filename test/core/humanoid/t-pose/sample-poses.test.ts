import { describe, expect, test } from 'vitest';
import { samplePoses } from '../../../../src/core/humanoid/t-pose/sample-poses.ts';
import { clipOf, tPoseHumanoid, track } from '../../../make/tiny-humanoid.ts';

describe('samplePoses', () => {
  test('yields all frames of a short motion and evenly distributed frames of a long one', () => {
    const body = tPoseHumanoid();
    const frames = (count: number): string[] => {
      const times = Array.from({ length: count }, (_, frame) => frame / 30);
      const clip = clipOf(
        track(
          body,
          'hips',
          'translation',
          'LINEAR',
          times,
          times.map(() => [0, 1, 0]),
        ),
      );
      return Array.from(samplePoses(body.skeleton, clip), ({ from }) => from);
    };
    expect(frames(3)).toEqual(['frame:0', 'frame:1', 'frame:2']);
    expect(frames(100)).toHaveLength(34);
    expect(frames(100)[1]).toBe('frame:3');
    expect(frames(10_000).length).toBeLessThanOrEqual(48);
  });
});

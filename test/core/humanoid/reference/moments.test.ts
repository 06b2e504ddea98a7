import { describe, expect, test } from 'vitest';
import { moments } from '../../../../src/core/humanoid/reference/moments.ts';
import { clipOf, tBody, track } from '../../../make/tiny-humanoid.ts';

describe('moments', () => {
  test('are all frames of a short motion, and evenly some of a long one', () => {
    const body = tBody();
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
      return Array.from(moments(body.skeleton, clip), ({ from }) => from);
    };
    expect(frames(3)).toEqual(['frame:0', 'frame:1', 'frame:2']);
    expect(frames(100)).toHaveLength(34);
    expect(frames(100)[1]).toBe('frame:3');
    expect(frames(10_000).length).toBeLessThanOrEqual(48);
  });
});

import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { findFirstPoseOfClip } from '../../../src/core/animation/first-pose.ts';

/** A clip of one joint that rotates about x by these angles (degrees), one per frame. */
function bend(degrees: readonly number[], fps = 30): Clip {
  const times = Float64Array.from(degrees, (_, frame) => frame / fps);
  const values = Float64Array.from(
    degrees.flatMap((angle) => {
      const half = (angle * Math.PI) / 360;
      return [Math.sin(half), 0, 0, Math.cos(half)];
    }),
  );
  return {
    name: 'bend',
    duration: times[times.length - 1],
    tracks: [{ target: 0, path: 'rotation', interpolation: 'LINEAR', times, values }],
  };
}

describe('findFirstPoseOfClip', () => {
  it.each([
    ['one frame', [0, 80, 82, 84, 85, 86, 87], 1],
    ['several equal frames', [0, 0, 0, 80, 82, 84, 85, 86, 87], 3],
  ])('finds a pose of %s before a jump', (_, degrees, end) => {
    const found = findFirstPoseOfClip(bend(degrees));
    expect(found?.end).toBeCloseTo(end / 30, 9);
    expect((found?.jump ?? 0) * (180 / Math.PI)).toBeCloseTo(80, 4);
  });

  it.each([
    ['a fast motion', [0, 25, 45, 60, 70, 75, 78]],
    ['a small jump', [0, 10, 10, 10, 10, 10, 10]],
    ['a jump after other movement', [0, 5, 85, 86, 87, 88, 89]],
    ['a jump at the end', [0, 0, 0, 80]],
    ['no movement', [0, 0, 0, 0, 0, 0, 0]],
  ])('finds none in %s', (_, degrees) => {
    expect(findFirstPoseOfClip(bend(degrees))).toBeNull();
  });

  it('finds none between poses that are far apart in time, or without rotations', () => {
    expect(findFirstPoseOfClip(bend([0, 80, 82, 84, 85, 86, 87], 2))).toBeNull();
    expect(findFirstPoseOfClip({ name: '', duration: 0, tracks: [] })).toBeNull();
  });
});

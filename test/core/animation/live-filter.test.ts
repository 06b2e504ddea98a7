import { describe, expect, it } from 'vitest';
import { createLiveFilter } from '../../../src/core/animation/live-filter.ts';

const FPS = 60;

/** A pose of one node: `x` meters along +X, turned by `angle` (radians) about +Z. */
function poseAt(x: number, angle: number): Float64Array {
  return Float64Array.of(x, 0, 0, 0, 0, Math.sin(angle / 2), Math.cos(angle / 2), 1, 1, 1);
}
const angleOf = (pose: Float64Array): number => 2 * Math.atan2(pose[5], pose[6]);

describe('createLiveFilter', () => {
  it('keeps the first pose, and a pose that does not move', () => {
    const { filter } = createLiveFilter(1);
    for (let frame = 0; frame < 10; frame++) {
      const pose = poseAt(1, 0.5);
      filter(pose, 1 / FPS);
      expect(pose[0]).toBeCloseTo(1, 12);
      expect(angleOf(pose)).toBeCloseTo(0.5, 12);
    }
  });

  it('takes away three quarters of the jitter of a rest', () => {
    const { filter } = createLiveFilter(1);
    let [before, after] = [0, 0];
    for (let frame = 0; frame < 200; frame++) {
      const noise = frame % 2 === 0 ? 0.01 : -0.01;
      const pose = poseAt(noise, noise);
      filter(pose, 1 / FPS);
      if (frame < 100) continue;
      before += noise ** 2;
      after += angleOf(pose) ** 2;
    }
    expect(Math.sqrt(after / before)).toBeLessThan(0.25);
  });

  it('follows a fast movement more closely than a slow one', () => {
    const lagOf = (speed: number): number => {
      const { filter } = createLiveFilter(1);
      let lag = 0;
      for (let frame = 0; frame < 120; frame++) {
        const angle = (speed * frame) / FPS;
        const pose = poseAt(0, angle);
        filter(pose, 1 / FPS);
        lag = (angle - angleOf(pose)) / speed;
      }
      return lag;
    };
    // Seconds behind: a slow turn of 0.1 rad/s and a fast one of 1.5.
    expect(lagOf(0.1)).toBeLessThan(0.15);
    expect(lagOf(1.5)).toBeLessThan(0.7 * lagOf(0.1));
  });

  it('takes quaternions of either sign', () => {
    const { filter } = createLiveFilter(1);
    filter(poseAt(0, 0.2), 1 / FPS);
    const pose = poseAt(0, 0.2).map((value, k) => (k >= 3 && k < 7 ? -value : value));
    filter(pose, 1 / FPS);
    expect(Math.abs(pose[6])).toBeCloseTo(Math.cos(0.1), 12);
  });

  it('starts anew after a reset', () => {
    const { filter, reset } = createLiveFilter(1);
    filter(poseAt(0, 0), 1 / FPS);
    reset();
    const pose = poseAt(5, 1);
    filter(pose, 1 / FPS);
    expect(pose[0]).toBe(5);
  });

  it.each([{ cutoff: 0 }, { cutoff: Number.NaN }, { response: -1 }])('refuses %j', (options) => {
    expect(() => createLiveFilter(1, options)).toThrow(RangeError);
  });
});

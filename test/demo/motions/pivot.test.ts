import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import * as quat from '../../../src/core/math/quat.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import type { Pose } from '../../../src/demo/figure/pose.ts';
import { makePivot } from '../../../src/demo/motions/pivot.ts';
import { distance, expectPlanted, expectSound, FIGURES, flatFrames, framesOf, runs } from './motion-checks.ts';

/** Heading of a bone: degrees to the left of the front. */
function heading({ deltas }: Pose, bone: keyof typeof BONE): number {
  const front = new Float64Array(3);
  vec3.rotate(front, 0, deltas, BONE[bone] * 4, [0, 0, 1], 0);
  return (Math.atan2(front[0], front[2]) * 180) / Math.PI;
}

describe.each(FIGURES)('makePivot of %s', (_, proportions) => {
  const figure = makeFigure(proportions);
  const turn = makePivot(figure);
  const frames = framesOf(turn);

  it('keeps planted feet still', () => {
    expectPlanted(figure, frames);
  });

  it('is plausible: legs reach, knees bend backwards, toes clear the ground, bones do not jump', () => {
    expectSound(turn, frames);
  });

  it('takes three steps per foot and never lifts both', () => {
    const flat = { left: flatFrames(figure, frames, 'left'), right: flatFrames(figure, frames, 'right') };
    expect(runs(flat.left).length).toBe(4);
    expect(runs(flat.right).length).toBe(4);
    for (const frame of frames.times.keys()) expect(flat.left.includes(frame) || flat.right.includes(frame)).toBe(true);
  });

  it('rotates by 180° to the left in place, head before chest before hips', () => {
    const [first] = frames.poses;
    const last = frames.poses.at(-1)!;
    for (const bone of ['hips', 'upperChest', 'head'] as const) {
      expect(Math.abs(heading(first, bone))).toBeLessThan(2);
      expect(Math.abs(Math.abs(heading(last, bone)) - 180)).toBeLessThan(2);
    }
    expect(quat.angleBetween(first.deltas, 0, last.deltas, 0)).toBeCloseTo(Math.PI, 2);
    const middle = frames.poses[Math.round(frames.poses.length * 0.4)];
    expect(heading(middle, 'hips')).toBeGreaterThan(30);
    expect(heading(middle, 'upperChest')).toBeGreaterThan(heading(middle, 'hips') + 3);
    expect(heading(middle, 'head')).toBeGreaterThan(heading(middle, 'upperChest') + 3);
    for (const { hips } of frames.poses) {
      expect(distance([hips[0], hips[2]], [0, 0])).toBeLessThan(0.4 * proportions.hipWidth);
    }
  });

  it('keeps the ankles apart', () => {
    for (const frame of frames.times.keys()) {
      const apart = distance(frames.position(frame, 'leftFoot'), frames.position(frame, 'rightFoot'));
      expect(apart).toBeGreaterThan(0.3 * proportions.foot);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findArmCuts } from '../../../../src/core/contacts/self-collision/arm-cuts.ts';
import { BONE_STRIDE, FRAME_STRIDE } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';

/** Frames in which the left upper arm and the trunk are rotated about Z by angles, radians; there is no right arm. */
function frames(arm: readonly number[], trunk: readonly number[] = arm.map(() => 0)): Float64Array {
  const out = new Float64Array(FRAME_STRIDE * arm.length);
  for (const [frame, angle] of arm.entries()) {
    for (const [bone, about] of [
      [BONE.leftUpperArm, angle],
      [BONE.chest, trunk[frame]],
    ]) {
      out.set([0, 0, Math.sin(about / 2), Math.cos(about / 2)], FRAME_STRIDE * frame + BONE_STRIDE * bone);
    }
  }
  return out;
}

describe('findArmCuts', () => {
  test('finds the frame after a T-pose', () => {
    expect([...findArmCuts(BONE.chest, frames([0, -1.3, -1.31, -1.32]), 1 / 120)]).toEqual([0, 1, 0, 0]);
  });

  test('finds no jump in movements: relative to the trunk, slower than 60 radians a second, or by less than 0.5', () => {
    const angles = fc.array(fc.double({ min: -0.49, max: 0.49, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(angles, fc.double({ min: -3, max: 3, noNaN: true }), (changes, turn) => {
        const arm = changes.map((_, k) => changes.slice(0, k + 1).reduce((a, b) => a + b, 0));
        const trunk = arm.map((_, k) => k * turn);
        const both = arm.map((angle, k) => angle + trunk[k]);
        expect(findArmCuts(BONE.chest, frames(both, trunk), 1 / 120)).not.toContain(1);
      }),
    );
    expect([...findArmCuts(BONE.chest, frames([0, -1.3]), 1 / 30)]).toEqual([0, 0]);
    expect([...findArmCuts(BONE.chest, frames([0, 0.6]), 1 / 100)]).toEqual([0, 0]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CutTiming } from '../../../../src/core/contacts/paths/timing.ts';
import {
  BONE_STRIDE,
  FRAME_STRIDE,
  POSITION_OFFSET,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { easeShoulder, rotateShoulder } from '../../../../src/core/contacts/self-collision/move-shoulder.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import * as vec3 from '../../../../src/core/math/vec3.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

const { humanoid, surface } = await demoBody();
const [arm] = findArms(humanoid, surface);
const TRUNK = BONE.upperChest;
const SPUN = new Float64Array(4);
const STILL = Float64Array.of(0, 0, 0, 1);

const timing = (count: number, cut = -1): CutTiming => ({
  step: 1 / 30,
  loops: false,
  cuts: Uint8Array.from({ length: count }, (_, frame) => (frame === cut ? 1 : 0)),
});

/** Frames with the shoulder bone and the upper arm where they are in the reference pose. */
function stillFrames(count: number): Float64Array {
  const bones = new Float64Array(FRAME_STRIDE * count);
  for (let frame = 0; frame < count; frame++) {
    for (const bone of [arm.shoulder!, arm.bones[0]]) {
      const at = FRAME_STRIDE * frame + BONE_STRIDE * bone + POSITION_OFFSET;
      bones.set(humanoid.reference.positions.subarray(3 * bone, 3 * bone + 3), at);
    }
    quat.identity(bones, FRAME_STRIDE * frame + BONE_STRIDE * TRUNK);
  }
  return bones;
}

/** Angles by which a shoulder turns for some offsets, degrees. */
function anglesOf(bones: Float64Array, offsets: Float64Array): number[] {
  const rotation = new Float64Array(4);
  return Array.from({ length: offsets.length / 3 }, (_, frame) => {
    rotateShoulder(rotation, arm, arm.shoulder!, bones, frame, offsets, 3 * frame);
    return (quat.angleBetween(rotation, 0, STILL, 0) * 180) / Math.PI;
  });
}

describe('easeShoulder', () => {
  test('a shoulder turns by at most 10°, and by what a small offset takes', () => {
    expect(arm.shoulder).toBe(BONE.leftShoulder);
    const meters = fc.double({ min: -0.5, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(meters, meters, meters), { minLength: 1, maxLength: 20 }), (wanted) => {
        const bones = stillFrames(wanted.length);
        const offsets = Float64Array.from(wanted.flat());
        easeShoulder(arm, arm.shoulder!, TRUNK, bones, offsets, timing(wanted.length));
        for (const angle of anglesOf(bones, offsets)) expect(angle).toBeLessThan(10.001);
      }),
    );
    const bones = stillFrames(9);
    const offsets = new Float64Array(27).map((_, k) => (k % 3 === 1 ? 0.01 : 0));
    easeShoulder(arm, arm.shoulder!, TRUNK, bones, offsets, timing(9));
    for (const angle of anglesOf(bones, offsets))
      expect(angle).toBeCloseTo(anglesOf(bones, Float64Array.of(0, 0.01, 0))[0], 0);
  });

  test('an offset of one frame moves the shoulder smoothly before and after it', () => {
    const bones = stillFrames(31);
    const offsets = new Float64Array(93);
    offsets[3 * 15 + 1] = 0.5;
    easeShoulder(arm, arm.shoulder!, TRUNK, bones, offsets, timing(31));
    const angles = anglesOf(bones, offsets);
    const steps = angles.slice(1).map((angle, k) => Math.abs(angle - angles[k]));
    expect(angles[15]).toBeGreaterThan(1);
    expect(Math.max(...steps)).toBeLessThan(1);
    expect(angles[0]).toBe(0);
  });

  test('an offset after a jump of the pose leaves the shoulder alone before it', () => {
    const bones = stillFrames(9);
    const offsets = new Float64Array(27).map((_, k) => (k % 3 === 1 && k >= 3 ? 0.02 : 0));
    easeShoulder(arm, arm.shoulder!, TRUNK, bones, offsets, timing(9, 1));
    const angles = anglesOf(bones, offsets);
    expect(angles[0]).toBe(0);
    expect(angles[1]).toBeCloseTo(angles[8], 9);
    expect(angles[1]).toBeGreaterThan(2);
  });

  test('a shoulder turns as much where the character spins as where it stands', () => {
    const angles = [0, 18].map((speed) => {
      const bones = stillFrames(31);
      const offsets = new Float64Array(93);
      for (let frame = 0; frame < 31; frame++) {
        // Radians per second, about the vertical.
        quat.fromAxisAngle(SPUN, 0, Float64Array.of(0, 1, 0), 0, (speed * frame) / 30);
        const b = FRAME_STRIDE * frame;
        quat.copy(bones, b + BONE_STRIDE * TRUNK, SPUN, 0);
        for (const bone of [arm.shoulder!, arm.bones[0]]) {
          const at = b + BONE_STRIDE * bone + POSITION_OFFSET;
          vec3.rotate(bones, at, SPUN, 0, bones, at);
        }
        vec3.rotate(offsets, 3 * frame, SPUN, 0, Float64Array.of(0, 0.005, frame > 9 && frame < 20 ? 0.02 : 0), 0);
      }
      easeShoulder(arm, arm.shoulder!, TRUNK, bones, offsets, timing(31));
      return anglesOf(bones, offsets);
    });
    expect(Math.max(...angles[0])).toBeGreaterThan(3);
    for (const [frame, angle] of angles[0].entries()) expect(angles[1][frame]).toBeCloseTo(angle, 9);
  });
});

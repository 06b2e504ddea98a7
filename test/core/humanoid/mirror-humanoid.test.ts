import { describe, expect, it } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { mirrorHumanoid } from '../../../src/core/humanoid/mirror-humanoid.ts';
import { tPoseHumanoid } from '../../make/tiny-humanoid.ts';

describe('mirrorHumanoid', () => {
  const body = { ...tPoseHumanoid({ leftHand: { at: [0.5, 0, 0] } }), frame: new Float64Array([0.5, 0.5, 0.5, 0.5]) };
  const image = mirrorHumanoid({
    ...body,
    reference: { ...body.reference, deviationDegrees: { leftArm: 3, rightHand: 4 }, startDeviationDegrees: {} },
  });

  it('swaps left and right bones and mirrors their positions', () => {
    expect(image.map.nodes[BONE.rightHand]).toBe(body.map.nodes[BONE.leftHand]);
    expect(image.map.nodes[BONE.head]).toBe(body.map.nodes[BONE.head]);
    const [x, y, z] = body.reference.positions.subarray(3 * BONE.leftHand);
    expect(Array.from(image.reference.positions.subarray(3 * BONE.rightHand, 3 * BONE.rightHand + 3))).toEqual([
      -x,
      y,
      z,
    ]);
  });

  it('reflects the frame and swaps the deviations of left and right limbs', () => {
    expect(Array.from(image.frame)).toEqual([0.5, -0.5, -0.5, 0.5]);
    expect(image.reference.deviationDegrees).toEqual({ rightArm: 3, leftHand: 4 });
  });

  it('mirrors a declared pose like the reference pose', () => {
    const { reference } = body;
    const declaredPose = { format: 'vrm1' as const, reference, ground: 0.1, hipsHeight: 1, height: 2 };
    const mirrored = mirrorHumanoid({ ...body, declaredPose }).declaredPose!;
    expect(mirrored.reference.positions).toEqual(image.reference.positions);
    expect(mirrored.reference.rotations).toEqual(image.reference.rotations);
    expect([mirrored.format, mirrored.ground, mirrored.hipsHeight, mirrored.height]).toEqual(['vrm1', 0.1, 1, 2]);
    expect(image.declaredPose).toBeUndefined();
  });

  it('keeps heights, unit, names and issues', () => {
    const { hipsHeight, height, ground, metersPerUnit, issues, skeleton } = image;
    expect({ hipsHeight, height, ground, metersPerUnit, issues }).toEqual({
      hipsHeight: body.hipsHeight,
      height: body.height,
      ground: body.ground,
      metersPerUnit: body.metersPerUnit,
      issues: body.issues,
    });
    expect(skeleton.names).toBe(body.skeleton.names);
  });
});

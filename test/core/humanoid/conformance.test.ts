import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, type BoneName } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import { measureConformance } from '../../../src/core/humanoid/conformance.ts';
import * as quat from '../../../src/core/math/quat.ts';

const DEGREE = Math.PI / 180;

/** A pose from bone positions, with canonical axes. */
function body(places: Partial<Record<BoneName, readonly [number, number, number]>>) {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const positions = new Float64Array(3 * BONE_COUNT);
  const rotations = CANONICAL_FRAMES.slice();
  for (const [bone, place] of Object.entries(places)) {
    nodes[BONE[bone as BoneName]] = 0;
    positions.set(place, 3 * BONE[bone as BoneName]);
  }
  return { nodes, positions, rotations, measure: () => measureConformance(nodes, positions, rotations) };
}

describe('measureConformance', () => {
  it('measures the direction of a lowered arm and leaves out absent bones', () => {
    const lowered = body({ leftUpperArm: [0.2, 1.4, 0], leftLowerArm: [0.2 + Math.cos(0.5), 1.4 - Math.sin(0.5), 0] });
    const { bones, facing, up, leftPalm } = lowered.measure();
    expect(bones.leftUpperArm?.pose).toBeCloseTo(0.5 / DEGREE, 6);
    expect(bones.leftUpperArm?.child).toBeCloseTo(0.5 / DEGREE, 6);
    expect(bones.leftUpperArm?.axes).toBeCloseTo(0, 6);
    expect(bones.leftLowerArm).toEqual({ axes: expect.closeTo(0, 6), child: null, pose: null });
    expect([facing, up, leftPalm, bones.hips]).toEqual([null, null, null, undefined]);
  });

  it('separates rotated axes from a rotated limb', () => {
    const turned = body({ rightUpperLeg: [-0.1, 1, 0], rightLowerLeg: [-0.1, 0.5, 0] });
    const turn = new Float64Array(4);
    quat.fromAxisAngle(turn, 0, [0, 1, 0], 0, 20 * DEGREE);
    quat.multiply(turned.rotations, 4 * BONE.rightUpperLeg, turn, 0, turned.rotations, 4 * BONE.rightUpperLeg);
    const { bones } = turned.measure();
    expect(bones.rightUpperLeg).toEqual({
      axes: expect.closeTo(20, 6),
      child: expect.closeTo(0, 6),
      pose: expect.closeTo(0, 6),
    });
  });

  it('measures a foot by its heading only', () => {
    const place = [0.1 + 0.1 * Math.sin(0.2), 0, 0.1 * Math.cos(0.2)] as const;
    const { bones } = body({ leftFoot: [0.1, 0.1, 0], leftToes: place }).measure();
    expect(bones.leftFoot?.pose).toBeCloseTo(0.2 / DEGREE, 6);
    expect(bones.leftFoot?.child).toBeGreaterThan(30);
  });

  it('measures facing, up axis and palms', () => {
    const angle = 30 * DEGREE;
    const { facing, up, rightPalm } = body({
      hips: [0, 1, 0],
      head: [0, 1, 0.6],
      leftUpperLeg: [0.1 * Math.cos(angle), 0.9, -0.1 * Math.sin(angle)],
      rightUpperLeg: [-0.1 * Math.cos(angle), 0.9, 0.1 * Math.sin(angle)],
      rightIndexProximal: [-0.9, 1.44, 0],
      rightLittleProximal: [-0.9, 1.36, 0],
    }).measure();
    expect(facing).toBeCloseTo(30, 6);
    expect(up).toBeCloseTo(90, 6);
    expect(rightPalm).toBeCloseTo(90, 6);
  });
});

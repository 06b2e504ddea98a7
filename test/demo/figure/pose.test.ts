import { describe, expect, it } from 'vitest';
import { BONE, BONE_MIRRORS, BONE_PARENTS, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import {
  bendElbow,
  composeRotations,
  curlFingers,
  type LocalRotations,
  makeLocalRotations,
  makePose,
  rotateArm,
  rotateBone,
} from '../../../src/demo/figure/pose.ts';
import { ADULT } from '../../../src/demo/figure/proportions.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { EXACT } from '../../support/tolerances.ts';

const figure = makeFigure(ADULT);

/** Applies local rotations to a direction of the T-pose. */
function rotated(rotations: LocalRotations, bone: BoneName, direction: readonly number[]): Float64Array {
  const pose = makePose(figure);
  composeRotations(pose, rotations);
  const out = new Float64Array(3);
  vec3.rotate(out, 0, pose.deltas, BONE[bone] * 4, direction, 0);
  return out;
}

describe('pose builders', () => {
  it('identity rotations give the T-pose', () => {
    const pose = makePose(figure);
    composeRotations(pose, makeLocalRotations());
    expect(pose.deltas).toEqual(makeLocalRotations());
    expectNear(pose.hips, [0, figure.hipsHeight, 0], 0);
  });

  it('rotateBone: moves all descendants', () => {
    const rotations = makeLocalRotations();
    rotateBone(rotations, 'chest', 0, 90);
    for (const bone of ['chest', 'head', 'leftLittleDistal', 'rightHand'] as const) {
      expectNear(rotated(rotations, bone, [0, 0, 1]), [1, 0, 0], EXACT);
    }
    expectNear(rotated(rotations, 'spine', [0, 0, 1]), [0, 0, 1], EXACT);
  });

  it('rotateBone: mirrors angles of right-side bones', () => {
    const rotations = makeLocalRotations();
    for (const side of ['left', 'right'] as const) {
      rotateArm(rotations, side, { down: 50, forward: 20, swing: 10, roll: 30 });
      bendElbow(rotations, side, 40, 25);
      rotateBone(rotations, `${side}Hand`, 5, 6, 7);
      curlFingers(rotations, side, 20);
    }
    const pose = makePose(figure);
    composeRotations(pose, rotations);
    BONES.forEach((_, bone) => {
      const o = BONE_MIRRORS[bone] * 4;
      const [x, y, z, w] = pose.deltas.subarray(o, o + 4);
      expectSameRotation(pose.deltas.subarray(bone * 4, bone * 4 + 4), [x, -y, -z, w], EXACT);
    });
    expect(BONE_PARENTS.length).toBe(55);
  });

  it('rotateArm: down lowers, forward reaches to the front, swing moves the lowered hand forward, roll shows the palm', () => {
    const rotations = makeLocalRotations();
    rotateArm(rotations, 'left', { down: 90 });
    expectNear(rotated(rotations, 'leftUpperArm', [1, 0, 0]), [0, -1, 0], EXACT);
    rotateArm(rotations, 'left', { down: 0, forward: 90 });
    expectNear(rotated(rotations, 'leftUpperArm', [1, 0, 0]), [0, 0, 1], EXACT);
    rotateArm(rotations, 'left', { down: 90, swing: 90 });
    expectNear(rotated(rotations, 'leftUpperArm', [1, 0, 0]), [0, 0, 1], EXACT);
    rotateArm(rotations, 'left', { down: 0, roll: 90 });
    expectNear(rotated(rotations, 'leftHand', [0, -1, 0]), [0, 0, 1], EXACT);
  });

  it('bendElbow: bends to the front; curlFingers: curls to the palm', () => {
    const rotations = makeLocalRotations();
    bendElbow(rotations, 'right', 90);
    expectNear(rotated(rotations, 'rightHand', [-1, 0, 0]), [0, 0, 1], EXACT);
    const curled = makeLocalRotations();
    curlFingers(curled, 'right', 30);
    expectNear(rotated(curled, 'rightMiddleDistal', [-1, 0, 0]), [0, -1, 0], EXACT);
    const [, y, z] = rotated(curled, 'rightThumbDistal', [-Math.SQRT1_2, 0, Math.SQRT1_2]);
    expect(y).toBeLessThan(-0.2);
    expect(z).toBeGreaterThan(0.3);
  });
});

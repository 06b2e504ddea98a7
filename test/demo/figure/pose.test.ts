import { describe, expect, it } from 'vitest';
import { BONE, BONE_MIRRORS, BONE_PARENTS, BONES, type BoneName } from '../../../src/core/humanoid/bones.ts';
import * as vec3 from '../../../src/core/math/vec3.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import {
  composeRotations,
  curlFingers,
  makePose,
  makeLocalRotations,
  type LocalRotations,
  rotateArm,
  rotateBone,
  bendElbow,
} from '../../../src/demo/figure/pose.ts';
import { ADULT } from '../../../src/demo/figure/proportions.ts';
import { expectNear, expectSameRotation } from '../../near.ts';
import { EXACT } from '../../tolerances.ts';

const figure = makeFigure(ADULT);

/** Where a direction of the T-pose points once the turns are done. */
function turned(turns: LocalRotations, bone: BoneName, direction: readonly number[]): Float64Array {
  const pose = makePose(figure);
  composeRotations(pose, turns);
  const out = new Float64Array(3);
  vec3.rotate(out, 0, pose.deltas, BONE[bone] * 4, direction, 0);
  return out;
}

describe('turning', () => {
  it('nothing leaves the T-pose', () => {
    const pose = makePose(figure);
    composeRotations(pose, makeLocalRotations());
    expect(pose.deltas).toEqual(makeLocalRotations());
    expectNear(pose.hips, [0, figure.hipsHeight, 0], 0);
  });

  it('a bone takes along everything below it', () => {
    const turns = makeLocalRotations();
    rotateBone(turns, 'chest', 0, 90);
    for (const bone of ['chest', 'head', 'leftLittleDistal', 'rightHand'] as const) {
      expectNear(turned(turns, bone, [0, 0, 1]), [1, 0, 0], EXACT);
    }
    expectNear(turned(turns, 'spine', [0, 0, 1]), [0, 0, 1], EXACT);
  });

  it('the same angles turn both sides as in a mirror', () => {
    const turns = makeLocalRotations();
    for (const side of ['left', 'right'] as const) {
      rotateArm(turns, side, { down: 50, forward: 20, swing: 10, roll: 30 });
      bendElbow(turns, side, 40, 25);
      rotateBone(turns, `${side}Hand`, 5, 6, 7);
      curlFingers(turns, side, 20);
    }
    const pose = makePose(figure);
    composeRotations(pose, turns);
    BONES.forEach((_, bone) => {
      const o = BONE_MIRRORS[bone] * 4;
      const [x, y, z, w] = pose.deltas.subarray(o, o + 4);
      expectSameRotation(pose.deltas.subarray(bone * 4, bone * 4 + 4), [x, -y, -z, w], EXACT);
    });
    expect(BONE_PARENTS.length).toBe(55);
  });

  it('arms: down hangs, forward reaches to the front, swing moves the hanging hand forward, roll shows the palm', () => {
    const turns = makeLocalRotations();
    rotateArm(turns, 'left', { down: 90 });
    expectNear(turned(turns, 'leftUpperArm', [1, 0, 0]), [0, -1, 0], EXACT);
    rotateArm(turns, 'left', { down: 0, forward: 90 });
    expectNear(turned(turns, 'leftUpperArm', [1, 0, 0]), [0, 0, 1], EXACT);
    rotateArm(turns, 'left', { down: 90, swing: 90 });
    expectNear(turned(turns, 'leftUpperArm', [1, 0, 0]), [0, 0, 1], EXACT);
    rotateArm(turns, 'left', { down: 0, roll: 90 });
    expectNear(turned(turns, 'leftHand', [0, -1, 0]), [0, 0, 1], EXACT);
  });

  it('elbows bend to the front, fingers to the palm', () => {
    const turns = makeLocalRotations();
    bendElbow(turns, 'right', 90);
    expectNear(turned(turns, 'rightHand', [-1, 0, 0]), [0, 0, 1], EXACT);
    const curled = makeLocalRotations();
    curlFingers(curled, 'right', 30);
    expectNear(turned(curled, 'rightMiddleDistal', [-1, 0, 0]), [0, -1, 0], EXACT);
    const [, y, z] = turned(curled, 'rightThumbDistal', [-Math.SQRT1_2, 0, Math.SQRT1_2]);
    expect(y).toBeLessThan(-0.2);
    expect(z).toBeGreaterThan(0.3);
  });
});

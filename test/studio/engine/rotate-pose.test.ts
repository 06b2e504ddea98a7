import { BONE } from 'anyrig';
import { expect, it } from 'vitest';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { rotatePose } from '../../../studio/src/engine/rotate-pose.ts';
import { openDemo } from '../../support/make/demo-files.ts';

const humanoid = chooseHumanoid(await openDemo('mixamo.glb'), 'only', {}).found?.humanoid;
if (humanoid === undefined) throw new Error('The demo has a humanoid');
const rotationOf = ({ reference }: typeof humanoid, bone: keyof typeof BONE): number[] => [
  ...reference.rotations.subarray(4 * BONE[bone], 4 * BONE[bone] + 4),
];
const cosines = (a: readonly number[], b: readonly number[]): number =>
  Math.abs(a.reduce((sum, x, k) => sum + x * b[k], 0));

it('rotatePose: rotates the bone and all below it by the angle, and nothing else', () => {
  const turned = rotatePose(humanoid, { bone: 'leftLowerArm', axis: 'z', degrees: 40 });
  for (const bone of ['leftLowerArm', 'leftHand', 'leftIndexDistal'] as const) {
    expect(cosines(rotationOf(turned, bone), rotationOf(humanoid, bone))).toBeCloseTo(
      Math.cos((20 * Math.PI) / 180),
      10,
    );
  }
  for (const bone of ['hips', 'leftUpperArm', 'rightHand'] as const) {
    expect(rotationOf(turned, bone)).toEqual(rotationOf(humanoid, bone));
  }
});

it('rotatePose: a rotation and its opposite leave the pose as it was', () => {
  const turned = rotatePose(humanoid, { bone: 'hips', axis: 'x', degrees: 25 });
  const back = rotatePose(turned, { bone: 'hips', axis: 'x', degrees: -25 });
  back.reference.rotations.forEach((value, k) => {
    expect(value).toBeCloseTo(humanoid.reference.rotations[k], 12);
  });
});

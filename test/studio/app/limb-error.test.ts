import { BONES } from 'anyrig';
import { expect, it } from 'vitest';
import { ERROR_LIMBS, limbError } from '../../../studio/src/app/limb-error.ts';

const CHARTS = {
  poseError: Float32Array.of(9, 9),
  boneErrors: {
    leftUpperArm: Float32Array.of(1, 5),
    leftHand: Float32Array.of(3, 2),
    rightHand: Float32Array.of(9, 9),
    leftIndexDistal: Float32Array.of(7, 8),
  },
};

it('limbError: the largest error of the bones of a limb', () => {
  expect([...limbError(CHARTS, 'leftArm')]).toEqual([3, 5]);
  expect([...limbError(CHARTS, 'fingers')]).toEqual([7, 8]);
  expect([...limbError(CHARTS, 'trunk')]).toEqual([0, 0]);
  expect(limbError(CHARTS, 'all')).toBe(CHARTS.poseError);
});

it('limbError: every bone but the eyes is part of one limb', () => {
  const one = Float32Array.of(1);
  for (const bone of BONES) {
    const charts = { poseError: one, boneErrors: { [bone]: one } };
    const limbs = ERROR_LIMBS.filter((limb) => limb !== 'all' && limbError(charts, limb)[0] > 0);
    expect([bone, limbs.length]).toEqual([bone, bone.endsWith('Eye') ? 0 : 1]);
  }
});

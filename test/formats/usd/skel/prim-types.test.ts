import { expect, it } from 'vitest';
import { isImageable, isPointBased, isSkinnable } from '../../../../src/formats/usd/skel/prim-types.ts';

it.each([
  ['Mesh', true, true, true],
  ['Sphere', true, true, false],
  ['BasisCurves', true, true, true],
  ['Xform', true, false, false],
  ['Camera', true, false, false],
  ['Skeleton', true, false, false],
  ['SkelRoot', true, false, false],
  ['SkelAnimation', false, false, false],
  ['BlendShape', false, false, false],
  ['Material', false, false, false],
  ['', false, false, false],
])('%j: is imageable %j, skinnable %j, point based %j', (typeName, imageable, skinnable, points) => {
  expect([isImageable(typeName), isSkinnable(typeName), isPointBased(typeName)]).toEqual([
    imageable,
    skinnable,
    points,
  ]);
});

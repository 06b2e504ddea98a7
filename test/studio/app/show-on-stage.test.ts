import { expect, it } from 'vitest';
import { jointColors, withoutPrefix } from '../../../studio/src/app/show-on-stage.ts';
import type { Charts } from '../../../studio/src/engine/protocol.ts';

const JOINTS = [
  { node: 0, parent: -1, name: 'root', bone: null },
  { node: 1, parent: 0, name: 'arm', bone: 'leftUpperArm' },
] as const;
const CHARTS: Charts = {
  rate: 30,
  footHeight: { source: new Float32Array(2), target: new Float32Array(2) },
  slide: { source: new Float32Array(2), target: new Float32Array(2) },
  poseError: Float32Array.from([0, 90]),
  boneErrors: { leftUpperArm: Float32Array.from([0, 90]) },
};

it('jointColors: joints without a bone are gray, bones without doubt are green', () => {
  const [rootRed, rootGreen, , armRed, armGreen] = jointColors(JOINTS, 'confidence', null, null, 0);
  expect(Math.abs(rootRed - rootGreen)).toBeLessThan(0.1);
  expect(armGreen).toBeGreaterThan(2 * armRed);
});

it('jointColors: a bone with a large error at this time is red', () => {
  const before = jointColors(JOINTS, 'error', null, CHARTS, 0);
  const after = jointColors(JOINTS, 'error', null, CHARTS, 1 / 30);
  expect(before[4]).toBeGreaterThan(before[3]);
  expect(after[3]).toBeGreaterThan(2 * after[4]);
});

it('withoutPrefix: names lose a long beginning that all of them share', () => {
  expect(withoutPrefix(['mixamorig:Hips', 'mixamorig:Spine'])).toEqual(['Hips', 'Spine']);
  expect(withoutPrefix(['J_1', 'J_2'])).toEqual(['J_1', 'J_2']);
  expect(withoutPrefix(['root'])).toEqual(['root']);
});

import { expect, test } from 'vitest';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { legLength } from '../../../src/core/retarget/hips-scale.ts';
import { tPoseHumanoid } from '../../make/tiny-humanoid.ts';

test('the length of a leg is that of thigh and shin in the reference pose', () => {
  const humanoid = tPoseHumanoid();
  const { positions } = humanoid.reference;
  const at = (bone: number): Float64Array => Float64Array.from(positions.slice(3 * bone, 3 * bone + 3));
  const apart = (a: Float64Array, b: Float64Array): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const [hip, knee, ankle] = [at(BONE.leftUpperLeg), at(BONE.leftLowerLeg), at(BONE.leftFoot)];
  expect(legLength(humanoid, 'left')).toBeCloseTo(apart(hip, knee) + apart(knee, ankle), 12);
});

test('a leg without a foot has no length', () => {
  const humanoid = tPoseHumanoid();
  const nodes = Int32Array.from(humanoid.map.nodes);
  nodes[BONE.leftFoot] = -1;
  expect(legLength({ ...humanoid, map: { ...humanoid.map, nodes } }, 'left')).toBeNull();
});

import { expect, it } from 'vitest';
import { findRootMotionNode } from '../../../src/core/humanoid/root-motion-node.ts';
import { tPoseHumanoid } from '../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../support/near.ts';
import { aboutAxis } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

it('findRootMotionNode: returns up axis and hips height in axes and unit of the file', () => {
  // A file with Z up, in centimeters.
  const body = {
    ...tPoseHumanoid(),
    frame: Float64Array.from(aboutAxis([1, 0, 0], -Math.PI / 2)),
    metersPerUnit: 0.01,
  };
  const { hips, up, hipsHeight } = findRootMotionNode(body);
  expect(hips).toBe(body.map.nodes[0]);
  expectNear(up, [0, 0, 1], EXACT);
  expect(hipsHeight).toBeCloseTo(100, 10);
});

it('findRootMotionNode: returns half the height for hips on the ground', () => {
  const body = tPoseHumanoid();
  expect(findRootMotionNode({ ...body, hipsHeight: 0 }).hipsHeight).toBeCloseTo(body.height / 2, 12);
});

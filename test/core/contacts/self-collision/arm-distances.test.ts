import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import {
  createArmPose,
  movePoint,
  rotateArm,
  trunkBoneOf,
  UNKNOWNS,
} from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import { sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import {
  createArmDistances,
  longestTravel,
  measureLevers,
} from '../../../../src/core/contacts/self-collision/solve-arm.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

describe('longestTravel', () => {
  test('is at least the distance that any rotation moves a point by', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { count: 1, step: 0.1 });
    const trunk = trunkBoneOf(humanoid.map.nodes);
    const pose = createArmPose();
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    for (const arm of findArms(humanoid, surface)) {
      const distances = createArmDistances(arm, 1, 1);
      for (const [k, point] of arm.points.entries()) {
        if (point === null) continue;
        rotateArm(pose, arm, trunk, bones, 0, new Float64Array(UNKNOWNS), 0);
        movePoint(pose, point, bones, 0);
        measureLevers(distances, k, pose, point);
        const before = pose.point.slice();
        fc.assert(
          fc.property(fc.tuple(angle, angle, angle, angle), (angles) => {
            const unknowns = Float64Array.from(angles);
            rotateArm(pose, arm, trunk, bones, 0, unknowns, 0);
            movePoint(pose, point, bones, 0);
            const moved = Math.hypot(...before.map((value, c) => pose.point[c] - value));
            expect(moved).toBeLessThanOrEqual(longestTravel(distances, k, unknowns, 0) + 1e-12);
          }),
        );
      }
    }
  });
});

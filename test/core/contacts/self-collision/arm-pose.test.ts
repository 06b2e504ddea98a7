import { describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import {
  createArmPose,
  movePoint,
  pointGradient,
  rotateArm,
  trunkBoneOf,
  UNKNOWNS,
} from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import { sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

describe('pointGradient', () => {
  test.each([
    ['unrotated', [0, 0, 0, 0]],
    ['rotated far', [0.7, -1.1, 0.4, 0.3]],
  ])('equals the change of the position of a point, at elbow and fingers: an arm that is %s', async (_, start) => {
    const { humanoid, surface, walk } = await demoBody();
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { start: 0, count: 2, step: 0.3 });
    const trunk = trunkBoneOf(humanoid.map.nodes);
    const [b, pose, gradient] = [bones.length / 2, createArmPose(), new Float64Array(UNKNOWNS)];
    const direction = Float64Array.of(0.6, 0, -0.8);
    for (const arm of findArms(humanoid, surface)) {
      const points = arm.points.filter((point) => point !== null);
      expect(points.length).toBeGreaterThan(6);
      for (const point of points) {
        const along = (unknowns: readonly number[]): number => {
          rotateArm(pose, arm, trunk, bones, b, Float64Array.from(unknowns), 0);
          movePoint(pose, point, bones, b);
          return pose.point.reduce((sum, value, c) => sum + value * direction[c], 0);
        };
        along(start);
        pointGradient(gradient, pose, point, direction);
        const step = 1e-5;
        for (let c = 0; c < UNKNOWNS; c++) {
          const [up, down] = [step, -step].map((size) => along(start.map((value, k) => value + (k === c ? size : 0))));
          expect(gradient[c]).toBeCloseTo((up - down) / (2 * step), 7);
        }
      }
    }
  });

  test('a positive angle bends the elbow', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { start: 0, count: 1, step: 0.1 });
    const trunk = trunkBoneOf(humanoid.map.nodes);
    for (const arm of findArms(humanoid, surface)) {
      const [hand] = arm.points.slice(4).filter((point) => point !== null);
      const reach = [0, 0.4].map((angle) => {
        const pose = createArmPose();
        rotateArm(pose, arm, trunk, bones, 0, Float64Array.of(0, 0, 0, angle), 0);
        movePoint(pose, hand, bones, 0);
        return Math.hypot(...pose.point.map((value, c) => value - pose.shoulder[c]));
      });
      expect(reach[1]).toBeLessThan(reach[0]);
    }
  });
});

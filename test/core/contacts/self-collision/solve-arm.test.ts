import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { CLEARANCE, depthsOfTarget } from '../../../../src/core/contacts/self-collision/allowed-depths.ts';
import {
  createArmPose,
  movePoint,
  rotateArm,
  trunkBoneOf,
  UNKNOWNS,
} from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import type { ArmProblem } from '../../../../src/core/contacts/self-collision/arm-problem.ts';
import { FRAME_STRIDE, sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms, findParts } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import {
  createArmDistances,
  isAnywhereTooDeep,
  longestTravel,
  measureLevers,
  solveArm,
} from '../../../../src/core/contacts/self-collision/solve-arm.ts';
import { ADULT, CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { aboutAxis, product, rotationOf } from '../../../support/reference/plain.ts';
import { solveArmPlainly } from '../../../support/reference/plain-arms.ts';
import { SOLVED_ARMS } from '../../../support/tolerances.ts';

const COUNT = 37;
const STEP = 1 / 30;

let stout: DemoBody;
let chibi: DemoBody;

beforeAll(async () => {
  stout = await demoBody({ ...ADULT, girth: 2, hipWidth: 0.3 });
  chibi = await demoBody(CHIBI);
});

/** A stout character that lowers an arm from its T-pose by an angle, degrees, and raises it again. */
function lowering({ humanoid, surface }: DemoBody, degrees: number): ArmProblem {
  const [arm] = findArms(humanoid, surface);
  const node = humanoid.map.nodes[arm.bones[0]];
  const rest = rotationOf(humanoid.skeleton.rest, node);
  const values = [0, -degrees, -degrees, 0].flatMap((angle) => [
    ...product(aboutAxis([0, 0, 1], (angle * Math.PI) / 180), rest),
  ]);
  const times = Float64Array.of(0, 0.4, 0.6, 1.2);
  const track = { target: node, path: 'rotation', interpolation: 'LINEAR', times } as const;
  const clip: Clip = { name: 'lower', duration: 1.2, tracks: [{ ...track, values: Float64Array.from(values) }] };
  const character = createPosedCharacter(humanoid, surface);
  return {
    arm,
    trunkBone: trunkBoneOf(humanoid.map.nodes),
    parts: findParts(surface),
    bones: sampleBoneFrames(character, clip, { start: 0, count: COUNT, step: STEP }),
    allowed: depthsOfTarget(arm, { character, surface }, COUNT),
    clearance: CLEARANCE,
    timing: { step: STEP, loops: false, cuts: new Uint8Array(COUNT) },
  };
}

describe('solveArm', () => {
  test('does not lower a raised arm that is inside a big head, and moves it', () => {
    const problem = lowering(chibi, -100);
    const { arm, bones, trunkBone } = problem;
    const unknowns = solveArm(problem);
    const pose = createArmPose();
    let [most, lowest] = [0, 0];
    for (let frame = 0; frame < COUNT; frame++) {
      const u = UNKNOWNS * frame;
      rotateArm(pose, arm, trunkBone, bones, FRAME_STRIDE * frame, unknowns, u);
      lowest = Math.max(lowest, pose.elbowBefore[1] - pose.elbow[1]);
      most = Math.max(most, ...unknowns.subarray(u, u + UNKNOWNS).map(Math.abs));
    }
    expect(most).toBeGreaterThan(0.05);
    expect(lowest).toBeLessThan(0.01 * arm.length);
  });

  test('finds the rotations that all depths in all frames have', () => {
    for (const degrees of [60, 70, 80, 88]) {
      const problem = lowering(stout, degrees);
      const expected = solveArmPlainly(problem);
      for (const [u, angle] of solveArm(problem).entries()) {
        expect(Math.abs(angle - expected[u])).toBeLessThan(SOLVED_ARMS);
      }
    }
  });
});

describe('isAnywhereTooDeep', () => {
  test('is true exactly where one step with all depths rotates the arm', () => {
    const found = Array.from({ length: 19 }, (_, k) => {
      const problem = lowering(stout, 5 * k);
      const isRotated = solveArmPlainly(problem, 1).some((angle) => angle !== 0);
      expect(isAnywhereTooDeep(problem)).toBe(isRotated);
      return isRotated;
    });
    expect(new Set(found)).toEqual(new Set([false, true]));
  });
});

describe('longestTravel', () => {
  test('is at least the distance that any rotation moves a point by', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { start: 0, count: 1, step: 0.1 });
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

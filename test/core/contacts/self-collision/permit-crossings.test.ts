import { beforeAll, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { CLEARANCE } from '../../../../src/core/contacts/self-collision/allowed-depths.ts';
import { trunkBoneOf, UNKNOWNS } from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import type { ArmProblem } from '../../../../src/core/contacts/self-collision/arm-problem.ts';
import { sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { findArms, findParts } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import { permitCrossings, permitPlain } from '../../../../src/core/contacts/self-collision/permit-crossings.ts';
import { ADULT } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { aboutAxis, product, rotationOf } from '../../../support/reference/plain.ts';

const COUNT = 61;
const STEP = 1 / 30;

let problem: ArmProblem;
let size: number;

/** A stout character that holds its left arm inside its trunk for two seconds. */
function holding({ humanoid, surface }: DemoBody): ArmProblem {
  const [arm] = findArms(humanoid, surface);
  const parts = findParts(surface);
  size = arm.points.length * parts.length;
  const node = humanoid.map.nodes[arm.bones[0]];
  const lowered = product(aboutAxis([0, 0, 1], (-80 * Math.PI) / 180), rotationOf(humanoid.skeleton.rest, node));
  const track = { target: node, path: 'rotation', interpolation: 'LINEAR', times: Float64Array.of(0) } as const;
  const clip: Clip = {
    name: 'hold',
    duration: (COUNT - 1) * STEP,
    tracks: [{ ...track, values: Float64Array.from(lowered) }],
  };
  return {
    arm,
    trunkBone: trunkBoneOf(humanoid.map.nodes),
    parts,
    bones: sampleBoneFrames(createPosedCharacter(humanoid, surface), clip, { start: 0, count: COUNT, step: STEP }),
    allowed: new Float64Array(size * COUNT),
    clearance: CLEARANCE,
    timing: { step: STEP, loops: false, cuts: new Uint8Array(COUNT) },
  };
}

beforeAll(async () => {
  problem = holding(await demoBody({ ...ADULT, girth: 2, hipWidth: 0.3 }));
});

test('around rotations that put an arm deeper into the trunk, plain depths are permitted', () => {
  const unknowns = new Float64Array(UNKNOWNS * COUNT);
  // In one frame the arm is rotated further inward.
  unknowns[UNKNOWNS * 30 + 2] = -0.4;
  const permitting = permitCrossings(problem, unknowns)!;
  const isChanged = (frame: number): boolean =>
    problem.allowed
      .subarray(size * frame, size * (frame + 1))
      .some((ratio, k) => permitting.allowed[size * frame + k] > ratio);
  expect(problem.allowed.every((ratio, at) => permitting.allowed[at] >= ratio)).toBe(true);
  for (const frame of [22, 30, 38]) expect(isChanged(frame)).toBe(true);
  for (const frame of [0, 15, 45, 60]) expect(isChanged(frame)).toBe(false);
});

test('rotations that leave an arm as deep as it was are kept', () => {
  expect(permitCrossings(problem, new Float64Array(UNKNOWNS * COUNT))).toBeNull();
});

test('permitPlain: a share permits that share of the plain depths, so that a touch that begins is no jump', () => {
  const shares = Float64Array.from({ length: COUNT }, (_, frame) => (frame === 20 ? 0.5 : frame === 40 ? 1 : 0));
  const { allowed } = permitPlain(problem, shares);
  const deepest = (frame: number): number => Math.max(...allowed.subarray(size * frame, size * (frame + 1)));
  expect(deepest(40)).toBeGreaterThan(0.1);
  expect(deepest(20)).toBeCloseTo(0.5 * deepest(40), 6);
  expect(deepest(0)).toBe(0);
});

test('permitPlain: arms that keep a distance give it up by the share, too', () => {
  const outside = { ...problem, allowed: problem.allowed.map(() => -Infinity) };
  const at = (share: number): Float64Array => permitPlain(outside, new Float64Array(COUNT).fill(share)).allowed;
  const [none, little, whole] = [1e-9, 1e-3, 1].map(at);
  // Points that no part is near have no limit.
  const near = Array.from(whole.keys()).filter((k) => whole[k] > -Infinity);
  const jumps = near.map((k) => Math.abs(little[k] - none[k] - 1e-3 * (whole[k] - none[k])));
  expect(near.some((k) => none[k] < 0)).toBe(true);
  expect(Math.max(...whole)).toBeGreaterThan(0.1);
  expect(Math.max(...jumps)).toBeLessThan(1e-6);
});

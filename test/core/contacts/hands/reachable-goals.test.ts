import { beforeAll, describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import type { HandContact } from '../../../../src/core/contacts/hands/find-touches.ts';
import { type ReachableGoal, reachableGoals } from '../../../../src/core/contacts/hands/reachable-goals.ts';
import { TOUCH_PARTS } from '../../../../src/core/contacts/hands/touch-parts.ts';
import {
  BONE_STRIDE,
  POSITION_OFFSET,
  sampleBoneFrames,
} from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { type Arm, findArms, type LimbPoint } from '../../../../src/core/contacts/self-collision/limb-points.ts';
import {
  MOST_BRUSH_CHANGE,
  MOST_CHANGE,
  MOST_SOFT_CHANGE,
} from '../../../../src/core/contacts/self-collision/limit-change.ts';
import type { BoneRadii } from '../../../../src/core/contacts/surface/radius-map.ts';
import { BONE, SIDES } from '../../../../src/core/humanoid/bones.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';

let body: DemoBody;
let arm: Arm;
/** A frame of a walk, whose arms hang. */
let bones: Float64Array;

beforeAll(async () => {
  body = await demoBody();
  arm = findArms(body.humanoid, body.surface).find(({ side }) => side === 'left')!;
  bones = sampleBoneFrames(createPosedCharacter(body.humanoid, body.surface), body.walk, {
    start: 0,
    count: 1,
    step: 0.1,
  });
});

const at = (bone: number): number => BONE_STRIDE * bone + POSITION_OFFSET;

/** Moves the left arm of the frame, so that its hand is as far outward from the middle of the thigh; positive numbers move it to the left. */
function besideThigh(distance: number): Float64Array {
  const moved = bones.slice();
  const [shift, down, forward] = [0, 1, 2].map((c) => {
    const middle = (moved[at(BONE.leftUpperLeg) + c] + moved[at(BONE.leftLowerLeg) + c]) / 2;
    return middle + (c === 0 ? distance : 0) - moved[at(BONE.leftHand) + c];
  });
  for (let bone = 0; at(bone) < moved.length; bone++) {
    const isOfArm = arm.bones.includes(bone) || arm.points.some((point) => point?.bone === bone);
    for (const [c, by] of [shift, down, forward].entries()) if (isOfArm) moved[at(bone) + c] += by;
  }
  // Straight down from the shoulder.
  for (const [c, by] of [0, 0.55, 0].entries()) moved[at(BONE.leftUpperArm) + c] = moved[at(BONE.leftHand) + c] + by;
  return moved;
}

/** Goals of all points of the left hand on what has the surface of the left thigh. */
function goalsOn(
  frame: Float64Array,
  part: (typeof TOUCH_PARTS)[number] = 'leg',
  weightOf: (point: LimbPoint) => number = () => 1,
  { gap, beyond }: { readonly gap: number; readonly beyond: number } = { gap: 0, beyond: 0 },
): readonly ReachableGoal[] {
  const radii = body.surface.radii[BONE.leftUpperLeg] as BoneRadii;
  const contact: HandContact = { side: 0, part: TOUCH_PARTS.indexOf(part), from: 0, to: 0, rest: 1 };
  const goals = arm.points.flatMap((point) => {
    if (point === null || [BONE.leftUpperArm, BONE.leftLowerArm].includes(point.bone)) return [];
    const location = Float64Array.of(radii.largest, -0.15, 0);
    const direction = Float64Array.of(1, 0, 0);
    const where = { part: [radii], radii, location, direction };
    return [{ contact, isDuring: true, side: 0, point, weight: weightOf(point), gap, overlap: 0, beyond, ...where }];
  });
  return reachableGoals(
    [goals],
    SIDES.map((side) => (side === 'left' ? arm : undefined)),
    frame,
    body.surface.height,
  ).frames[0];
}

describe('reachableGoals', () => {
  test('a hand that hangs and touches anyway touches with its closest points, wherever it is', () => {
    const goals = goalsOn(besideThigh(0.05));
    const deepest = Math.max(...goals.map(({ plainDepth }) => plainDepth));
    expect(deepest).toBeGreaterThan(0);
    for (const { plainDepth, weight, locating } of goals) {
      expect(weight > 0).toBe(deepest - plainDepth < 0.015 * body.surface.height);
      expect(locating).toBeLessThan(0.01);
    }
    expect(goals.some(({ weight }) => weight === 0)).toBe(true);
  });

  test('a hand that hangs keeps its gap to the thigh, up to 2 % of the height', () => {
    const gaps = [0.05, 0.12, 0.14, 0.3].flatMap((distance) => goalsOn(besideThigh(distance)));
    const most = 0.02 * body.surface.height;
    for (const { gap, plainDepth } of gaps) expect(gap).toBeCloseTo(Math.min(most, Math.max(0, -plainDepth)), 2);
    expect(new Set(gaps.map(({ gap }) => gap)).size).toBeGreaterThan(3);
  });

  test('nothing is missing of the touch of a hand that hangs close to the thigh', () => {
    for (let distance = 0; distance < 0.3; distance += 0.01) {
      const goals = goalsOn(besideThigh(distance));
      const depth = Math.max(...goals.map(({ plainDepth }) => plainDepth)) / body.surface.height;
      if (depth > -0.03 && depth < 0.02) expect(goals[0].missing).toBeLessThan(0.01);
      if (depth < -0.05) expect(goals[0].missing).toBeGreaterThan(0.99);
    }
    expect.hasAssertions();
  });

  test('a hand that hangs deep inside the thigh misses something, but changes its arm by at most 12°', () => {
    let most = 0;
    for (let distance = 0; distance < 0.15; distance += 0.01) {
      const goals = goalsOn(besideThigh(distance));
      if (goals.some(({ plainDepth }) => plainDepth > 0)) most = Math.max(most, goals[0].missing);
    }
    expect(most).toBeGreaterThan(0.01);
    expect(MOST_BRUSH_CHANGE + most * (MOST_CHANGE - MOST_BRUSH_CHANGE)).toBeLessThanOrEqual(MOST_SOFT_CHANGE);
  });

  test('a hand that hangs away from the thigh comes to it with all points', () => {
    const goals = goalsOn(besideThigh(0.3));
    expect(Math.max(...goals.map(({ plainDepth }) => plainDepth))).toBeLessThan(-0.02);
    for (const { weight, locating } of goals) {
      expect(weight).toBe(1);
      expect(locating).toBeLessThan(0.01);
    }
  });

  test('nothing is missing of the touch of a hand that hangs close to the thigh with a point that hardly touches in the motion', () => {
    const frame = besideThigh(0.1);
    const { point: closest, plainDepth } = goalsOn(frame).reduce((a, b) => (a.plainDepth > b.plainDepth ? a : b));
    expect(Math.abs(plainDepth)).toBeLessThan(0.03 * body.surface.height);
    const missingWith = (part: 'leg' | 'otherArm'): number =>
      Math.max(...goalsOn(frame, part, (point) => (point === closest ? 0.1 : 1)).map(({ missing }) => missing));
    expect(missingWith('leg')).toBeLessThan(0.01);
    expect(missingWith('otherArm')).toBe(1);
  });

  test('a hand on the other arm is a gesture, however low: all points count', () => {
    const goals = goalsOn(besideThigh(0.05), 'otherArm');
    expect(goals.map(({ weight }) => weight)).toEqual(goals.map(() => 1));
  });

  test('a gap is that of the skin as far as plain retargeting changes it, which it does not on a body like the source', () => {
    const frame = bones;
    const nearest = goalsOn(frame).reduce((best, goal) => (goal.plainDepth > best.plainDepth ? goal : best));
    const gapOf = (gap: number, beyond: number): number => {
      return goalsOn(frame, 'otherArm', () => 1, { gap, beyond }).find(({ point }) => point === nearest.point)!.gap;
    };
    const plain = -nearest.plainDepth;
    expect(plain).toBeGreaterThan(0);
    expect(gapOf(plain, 0.01)).toBeCloseTo(plain, 9);
    expect(gapOf(0.5 * plain, 0.1 * plain)).toBeCloseTo(0.4 * plain, 9);
    expect(gapOf(0.9 * plain, 0.5 * plain)).toBeCloseTo(0.8 * plain, 9);
  });

  test('a hand of an arm that is not lowered keeps all points, and their places', () => {
    const frame = besideThigh(0.05);
    // As of a character that sits: the shoulder is behind the hand, not above it.
    frame[at(BONE.leftUpperArm) + 1] = frame[at(BONE.leftHand) + 1] + 0.2;
    frame[at(BONE.leftUpperArm) + 2] = frame[at(BONE.leftHand) + 2] - 0.35;
    const goals = goalsOn(frame);
    expect(goals.map(({ weight }) => weight)).toEqual(goals.map(() => 1));
    expect(goals.some(({ locating }) => locating > 0)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { describeHumanoid } from '../../../src/core/humanoid/describe-humanoid.ts';
import type { DeclaredHumanoid, Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { measurePoseError } from '../../../src/core/measure/pose-error.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { makeRandom } from '../../../src/demo/random.ts';
import { resized, without } from '../../make/change-rig.ts';
import { randomClip } from '../../make/random-clip.ts';
import { randomRig } from '../../make/random-rig.ts';
import { clipOf, tPoseHumanoid, tPoseHumanoidWithHands, track } from '../../make/tiny-humanoid.ts';
import { aboutAxis, IDENTITY } from '../../reference/plain.ts';
import { POSE_DEGREES, RESAMPLED_HEIGHT } from '../../tolerances.ts';

const body = tPoseHumanoid();
const still = clipOf();
const DEGREE = Math.PI / 180;

/** A clip of one second: a node rotates from rest and back, with the largest angle in the middle. */
function nod(node: string, axis: readonly number[], degrees: number): Clip {
  return clipOf(
    track(body, node, 'rotation', 'LINEAR', [0, 0.5, 1], [IDENTITY, aboutAxis(axis, degrees * DEGREE), IDENTITY]),
  );
}

function hipsAt(...points: readonly (readonly number[])[]): Clip {
  return clipOf(
    track(
      body,
      'hips',
      'translation',
      'LINEAR',
      points.map((_, key) => key),
      points,
    ),
  );
}

describe('measurePoseError', () => {
  test('returns 0 for a motion compared with itself', () => {
    const clip = nod('leftUpperArm', [0, 0, 1], 40);
    expect(measurePoseError(body, clip, body, clip)).toEqual({
      worldDelta: { max: 0, mean: 0, bone: null, time: 0 },
      directions: { leftArm: 0, rightArm: 0, leftLeg: 0, rightLeg: 0 },
      palms: {},
      headings: { left: 0, right: 0 },
      shifts: {
        directions: {
          leftArm: expect.closeTo(0, 9),
          rightArm: 0,
          leftLeg: 0,
          rightLeg: 0,
        },
        palms: {},
        headings: { left: 0, right: 0 },
      },
      hipsHeight: 0,
      hipsPath: 0,
      isFinite: true,
    });
  });

  test('measures a VRM Animation on a VRM from the declared poses, and every other pair from the straightened ones', () => {
    const avatarOf = (format: DeclaredHumanoid['format'], down: number): Humanoid => {
      const { skeleton, map } = tPoseHumanoid({ leftUpperArm: { turn: aboutAxis([0, 0, 1], -down * DEGREE) } });
      const declared = { format, nodes: map.nodes, facing: '+Z' as const };
      return describeHumanoid(skeleton, { declared, metersPerUnit: 1 }).humanoid!;
    };
    const error = (source: Humanoid, target: Humanoid): [delta: number, arm: number] => {
      const clip = retargetClip(planRetarget(source, target), still);
      const { worldDelta, directions } = measurePoseError(source, still, target, clip);
      return [worldDelta.max, directions.leftArm!];
    };
    const [delta, arm] = error(avatarOf('vrma', 4), avatarOf('vrm1', 12));
    expect(delta).toBeLessThan(POSE_DEGREES);
    expect(arm).toBeCloseTo(8, 6);
    for (const degrees of error(avatarOf('vrm0', 4), avatarOf('vrm1', 12))) expect(degrees).toBeLessThan(POSE_DEGREES);
  });

  test('is nearly 0 for a retargeted motion', () => {
    const random = makeRandom(3);
    const source = randomRig(random).humanoid;
    const target = randomRig(random).humanoid;
    const clip = randomClip(random, source, { others: true, style: 'smooth' });
    const measure = measurePoseError(source, clip, target, retargetClip(planRetarget(source, target), clip));
    // Bones missing in one of the characters do not affect the result.
    expect(measure.worldDelta.max).toBeLessThan(POSE_DEGREES);
    expect(measure.hipsHeight).toBeLessThan(RESAMPLED_HEIGHT);
    expect(measure.hipsPath).toBeLessThan(RESAMPLED_HEIGHT);
    expect(measure.isFinite).toBe(true);
  });

  test('returns the worst bone and its time', () => {
    const { worldDelta } = measurePoseError(body, still, body, nod('head', [0, 1, 0], 30));
    expect(worldDelta.max).toBeCloseTo(30, 9);
    expect(worldDelta).toMatchObject({ bone: 'head', time: 0.5 });
    // One of 17 bones rotates; the mean over the second is half its maximum.
    expect(worldDelta.mean).toBeCloseTo((30 / 2 / 17) * (60 / 61), 2);
  });

  test('shows a roll about a limb in the world delta only', () => {
    const { worldDelta, directions } = measurePoseError(body, still, body, nod('leftUpperArm', [1, 0, 0], 50));
    expect(worldDelta.max).toBeCloseTo(50, 9);
    expect(directions.leftArm).toBeCloseTo(0, 9);
    expect(measurePoseError(body, still, body, nod('leftUpperArm', [0, 1, 0], 50)).directions.leftArm).toBeCloseTo(
      50,
      9,
    );
  });

  test('measures limbs and bones that both characters have', () => {
    const legless = without(body, [BONE.leftUpperLeg, BONE.leftLowerLeg, BONE.leftFoot]);
    const { worldDelta, directions } = measurePoseError(body, nod('leftLowerLeg', [1, 0, 0], 20), legless, still);
    expect(directions).not.toHaveProperty('leftLeg');
    expect(worldDelta.bone).toBe('leftToes');
  });

  test('measures palms from the knuckles', () => {
    const hands = tPoseHumanoidWithHands();
    const turned = (node: string, axis: readonly number[]): Clip =>
      clipOf(track(hands, node, 'rotation', 'LINEAR', [0, 1], [IDENTITY, aboutAxis(axis, 25 * DEGREE)]));
    // A rotation about the arm changes the palm only; one about the line across the palm changes the hand only.
    const roll = measurePoseError(hands, still, hands, turned('leftLowerArm', [1, 0, 0]));
    expect(roll.palms).toEqual({ left: expect.closeTo(25, 9), right: 0 });
    expect(roll.directions.leftHand).toBeCloseTo(0, 9);
    const bend = measurePoseError(hands, still, hands, turned('leftHand', [0, 0, 1]));
    expect(bend.palms.left).toBeCloseTo(0, 9);
    expect(bend.directions.leftHand).toBeCloseTo(25, 9);
    expect(measurePoseError(hands, still, body, still).palms).toEqual({});
  });

  test('measures the headings of feet with soles of different thickness in any pose', () => {
    const heels = tPoseHumanoid({ leftToes: { at: [0, -0.2, 0.12] }, rightToes: { at: [0, 0, 0.1] } });
    const random = makeRandom(5);
    const clip = randomClip(random, body, { style: 'smooth' });
    const dance = retargetClip(planRetarget(body, heels), clip);
    const { headings } = measurePoseError(body, clip, heels, dance);
    expect(headings.left).toBeLessThan(POSE_DEGREES);
    expect(headings.right).toBeLessThan(POSE_DEGREES);
    const out = measurePoseError(body, still, heels, nod('leftFoot', [0, 1, 0], 35)).headings;
    expect(out).toEqual({ left: expect.closeTo(35, 9), right: expect.closeTo(0, 9) });
    const slanting = tPoseHumanoid({ rightToes: { at: [-0.06, -0.08, 0.06] } });
    expect(measurePoseError(body, clip, slanting, clip).headings.right).toBeCloseTo(45, 9);
  });

  test('separates shifts of joints from rotations', () => {
    const hands = tPoseHumanoidWithHands();
    const moved = clipOf(
      track(
        hands,
        'leftHand',
        'translation',
        'LINEAR',
        [0, 1],
        [
          [0.25, 0, 0],
          [0.25, 0.25, 0],
        ],
      ),
      track(hands, 'leftUpperArm', 'rotation', 'LINEAR', [0], [aboutAxis([0, 1, 0], 1)]),
      track(hands, 'rightToes', 'translation', 'LINEAR', [0], [[0.15, -0.08, 0.15]]),
      track(hands, 'leftIndexProximal', 'translation', 'LINEAR', [0], [[0.08, 0.07, 0.03]]),
    );
    const { shifts, directions, headings, palms } = measurePoseError(hands, moved, hands, still);
    expect(shifts.directions.leftArm).toBeCloseTo(45, 6);
    expect(shifts.headings).toEqual({ left: expect.closeTo(0, 9), right: expect.closeTo(45, 6) });
    expect(shifts.palms).toEqual({ left: expect.closeTo(45, 6), right: expect.closeTo(0, 9) });
    expect(shifts.directions.rightArm).toBeCloseTo(0, 9);
    expect(directions.leftArm).toBeGreaterThan(45);
    expect(headings.right).toBeCloseTo(45, 6);
    expect(palms.left).toBeGreaterThan(45);
  });

  test('returns no shift for a bone that only the source has', () => {
    const kneeless = without(body, [BONE.leftLowerLeg]);
    const { shifts } = measurePoseError(body, nod('leftLowerLeg', [1, 0, 0], 50), kneeless, still);
    expect(shifts.directions).not.toHaveProperty('leftLeg');
  });

  test('compares hips in units of their reference heights', () => {
    const { humanoid: half } = resized(body, 0.5);
    const walk = hipsAt([0, 1, 0], [0, 0.8, 2]);
    const scaled = hipsAt([0, 0.5, 0], [0, 0.4, 1]);
    const same = measurePoseError(body, walk, half, scaled);
    expect(same.hipsHeight).toBeCloseTo(0, 12);
    expect(same.hipsPath).toBeCloseTo(0, 12);
    const unscaled = measurePoseError(body, walk, half, hipsAt([0, 0.5, 0], [0, 0.3, 2]));
    expect(unscaled.hipsHeight).toBeCloseTo(0.2, 12);
    expect(unscaled.hipsPath).toBeCloseTo(Math.hypot(0.2, 2), 12);
  });

  test('ignores hips that are not above the ground', () => {
    const flat = { ...body, hipsHeight: 0 };
    expect(measurePoseError(body, hipsAt([0, 1, 0], [0, 2, 0]), flat, still)).toMatchObject({
      hipsHeight: 0,
      hipsPath: 0,
    });
  });

  test('samples at the requested rate up to the end of the longer motion', () => {
    const blink = clipOf(
      track(
        body,
        'head',
        'rotation',
        'STEP',
        [0, 0.4, 0.45, 2],
        [IDENTITY, aboutAxis([0, 1, 0], 1), IDENTITY, aboutAxis([0, 1, 0], 0.5)],
      ),
    );
    const seen = (fps: number): number => measurePoseError(body, still, body, blink, { fps }).worldDelta.max * DEGREE;
    expect(seen(60)).toBeCloseTo(1, 9);
    expect(seen(2)).toBeCloseTo(0.5, 9);
  });

  test('reports NaN values and keeps the worst of the finite ones', () => {
    const broken = nod('head', [0, 1, 0], 30);
    broken.tracks[0].values.fill(Number.NaN, 8);
    const measure = measurePoseError(body, still, body, broken);
    expect(measure.isFinite).toBe(false);
    expect(measure.worldDelta.max).toBeGreaterThanOrEqual(0);
    const brokenHips = hipsAt([0, 1, 0], [0, Number.NaN, 0]);
    expect(measurePoseError(body, still, body, brokenHips).isFinite).toBe(false);
  });
});

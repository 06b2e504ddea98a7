import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { sampleModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import {
  computeMeanPose,
  findMotionGround,
  findPlantedSlope,
} from '../../../../src/core/humanoid/t-pose/motion-statistics.ts';
import { without } from '../../../support/make/change-rig.ts';
import { about } from '../../../support/make/estimate.ts';
import { clipOf, tPoseHumanoid, track } from '../../../support/make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../support/near.ts';
import { IDENTITY, product, read } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const body = tPoseHumanoid();
const { skeleton, map } = body;
const UPRIGHT = Float64Array.of(0, 0, 0, 1);

function localOf(clip: Clip, bone: 'hips' | 'leftUpperLeg' | 'spine'): number[] {
  const { local } = computeMeanPose(skeleton, map.nodes, clip, sampleModelPose(skeleton, clip, 0, 'frame:0'));
  return read(local, 10 * map.nodes[BONE[bone]] + 3, 4);
}

describe('computeMeanPose', () => {
  test('averages rotations independent of the sign of their quaternions', () => {
    const front = about.x(-0.6);
    const minusBack = about.x(0.6).map((x) => -x) as unknown as typeof front;
    const walk = clipOf(
      track(body, 'leftUpperLeg', 'rotation', 'STEP', [0, 1, 2, 3], [front, minusBack, front, minusBack]),
    );
    expectSameRotation(localOf(walk, 'leftUpperLeg'), IDENTITY, EXACT);
    expectSameRotation(localOf(walk, 'spine'), IDENTITY, EXACT);
  });

  test('gives the hips the mean rotation of a motion in one direction', () => {
    const sway = [0.2, -0.2].map((angle) => product(about.y(1), about.y(angle)));
    const walk = clipOf(track(body, 'hips', 'rotation', 'LINEAR', [0, 1], sway));
    expectSameRotation(localOf(walk, 'hips'), about.y(1), EXACT);
  });

  test('keeps the hips rotation of the start pose in a motion that rotates all around', () => {
    const rotating = clipOf(track(body, 'hips', 'rotation', 'LINEAR', [0, 1, 2], [0.5, 1.5, 2.5].map(about.y)));
    expectSameRotation(localOf(rotating, 'hips'), about.y(0.5), EXACT);
  });
});

describe('findPlantedSlope', () => {
  /** The left foot is lifted with its toes down in two frames of three, the right one always. */
  const step = clipOf(
    track(body, 'leftUpperLeg', 'rotation', 'STEP', [0, 1, 2], [about.x(-0.8), IDENTITY, about.x(-0.8)]),
    track(body, 'leftFoot', 'rotation', 'STEP', [0, 1, 2], [about.x(0.5), about.x(0.1), about.x(0.5)]),
  );

  test('returns the slope in the samples with the lowest ankle and toes', () => {
    const { nodes } = without(body, [BONE.rightToes]).map;
    const toes = Math.atan2(0.08, 0.15);
    expect(findPlantedSlope(skeleton, nodes, step, UPRIGHT)).toBeCloseTo(toes + 0.1, 10);
  });

  test('returns null without toes', () => {
    const { nodes } = without(body, [BONE.leftToes, BONE.rightToes]).map;
    expect(findPlantedSlope(skeleton, nodes, step, UPRIGHT)).toBeNull();
  });
});

describe('findMotionGround', () => {
  test('returns a low percentile of the lowest foot', () => {
    const jump = clipOf(
      track(
        body,
        'hips',
        'translation',
        'LINEAR',
        [0, 1, 2],
        [
          [0, 2, 0],
          [0, 1.3, 0],
          [0, 1.6, 0],
        ],
      ),
    );
    expect(findMotionGround(skeleton, map.nodes, jump, UPRIGHT)).toBeCloseTo(0.32, 12);
  });
});

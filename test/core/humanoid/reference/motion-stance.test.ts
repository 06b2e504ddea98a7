import { describe, expect, test } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { clipPose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { groundOfMotion, meanPose, plantedSlope } from '../../../../src/core/humanoid/reference/motion-stance.ts';
import { without } from '../../../make/change-rig.ts';
import { about } from '../../../make/estimate.ts';
import { clipOf, tBody, track } from '../../../make/tiny-humanoid.ts';
import { expectSameRotation } from '../../../near.ts';
import { IDENTITY, product, read } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const body = tBody();
const { skeleton, map } = body;
const UPRIGHT = Float64Array.of(0, 0, 0, 1);

function localOf(clip: Clip, bone: 'hips' | 'leftUpperLeg' | 'spine'): number[] {
  const { local } = meanPose(skeleton, map.nodes, clip, clipPose(skeleton, clip, 0, 'frame:0'));
  return read(local, 10 * map.nodes[BONE[bone]] + 3, 4);
}

describe('meanPose', () => {
  test('is where joints are on the average, whichever sign their quaternions have', () => {
    const front = about.x(-0.6);
    const minusBack = about.x(0.6).map((x) => -x) as unknown as typeof front;
    const walk = clipOf(
      track(body, 'leftUpperLeg', 'rotation', 'STEP', [0, 1, 2, 3], [front, minusBack, front, minusBack]),
    );
    expectSameRotation(localOf(walk, 'leftUpperLeg'), IDENTITY, EXACT);
    expectSameRotation(localOf(walk, 'spine'), IDENTITY, EXACT);
  });

  test('turns the hips to the mean of a motion that goes one way', () => {
    const sway = [0.2, -0.2].map((angle) => product(about.y(1), about.y(angle)));
    const walk = clipOf(track(body, 'hips', 'rotation', 'LINEAR', [0, 1], sway));
    expectSameRotation(localOf(walk, 'hips'), about.y(1), EXACT);
  });

  test('leaves the hips where they start in a motion that turns around', () => {
    const turning = clipOf(track(body, 'hips', 'rotation', 'LINEAR', [0, 1, 2], [0.5, 1.5, 2.5].map(about.y)));
    expectSameRotation(localOf(turning, 'hips'), about.y(0.5), EXACT);
  });
});

describe('plantedSlope', () => {
  /** The left foot is lifted with its toes down in two frames of three, the right one always. */
  const step = clipOf(
    track(body, 'leftUpperLeg', 'rotation', 'STEP', [0, 1, 2], [about.x(-0.8), IDENTITY, about.x(-0.8)]),
    track(body, 'leftFoot', 'rotation', 'STEP', [0, 1, 2], [about.x(0.5), about.x(0.1), about.x(0.5)]),
  );

  test('is that of a foot where ankle and toes are lowest', () => {
    const { nodes } = without(body, [BONE.rightToes]).map;
    const toes = Math.atan2(0.08, 0.15);
    expect(plantedSlope(skeleton, nodes, step, UPRIGHT)).toBeCloseTo(toes + 0.1, 10);
  });

  test('is null without toes', () => {
    const { nodes } = without(body, [BONE.leftToes, BONE.rightToes]).map;
    expect(plantedSlope(skeleton, nodes, step, UPRIGHT)).toBeNull();
  });
});

describe('groundOfMotion', () => {
  test('is about the lowest that a foot gets', () => {
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
    expect(groundOfMotion(skeleton, map.nodes, jump, UPRIGHT)).toBeCloseTo(0.32, 12);
  });
});

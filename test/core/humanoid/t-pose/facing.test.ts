import { describe, expect, test } from 'vitest';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { type FrontCue, findFrontCues, voteFront } from '../../../../src/core/humanoid/t-pose/facing.ts';
import { restModelPose } from '../../../../src/core/humanoid/t-pose/model-pose.ts';
import { about } from '../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../support/make/tiny-humanoid.ts';

function cuesOf({ skeleton, map }: Humanoid): FrontCue[] {
  return findFrontCues(restModelPose(skeleton).positions, map.nodes);
}

/** Each body part and the sign of its direction along Z. */
function towardsZ(humanoid: Humanoid): [string, number][] {
  return cuesOf(humanoid).map(({ part, direction }) => [part, Math.sign(direction[2])]);
}

const NO_TOES = { leftToes: { name: 'a' }, rightToes: { name: 'b' } };

describe('findFrontCues', () => {
  test('finds the feet of a T-pose', () => {
    expect(towardsZ(tPoseHumanoid())).toEqual([['feet', 1]]);
    expect(towardsZ(tPoseHumanoid(NO_TOES))).toEqual([]);
  });

  test('finds eyes and jaw in front of the head', () => {
    const eye = { name: 'leftEye', parent: 'head', at: [0.03, 0.05, 0.08] };
    const jaw = { name: 'jaw', parent: 'head', at: [0, 0, 0.04] };
    expect(towardsZ(tPoseHumanoid(NO_TOES, eye, jaw))).toEqual([['face', 1]]);
  });

  test('finds bent knees, independent of the direction of the leg', () => {
    const knee = (thigh: number, shin: number) =>
      towardsZ(
        tPoseHumanoid({ ...NO_TOES, leftUpperLeg: { turn: about.x(thigh) }, leftLowerLeg: { turn: about.x(shin) } }),
      );
    expect(knee(-0.4, 0.8)).toEqual([['knees', 1]]);
    expect(knee(0.3, 0.6)).toEqual([['knees', 1]]);
    expect(knee(0, 0.05)).toEqual([]);
  });

  test('finds thumbs beside the hand', () => {
    const thumb = { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.03, 0, 0.04] };
    expect(towardsZ(tPoseHumanoid(NO_TOES, thumb))).toEqual([['thumbs', 1]]);
  });
});

describe('voteFront', () => {
  const cue = (part: FrontCue['part'], z: number): FrontCue => ({ part, direction: Float64Array.of(0, 0, z) });

  test('weighs forward cues against backward cues', () => {
    const vote = voteFront([cue('feet', 0.9), cue('knees', -0.5), cue('thumbs', -1)], Float64Array.of(0, 0, 1));
    expect(vote).toEqual({
      votes: expect.closeTo(0.9 - 0.35 - 0.3, 12),
      forward: ['feet'],
      backward: ['knees', 'thumbs'],
    });
    expect(voteFront([cue('feet', 0.9)], Float64Array.of(0, 0, -1)).votes).toBeCloseTo(-0.9, 12);
  });

  test('ignores cues that point sideways', () => {
    expect(voteFront([cue('feet', 0.1), cue('face', 1)], Float64Array.of(1, 0, 0))).toEqual({
      votes: 0,
      forward: [],
      backward: [],
    });
  });
});

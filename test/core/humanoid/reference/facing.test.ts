import { describe, expect, test } from 'vitest';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { type FrontSign, frontSigns, voteFront } from '../../../../src/core/humanoid/reference/facing.ts';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { about } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';

function signsOf({ skeleton, map }: Humanoid): FrontSign[] {
  return frontSigns(nodePose(skeleton).positions, map.nodes);
}

/** Part and how far it points to +Z. */
function towardsZ(humanoid: Humanoid): [string, number][] {
  return signsOf(humanoid).map(({ part, direction }) => [part, Math.sign(direction[2])]);
}

const NO_TOES = { leftToes: { name: 'a' }, rightToes: { name: 'b' } };

describe('frontSigns', () => {
  test('are the feet of a body in a T-pose', () => {
    expect(towardsZ(tBody())).toEqual([['feet', 1]]);
    expect(towardsZ(tBody(NO_TOES))).toEqual([]);
  });

  test('are eyes and jaw ahead of the head', () => {
    const eye = { name: 'leftEye', parent: 'head', at: [0.03, 0.05, 0.08] };
    const jaw = { name: 'jaw', parent: 'head', at: [0, 0, 0.04] };
    expect(towardsZ(tBody(NO_TOES, eye, jaw))).toEqual([['face', 1]]);
  });

  test('are knees that are bent, whichever way the leg goes', () => {
    const knee = (thigh: number, shin: number) =>
      towardsZ(tBody({ ...NO_TOES, leftUpperLeg: { turn: about.x(thigh) }, leftLowerLeg: { turn: about.x(shin) } }));
    expect(knee(-0.4, 0.8)).toEqual([['knees', 1]]);
    expect(knee(0.3, 0.6)).toEqual([['knees', 1]]);
    expect(knee(0, 0.05)).toEqual([]);
  });

  test('are thumbs beside the hand', () => {
    const thumb = { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.03, 0, 0.04] };
    expect(towardsZ(tBody(NO_TOES, thumb))).toEqual([['thumbs', 1]]);
  });
});

describe('voteFront', () => {
  const sign = (part: FrontSign['part'], z: number): FrontSign => ({ part, direction: Float64Array.of(0, 0, z) });

  test('weighs what points forward against what points backward', () => {
    const vote = voteFront([sign('feet', 0.9), sign('knees', -0.5), sign('thumbs', -1)], Float64Array.of(0, 0, 1));
    expect(vote).toEqual({
      votes: expect.closeTo(0.9 - 0.35 - 0.3, 12),
      forward: ['feet'],
      backward: ['knees', 'thumbs'],
    });
    expect(voteFront([sign('feet', 0.9)], Float64Array.of(0, 0, -1)).votes).toBeCloseTo(-0.9, 12);
  });

  test('leaves out what points neither way', () => {
    expect(voteFront([sign('feet', 0.1), sign('face', 1)], Float64Array.of(1, 0, 0))).toEqual({
      votes: 0,
      forward: [],
      backward: [],
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  footHeading,
  headingDeviation,
  palmDeviation,
  palmDirection,
} from '../../../../src/core/humanoid/t-pose/palm-and-heading.ts';
import { tPoseHumanoidWithHands } from '../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../support/near.ts';
import { aboutAxis } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const DEGREE = Math.PI / 180;
const body = tPoseHumanoidWithHands();
const out = new Float64Array(3);

function palm({ reference, map }: Humanoid, side: 'left' | 'right'): boolean {
  return palmDirection(out, reference.positions, map.nodes, side);
}

function palms({ reference, map }: Humanoid): object {
  return palmDeviation(reference.positions, map.nodes);
}

function headings({ reference, map }: Humanoid): object {
  return headingDeviation(reference.positions, map.nodes);
}

describe('palmDirection and palmDeviation', () => {
  it.each(['left', 'right'] as const)('point along +Z in a T-pose for the %s hand', (side) => {
    expect(palm(body, side)).toBe(true);
    expectNear(out, [0, 0, 1], EXACT);
  });

  it('rotate with the hand', () => {
    const rolled = tPoseHumanoidWithHands({ leftHand: { turn: aboutAxis([1, 0, 0], 30 * DEGREE) } });
    expect(palms(rolled)).toEqual({ left: expect.closeTo(30, 9), right: expect.closeTo(0, 9) });
  });

  it('ignore knuckles on a slanted line', () => {
    const slanting = tPoseHumanoidWithHands({ leftLittleProximal: { at: [0.05, 0, -0.02] } });
    expect(palms(slanting)).toEqual({ left: expect.closeTo(0, 9), right: expect.closeTo(0, 9) });
  });

  it('use the outermost present knuckles', () => {
    const { map, reference } = body;
    const nodes = map.nodes.slice();
    const gone = ['leftLittleProximal', 'rightIndexProximal', 'rightLittleProximal'];
    for (const name of gone) nodes[nodes.indexOf(body.skeleton.names.indexOf(name))] = -1;
    // The right hand has a single knuckle.
    expect(palmDeviation(reference.positions, nodes)).toEqual({ left: expect.closeTo(0, 9) });
  });

  it('leave out hands without a middle knuckle or with knuckles in a line along the hand', () => {
    expect(palms(tPoseHumanoidWithHands({ leftLittleProximal: { at: [0.02, 0, 0.03] } }))).not.toHaveProperty('left');
    expect(palms(tPoseHumanoidWithHands({ leftMiddleProximal: { at: [0, 0, 0] } }))).not.toHaveProperty('left');
    const nodes = body.map.nodes.slice();
    nodes[nodes.indexOf(body.skeleton.names.indexOf('leftMiddleProximal'))] = -1;
    expect(palmDeviation(body.reference.positions, nodes)).toEqual({ right: expect.closeTo(0, 9) });
  });
});

describe('footHeading and headingDeviation', () => {
  it('point along +Z in a T-pose, independent of the thickness of the sole', () => {
    const high = tPoseHumanoidWithHands({ leftToes: { at: [0, -0.15, 0.15] }, rightToes: { at: [0, 0, 0.1] } });
    for (const one of [body, high]) expect(headings(one)).toEqual({ left: 0, right: 0 });
  });

  it('follow toes that point outward', () => {
    const outward = tPoseHumanoidWithHands({ leftToes: { at: [0.1, -0.05, 0.1] } });
    expect(headings(outward)).toEqual({ left: expect.closeTo(45, 9), right: 0 });
  });

  it('footHeading is perpendicular to the passed up axis', () => {
    const { reference, map } = body;
    const ups = [9, ...[0, Math.SQRT1_2, Math.SQRT1_2]];
    expect(footHeading(out, reference.positions, map.nodes, 'left', ups, 1)).toBe(true);
    expectNear(out, [0, -Math.SQRT1_2, Math.SQRT1_2], EXACT);
  });

  it('leave out feet with toes below the ankle or without toes', () => {
    const { map, reference } = tPoseHumanoidWithHands({ leftToes: { at: [0, -0.1, 0.015] } });
    expect(headingDeviation(reference.positions, map.nodes)).toEqual({ right: 0 });
    expect(headingDeviation(reference.positions, new Int32Array(55).fill(-1))).toEqual({});
  });
});

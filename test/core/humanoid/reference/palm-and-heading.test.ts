import { describe, expect, it } from 'vitest';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import {
  footHeading,
  headingDeviation,
  palmAcross,
  palmDeviation,
} from '../../../../src/core/humanoid/reference/palm-and-heading.ts';
import { handedBody } from '../../../make/tiny-humanoid.ts';
import { expectNear } from '../../../near.ts';
import { aboutAxis } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const DEGREE = Math.PI / 180;
const body = handedBody();
const out = new Float64Array(3);

function palm({ reference, map }: Humanoid, side: 'left' | 'right'): boolean {
  return palmAcross(out, reference.positions, map.nodes, side);
}

function palms({ reference, map }: Humanoid): object {
  return palmDeviation(reference.positions, map.nodes);
}

function headings({ reference, map }: Humanoid): object {
  return headingDeviation(reference.positions, map.nodes);
}

describe('a palm', () => {
  it.each(['left', 'right'] as const)('lies across the %s hand along +Z in a T-pose', (side) => {
    expect(palm(body, side)).toBe(true);
    expectNear(out, [0, 0, 1], EXACT);
  });

  it('turns with the hand', () => {
    const rolled = handedBody({ leftHand: { turn: aboutAxis([1, 0, 0], 30 * DEGREE) } });
    expect(palms(rolled)).toEqual({ left: expect.closeTo(30, 9), right: expect.closeTo(0, 9) });
  });

  it('does not count that the knuckles lie slanting to the hand', () => {
    const slanting = handedBody({ leftLittleProximal: { at: [0.05, 0, -0.02] } });
    expect(palms(slanting)).toEqual({ left: expect.closeTo(0, 9), right: expect.closeTo(0, 9) });
  });

  it('is of the outermost knuckles that are there', () => {
    const { map, reference } = body;
    const nodes = map.nodes.slice();
    const gone = ['leftLittleProximal', 'rightIndexProximal', 'rightLittleProximal'];
    for (const name of gone) nodes[nodes.indexOf(body.skeleton.names.indexOf(name))] = -1;
    // Of the right hand one knuckle is left.
    expect(palmDeviation(reference.positions, nodes)).toEqual({ left: expect.closeTo(0, 9) });
  });

  it('is none without a middle knuckle, and of knuckles that lie in a row along the hand or on the wrist', () => {
    expect(palms(handedBody({ leftLittleProximal: { at: [0.02, 0, 0.03] } }))).not.toHaveProperty('left');
    expect(palms(handedBody({ leftMiddleProximal: { at: [0, 0, 0] } }))).not.toHaveProperty('left');
    const nodes = body.map.nodes.slice();
    nodes[nodes.indexOf(body.skeleton.names.indexOf('leftMiddleProximal'))] = -1;
    expect(palmDeviation(body.reference.positions, nodes)).toEqual({ right: expect.closeTo(0, 9) });
  });
});

describe('the heading of a foot', () => {
  it('is +Z in a T-pose, however thick the sole is', () => {
    const high = handedBody({ leftToes: { at: [0, -0.15, 0.15] }, rightToes: { at: [0, 0, 0.1] } });
    for (const one of [body, high]) expect(headings(one)).toEqual({ left: 0, right: 0 });
  });

  it('is that of toes which point outward', () => {
    const outward = handedBody({ leftToes: { at: [0.1, -0.05, 0.1] } });
    expect(headings(outward)).toEqual({ left: expect.closeTo(45, 9), right: 0 });
  });

  it('is square to the up that it is told', () => {
    const { reference, map } = body;
    const ups = [9, ...[0, Math.SQRT1_2, Math.SQRT1_2]];
    expect(footHeading(out, reference.positions, map.nodes, 'left', ups, 1)).toBe(true);
    expectNear(out, [0, -Math.SQRT1_2, Math.SQRT1_2], EXACT);
  });

  it('is none where the toes are below the ankle, or not there', () => {
    const { map, reference } = handedBody({ leftToes: { at: [0, -0.1, 0.015] } });
    expect(headingDeviation(reference.positions, map.nodes)).toEqual({ right: 0 });
    expect(headingDeviation(reference.positions, new Int32Array(55).fill(-1))).toEqual({});
  });
});

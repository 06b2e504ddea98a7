import { describe, expect, test } from 'vitest';
import type { Humanoid } from '../../../../src/core/humanoid/humanoid.ts';
import { about, direction, estimate, finding, leftFingers, pointsOf, turnOf } from '../../../make/estimate.ts';
import { type TinyNode, tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { IDENTITY, turned } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const DEGREE = Math.PI / 180;

/** A thumb that begins `below` the plane of the palm, radians. */
function leftThumb(below: number): TinyNode[] {
  return [
    { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.02, -0.03 * Math.sin(below), 0.03 * Math.cos(below)] },
    { name: 'leftThumbProximal', parent: 'leftThumbMetacarpal', at: [0.03, 0, 0.03] },
  ];
}

/** A mitten: a box longer than wide, and wider than thick. */
const MITTEN = [0, 0.1, 0.18].flatMap((x) => [-0.01, 0.01].flatMap((y) => [-0.04, 0.04].map((z) => [x, y, z])));

function rolled(angle: number, ...more: readonly TinyNode[]): Humanoid {
  return tBody({ leftHand: { turn: about.x(angle) } }, ...more);
}

describe('palms', () => {
  test.each([0.3, 1.5, 3, -2])('face the ground by the knuckles, however far they are rolled: %s', (angle) => {
    const found = estimate(rolled(angle, ...leftFingers()));
    expectNear(direction(found, 'leftLittleProximal', 'leftIndexProximal'), [0, 0, 1], EXACT);
  });

  test('go by the outer knuckles, less surely where the inner ones are out of line', () => {
    const crooked = leftFingers().map((node) =>
      node.name === 'leftRingProximal' ? { ...node, at: [0.09, 0.02, -0.02] } : node,
    );
    const found = estimate(rolled(0, ...crooked));
    expectSameRotation(turnOf(found, 'leftHand'), IDENTITY, EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({
      confidence: 0.7,
      reason: expect.stringContaining('not lie in a row'),
    });
  });

  test('are less sure where knuckles lie close together', () => {
    const close = leftFingers().map((node) =>
      /Proximal/.test(node.name) ? { ...node, at: [0.09, 0, node.at![2] / 10] } : node,
    );
    const found = estimate(rolled(0.5, ...close));
    expectSameRotation(turnOf(found, 'leftHand'), about.x(-0.5), EXACT);
    expect(finding(found, 'leftPalm')?.confidence).toBe(0.5);
  });

  test('do not go by fingers that are crossed: knuckles stay where they are', () => {
    const crossed = leftFingers().map((node) =>
      node.name === 'leftIndexProximal' ? { ...node, turn: about.y(0.5) } : node,
    );
    const found = estimate(rolled(0.4, ...crossed));
    expectSameRotation(turnOf(found, 'leftHand'), about.x(-0.4), EXACT);
    expectNear(direction(found, 'leftIndexProximal', 'leftIndexIntermediate'), [1, 0, 0], EXACT);
  });

  test('stay as they are where the thumb is about where it belongs', () => {
    for (const below of [-5, 20, 45]) {
      const found = estimate(rolled(0, ...leftThumb(below * DEGREE)));
      expectSameRotation(turnOf(found, 'leftHand'), IDENTITY, EXACT);
      expect(finding(found, 'leftPalm')?.confidence).toBe(0.6);
    }
  });

  test('are rolled by a thumb that is not: its base lies 20° below the palm', () => {
    const found = estimate(rolled(1.2, ...leftThumb(20 * DEGREE)));
    expectSameRotation(turnOf(found, 'leftHand'), about.x(-1.2), EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({ confidence: 0.5, reason: expect.stringContaining('69°') });
  });

  test('go by where the thumb points when it begins on the axis of the hand', () => {
    const thumb = [
      { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.01, 0, 0] },
      { name: 'tip', parent: 'leftThumbMetacarpal', at: [0.03, -0.03 * Math.tan(20 * DEGREE), 0.03] },
    ];
    expectSameRotation(turnOf(estimate(rolled(-2, ...thumb)), 'leftHand'), about.x(2), EXACT);
  });

  test('are found from the mesh of a mitten', () => {
    const body = rolled(0.9);
    const found = estimate(body, { vertices: () => pointsOf(body, 'leftHand', MITTEN) });
    expectNear(turned(turnOf(found, 'leftHand'), turned(about.x(0.9), [0, 1, 0])), [0, 1, 0], 1e-7);
    expect(finding(found, 'leftPalm')).toMatchObject({
      confidence: 0.6,
      reason: 'the flat of the hand, which was rolled by 52°',
    });
    const flat = rolled(0.1);
    const left = estimate(flat, { vertices: () => pointsOf(flat, 'leftHand', MITTEN) });
    expectSameRotation(turnOf(left, 'leftHand'), IDENTITY, EXACT);
  });

  test('are not found from a mesh that is as thick as wide, nor from a few points', () => {
    const body = rolled(0.9);
    const stump = MITTEN.map(([x, y, z]) => [x, 4 * y, z]);
    for (const points of [stump, MITTEN.slice(0, 7)]) {
      const found = estimate(body, { vertices: () => pointsOf(body, 'leftHand', points) });
      expect(finding(found, 'leftPalm')?.confidence).toBe(0.3);
    }
  });

  test('follow a bent elbow where nothing else shows them', () => {
    const found = estimate(tBody({ leftUpperArm: { turn: about.x(0.7) }, leftLowerArm: { turn: about.y(-1) } }));
    expectSameRotation(turnOf(found, 'leftUpperArm'), about.x(-0.7), EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({ confidence: 0.5, reason: expect.stringContaining('elbow') });
  });

  test('keep the roll of the forearm where nothing shows them at all, which is reported', () => {
    const found = estimate(rolled(1));
    expectSameRotation(turnOf(found, 'leftHand'), IDENTITY, EXACT);
    expect(found.issues.map(({ code, message }) => [code, message.slice(0, 9)])).toEqual([
      ['POSE_LIMB_AMBIGUOUS', 'leftPalm:'],
      ['POSE_LIMB_AMBIGUOUS', 'rightPalm'],
    ]);
  });

  test('ask for the mesh only where joints leave a doubt', () => {
    const vertices = (): never => {
      throw new Error('asked for');
    };
    const right = leftFingers().map((node) => ({
      ...node,
      name: node.name.replace('left', 'right'),
      parent: node.parent!.replace('left', 'right'),
      at: [-node.at![0], node.at![1], node.at![2]],
    }));
    expect(() => estimate(tBody({}, ...leftFingers(), ...right), { vertices })).not.toThrow();
    expect(() => estimate(tBody({}, ...leftFingers()), { vertices })).toThrow('asked for');
  });
});

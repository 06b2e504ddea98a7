import { describe, expect, test } from 'vitest';
import type { Humanoid } from '../../../../../src/core/humanoid/humanoid.ts';
import {
  about,
  correctionOf,
  direction,
  estimate,
  finding,
  joinPoints,
  leftFingers,
  pointsOf,
} from '../../../../support/make/estimate.ts';
import { type TinyNode, tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../../support/near.ts';
import { IDENTITY, rotated } from '../../../../support/reference/plain.ts';
import { EXACT } from '../../../../support/tolerances.ts';

const DEGREE = Math.PI / 180;

/** A thumb whose base is `below` the plane of the palm, radians. */
function leftThumb(below: number): TinyNode[] {
  return [
    { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.02, -0.03 * Math.sin(below), 0.03 * Math.cos(below)] },
    { name: 'leftThumbProximal', parent: 'leftThumbMetacarpal', at: [0.03, 0, 0.03] },
  ];
}

/** A mitten: a box longer than wide, and wider than thick. */
const MITTEN = [0, 0.1, 0.18].flatMap((x) => [-0.01, 0.01].flatMap((y) => [-0.04, 0.04].map((z) => [x, y, z])));

function rolled(angle: number, ...more: readonly TinyNode[]): Humanoid {
  return tPoseHumanoid({ leftHand: { turn: about.x(angle) } }, ...more);
}

describe('findPalmRoll', () => {
  test.each([0.3, 1.5, 3, -2])('rolls the palm down by the knuckles from a roll of %s rad', (angle) => {
    const found = estimate(rolled(angle, ...leftFingers()));
    expectNear(direction(found, 'leftLittleProximal', 'leftIndexProximal'), [0, 0, 1], EXACT);
  });

  test('uses the outer knuckles, with less confidence when inner ones are out of line', () => {
    const crooked = leftFingers().map((node) =>
      node.name === 'leftRingProximal' ? { ...node, at: [0.09, 0.02, -0.02] } : node,
    );
    const found = estimate(rolled(0, ...crooked));
    expectSameRotation(correctionOf(found, 'leftHand'), IDENTITY, EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({
      confidence: 0.7,
      reason: expect.stringContaining('not in a row'),
    });
  });

  test('has less confidence when knuckles are close together', () => {
    const close = leftFingers().map((node) =>
      /Proximal/.test(node.name) ? { ...node, at: [0.09, 0, node.at![2] / 10] } : node,
    );
    const found = estimate(rolled(0.5, ...close));
    expectSameRotation(correctionOf(found, 'leftHand'), about.x(-0.5), EXACT);
    expect(finding(found, 'leftPalm')?.confidence).toBe(0.5);
  });

  test('ignores crossed fingers: knuckles do not move', () => {
    const crossed = leftFingers().map((node) =>
      node.name === 'leftIndexProximal' ? { ...node, turn: about.y(0.5) } : node,
    );
    const found = estimate(rolled(0.4, ...crossed));
    expectSameRotation(correctionOf(found, 'leftHand'), about.x(-0.4), EXACT);
    expectNear(direction(found, 'leftIndexProximal', 'leftIndexIntermediate'), [1, 0, 0], EXACT);
  });

  test('returns no roll when the thumb is near its usual position', () => {
    for (const below of [-5, 20, 45]) {
      const found = estimate(rolled(0, ...leftThumb(below * DEGREE)));
      expectSameRotation(correctionOf(found, 'leftHand'), IDENTITY, EXACT);
      expect(finding(found, 'leftPalm')?.confidence).toBe(0.6);
    }
  });

  test('rolls the base of the thumb to 20° below the palm', () => {
    const found = estimate(rolled(1.2, ...leftThumb(20 * DEGREE)));
    expectSameRotation(correctionOf(found, 'leftHand'), about.x(-1.2), EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({ confidence: 0.5, reason: expect.stringContaining('69°') });
  });

  test('uses the direction of a thumb that begins on the axis of the hand', () => {
    const thumb = [
      { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.01, 0, 0] },
      { name: 'tip', parent: 'leftThumbMetacarpal', at: [0.03, -0.03 * Math.tan(20 * DEGREE), 0.03] },
    ];
    expectSameRotation(correctionOf(estimate(rolled(-2, ...thumb)), 'leftHand'), about.x(2), EXACT);
  });

  test('uses the flat side of a mitten mesh', () => {
    const body = rolled(0.9);
    const found = estimate(body, { vertices: () => pointsOf(body, 'leftHand', MITTEN) });
    expectNear(rotated(correctionOf(found, 'leftHand'), rotated(about.x(0.9), [0, 1, 0])), [0, 1, 0], 1e-7);
    expect(finding(found, 'leftPalm')).toMatchObject({
      confidence: 0.6,
      reason: 'the flat side of the hand, which was rolled by 52°',
    });
    const flat = rolled(0.1);
    const left = estimate(flat, { vertices: () => pointsOf(flat, 'leftHand', MITTEN) });
    expectSameRotation(correctionOf(left, 'leftHand'), IDENTITY, EXACT);
  });

  const MESHES: readonly (readonly [string, string, number])[] = [
    ['the hand', 'leftHand', 0],
    ['a node below the hand', 'mesh', 0],
    ['a node below the hand, except for one vertex,', 'mesh', 1],
  ];

  test.each(MESHES)('finds the roll of a mitten on %s whatever it holds', (_, node, ofWrist) => {
    for (const angle of [0.3, 1.2, 2]) {
      const mesh = { name: 'mesh', parent: 'leftHand' };
      const slot = { name: 'slot', parent: 'leftHand', at: [0.1, 0, 0], turn: about.x(angle) };
      const body = rolled(0.9, mesh, slot);
      const blade = MITTEN.map(([x, y, z]) => [x, y, 10 * z]);
      const parts = [
        pointsOf(body, 'leftHand', MITTEN.slice(0, ofWrist)),
        pointsOf(body, node, MITTEN.slice(ofWrist)),
        pointsOf(body, 'slot', blade),
      ];
      for (const count of [2, 3]) {
        const found = estimate(body, { vertices: () => joinPoints(parts.slice(0, count)) });
        expectNear(rotated(correctionOf(found, 'leftHand'), rotated(about.x(0.9), [0, 1, 0])), [0, 1, 0], 1e-7);
      }
    }
  });

  test('leaves out a small thing in a hand with a skin', () => {
    const body = rolled(0.9, { name: 'book', parent: 'leftHand' });
    const { skeleton } = body;
    const joints = Uint8Array.from(skeleton.names, (name) => (name === 'book' ? 0 : 1));
    const parts = [
      pointsOf(body, 'leftHand', MITTEN),
      pointsOf(
        body,
        'book',
        MITTEN.map(([x, y, z]) => [x, 3 * z, y]),
      ),
    ];
    const vertices = (): ReturnType<typeof pointsOf> => joinPoints(parts);
    const found = estimate({ ...body, skeleton: { ...skeleton, joints } }, { vertices });
    expectNear(rotated(correctionOf(found, 'leftHand'), rotated(about.x(0.9), [0, 1, 0])), [0, 1, 0], 1e-7);
  });

  test('ignores a mesh that is as thick as wide or has few vertices', () => {
    const body = rolled(0.9);
    const stump = MITTEN.map(([x, y, z]) => [x, 4 * y, z]);
    for (const points of [stump, MITTEN.slice(0, 7)]) {
      const found = estimate(body, { vertices: () => pointsOf(body, 'leftHand', points) });
      expect(finding(found, 'leftPalm')?.confidence).toBe(0.3);
    }
  });

  test('uses a bent elbow without other evidence', () => {
    const found = estimate(
      tPoseHumanoid({ leftUpperArm: { turn: about.x(0.7) }, leftLowerArm: { turn: about.y(-1) } }),
    );
    expectSameRotation(correctionOf(found, 'leftUpperArm'), about.x(-0.7), EXACT);
    expect(finding(found, 'leftPalm')).toMatchObject({ confidence: 0.5, reason: expect.stringContaining('elbow') });
  });

  test('keeps a palm without evidence at the roll of the forearm', () => {
    const found = estimate(rolled(1));
    expectSameRotation(correctionOf(found, 'leftHand'), IDENTITY, EXACT);
    // Rigs without fingers are common: nothing to report.
    expect(found.issues).toEqual([]);
  });

  test('reads the vertices only when joints are ambiguous', () => {
    const vertices = (): never => {
      throw new Error('asked for');
    };
    const right = leftFingers().map((node) => ({
      ...node,
      name: node.name.replace('left', 'right'),
      parent: node.parent!.replace('left', 'right'),
      at: [-node.at![0], node.at![1], node.at![2]],
    }));
    expect(() => estimate(tPoseHumanoid({}, ...leftFingers(), ...right), { vertices })).not.toThrow();
    expect(() => estimate(tPoseHumanoid({}, ...leftFingers()), { vertices })).toThrow('asked for');
  });
});

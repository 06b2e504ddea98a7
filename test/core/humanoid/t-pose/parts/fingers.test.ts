import { describe, expect, test } from 'vitest';
import { about, correctionOf, direction, estimate, finding, leftFingers } from '../../../../support/make/estimate.ts';
import { type TinyNode, tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../../support/near.ts';
import { IDENTITY, product, type Quaternion } from '../../../../support/reference/plain.ts';
import { EXACT } from '../../../../support/tolerances.ts';

const H = Math.SQRT1_2;

describe('alignFingers', () => {
  test.each([0.3, 1.2, 2.5, 3.1])('straightens curled fingers with the roll of the hand: %s rad', (curl) => {
    const found = estimate(tPoseHumanoid({}, ...leftFingers(about.z(-curl))));
    expectNear(direction(found, 'leftRingProximal', 'leftRingIntermediate'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftRingIntermediate', 'leftRingDistal'), [1, 0, 0], EXACT);
    expectSameRotation(correctionOf(found, 'leftRingProximal'), about.z(curl), EXACT);
    expect(finding(found, 'leftFingers')?.confidence).toBe(curl > 2 ? 0.6 : 1);
  });

  test('brings spread fingers together', () => {
    const found = estimate(tPoseHumanoid({}, ...leftFingers(about.y(0.3))));
    expectSameRotation(correctionOf(found, 'leftIndexProximal'), about.y(-0.3), EXACT);
  });

  test('takes the shortest arc for fingers along the axis about which they curl', () => {
    const found = estimate(tPoseHumanoid({}, ...leftFingers(about.y(-1.5))));
    expectSameRotation(correctionOf(found, 'leftIndexProximal'), about.y(1.5), EXACT);
  });

  test('uses the node at the tip for the bend of the last joint', () => {
    const tip = { name: 'tip', parent: 'leftIndexDistal', at: [0.02, -0.02, 0] };
    const bent = estimate(tPoseHumanoid({}, ...leftFingers(), tip));
    expectSameRotation(correctionOf(bent, 'leftIndexDistal'), about.z(Math.PI / 4), EXACT);
  });

  test('uses the common local axis of the joints for the last joint without a tip node', () => {
    const bent = (turn: Quaternion): TinyNode[] =>
      leftFingers().map((node) => (node.name === 'leftIndexDistal' ? { ...node, turn } : node));
    const found = estimate(tPoseHumanoid({}, ...bent(about.z(-0.6))));
    expectSameRotation(correctionOf(found, 'leftIndexDistal'), about.z(0.6), EXACT);
  });

  test('uses the local axis of the only joint before the last one where it is a coordinate axis', () => {
    const short = leftFingers()
      .filter(({ name }) => !name.endsWith('Distal'))
      .map((node) => (node.name === 'leftIndexIntermediate' ? { ...node, turn: about.z(-0.6) } : node));
    const found = estimate(tPoseHumanoid({}, ...short));
    expectSameRotation(correctionOf(found, 'leftIndexIntermediate'), about.z(0.6), EXACT);
  });

  test('lets the last joint follow the previous one when local axes differ', () => {
    const crooked = leftFingers().map((node) =>
      node.name === 'leftIndexDistal' ? { ...node, at: [0.03, -0.01, 0], turn: about.z(-0.6) } : node,
    );
    const found = estimate(tPoseHumanoid({}, ...crooked));
    expectSameRotation(correctionOf(found, 'leftIndexDistal'), correctionOf(found, 'leftIndexIntermediate'), EXACT);
    expect(finding(found, 'leftFingers')).toMatchObject({
      confidence: 0.9,
      reason: expect.stringContaining('1 of 12 joints'),
    });
  });

  test('ignores several nodes at the tip', () => {
    const tips = [1, 2].map((k) => ({ name: `tip${k}`, parent: 'leftIndexDistal', at: [0.02, -0.02 * k, 0] }));
    expectSameRotation(
      correctionOf(estimate(tPoseHumanoid({}, ...leftFingers(), ...tips)), 'leftIndexDistal'),
      IDENTITY,
      EXACT,
    );
  });

  test('straightens fingers that are not parented to the hand', () => {
    const beside = leftFingers(about.z(-0.5)).map((node) =>
      node.parent === 'leftHand' ? { ...node, parent: 'hips', at: [0.75 + node.at![0], 0.5, node.at![2]] } : node,
    );
    const found = estimate(tPoseHumanoid({}, ...beside));
    expectNear(direction(found, 'leftMiddleProximal', 'leftMiddleIntermediate'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftHand', 'leftMiddleProximal'), [1, 0, 0], EXACT);
  });
});

describe('alignThumb', () => {
  const thumb = (turn: Quaternion, bend: Quaternion): TinyNode[] => [
    { name: 'leftThumbMetacarpal', parent: 'leftHand', at: [0.02, -0.01, 0.03], turn },
    { name: 'leftThumbProximal', parent: 'leftThumbMetacarpal', at: [0.03, 0, 0.03], turn: bend },
    { name: 'leftThumbDistal', parent: 'leftThumbProximal', at: [0.02, 0, 0.02] },
  ];
  const along = { x: H, z: H };
  const roll = (angle: number): Quaternion => [
    along.x * Math.sin(angle / 2),
    0,
    along.z * Math.sin(angle / 2),
    Math.cos(angle / 2),
  ];

  test('aligns a thumb between X and Z', () => {
    const found = estimate(
      tPoseHumanoid({}, ...leftFingers(), ...thumb(product(about.z(-0.4), about.y(0.3)), IDENTITY)),
    );
    expectNear(direction(found, 'leftThumbMetacarpal', 'leftThumbProximal'), [H, 0, H], EXACT);
    expectNear(direction(found, 'leftThumbProximal', 'leftThumbDistal'), [H, 0, H], EXACT);
    expect(finding(found, 'leftThumb')).toMatchObject({ confidence: 0.7, reason: expect.stringContaining('straight') });
  });

  test('takes the roll from the plane in which a thumb bends', () => {
    const found = estimate(tPoseHumanoid({}, ...leftFingers(), ...thumb(roll(0.6), about.y(0.5))));
    expectSameRotation(correctionOf(found, 'leftThumbMetacarpal'), roll(-0.6), EXACT);
    expect(finding(found, 'leftThumb')).toMatchObject({ confidence: 0.9, reason: expect.stringContaining('34°') });
  });

  test('ignores a slight bend and a bend the wrong way', () => {
    for (const [turn, bend] of [
      [roll(0.6), about.y(0.1)],
      [roll(1.5), about.y(0.5)],
    ] as const) {
      const found = estimate(tPoseHumanoid({}, ...leftFingers(), ...thumb(turn, bend)));
      expectSameRotation(correctionOf(found, 'leftThumbMetacarpal'), IDENTITY, EXACT);
    }
  });
});

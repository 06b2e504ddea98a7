import { describe, expect, test } from 'vitest';
import { about, direction, estimate, finding, leftFingers, turnOf } from '../../../make/estimate.ts';
import { type TinyNode, tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear, expectSameRotation } from '../../../near.ts';
import { IDENTITY, product, type Quaternion } from '../../../reference/plain.ts';
import { EXACT } from '../../../tolerances.ts';

const H = Math.SQRT1_2;

describe('fingers', () => {
  test.each([0.3, 1.2, 2.5, 3.1])(
    'are straightened with the roll of the hand, however far they are curled: %s',
    (curl) => {
      const found = estimate(tBody({}, ...leftFingers(about.z(-curl))));
      expectNear(direction(found, 'leftRingProximal', 'leftRingIntermediate'), [1, 0, 0], EXACT);
      expectNear(direction(found, 'leftRingIntermediate', 'leftRingDistal'), [1, 0, 0], EXACT);
      expectSameRotation(turnOf(found, 'leftRingProximal'), about.z(curl), EXACT);
      expect(finding(found, 'leftFingers')?.confidence).toBe(curl > 2 ? 0.6 : 1);
    },
  );

  test('that are spread come together', () => {
    const found = estimate(tBody({}, ...leftFingers(about.y(0.3))));
    expectSameRotation(turnOf(found, 'leftIndexProximal'), about.y(-0.3), EXACT);
  });

  test('that point along the axis about which they curl go the shortest way', () => {
    const found = estimate(tBody({}, ...leftFingers(about.y(-1.5))));
    expectSameRotation(turnOf(found, 'leftIndexProximal'), about.y(1.5), EXACT);
  });

  test('show by a node at their tip how the last joint is bent', () => {
    const tip = { name: 'tip', parent: 'leftIndexDistal', at: [0.02, -0.02, 0] };
    const bent = estimate(tBody({}, ...leftFingers(), tip));
    expectSameRotation(turnOf(bent, 'leftIndexDistal'), about.z(Math.PI / 4), EXACT);
  });

  test('without one show it by the local axis on which all their joints lie', () => {
    const bent = (turn: Quaternion): TinyNode[] =>
      leftFingers().map((node) => (node.name === 'leftIndexDistal' ? { ...node, turn } : node));
    const found = estimate(tBody({}, ...bent(about.z(-0.6))));
    expectSameRotation(turnOf(found, 'leftIndexDistal'), about.z(0.6), EXACT);
  });

  test('whose joints lie on different local axes leave the last joint as the one before', () => {
    const crooked = leftFingers().map((node) =>
      node.name === 'leftIndexDistal' ? { ...node, at: [0.03, -0.01, 0], turn: about.z(-0.6) } : node,
    );
    const found = estimate(tBody({}, ...crooked));
    expectSameRotation(turnOf(found, 'leftIndexDistal'), turnOf(found, 'leftIndexIntermediate'), EXACT);
    expect(finding(found, 'leftFingers')).toMatchObject({
      confidence: 0.9,
      reason: expect.stringContaining('1 of 12 joints'),
    });
  });

  test('with several nodes at their tip are left alone', () => {
    const tips = [1, 2].map((k) => ({ name: `tip${k}`, parent: 'leftIndexDistal', at: [0.02, -0.02 * k, 0] }));
    expectSameRotation(turnOf(estimate(tBody({}, ...leftFingers(), ...tips)), 'leftIndexDistal'), IDENTITY, EXACT);
  });

  test('that hang beside the hand in the node tree are straightened all the same', () => {
    const beside = leftFingers(about.z(-0.5)).map((node) =>
      node.parent === 'leftHand' ? { ...node, parent: 'hips', at: [0.75 + node.at![0], 0.5, node.at![2]] } : node,
    );
    const found = estimate(tBody({}, ...beside));
    expectNear(direction(found, 'leftMiddleProximal', 'leftMiddleIntermediate'), [1, 0, 0], EXACT);
    expectNear(direction(found, 'leftHand', 'leftMiddleProximal'), [1, 0, 0], EXACT);
  });
});

describe('thumbs', () => {
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

  test('lie between X and Z', () => {
    const found = estimate(tBody({}, ...leftFingers(), ...thumb(product(about.z(-0.4), about.y(0.3)), IDENTITY)));
    expectNear(direction(found, 'leftThumbMetacarpal', 'leftThumbProximal'), [H, 0, H], EXACT);
    expectNear(direction(found, 'leftThumbProximal', 'leftThumbDistal'), [H, 0, H], EXACT);
    expect(finding(found, 'leftThumb')).toMatchObject({ confidence: 0.7, reason: expect.stringContaining('straight') });
  });

  test('that are bent show their roll by the plane of the bend', () => {
    const found = estimate(tBody({}, ...leftFingers(), ...thumb(roll(0.6), about.y(0.5))));
    expectSameRotation(turnOf(found, 'leftThumbMetacarpal'), roll(-0.6), EXACT);
    expect(finding(found, 'leftThumb')).toMatchObject({ confidence: 0.9, reason: expect.stringContaining('34°') });
  });

  test('that are hardly bent, or the wrong way, do not', () => {
    for (const [turn, bend] of [
      [roll(0.6), about.y(0.1)],
      [roll(1.5), about.y(0.5)],
    ] as const) {
      const found = estimate(tBody({}, ...leftFingers(), ...thumb(turn, bend)));
      expectSameRotation(turnOf(found, 'leftThumbMetacarpal'), IDENTITY, EXACT);
    }
  });
});

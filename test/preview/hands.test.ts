import { describe, expect, it } from 'vitest';
import { BONE, type BoneName } from '../../src/core/humanoid/bones.ts';
import type { SheetSkeleton } from '../../src/preview/cell.ts';
import { drawHands, fingerJoints, layoutHands } from '../../src/preview/hands.ts';

/** Joints of the left arm in a T-pose: elbow, wrist, a thumb of two joints, an index finger of one with an end. */
const JOINTS: readonly [BoneName | null, number, readonly [number, number, number]][] = [
  ['leftLowerArm', -1, [0, 1, 0]],
  ['leftHand', 0, [0.25, 1, 0]],
  ['leftThumbMetacarpal', 1, [0.28, 1, 0.03]],
  ['leftThumbProximal', 2, [0.3, 1, 0.05]],
  ['leftIndexProximal', 1, [0.35, 1, 0.02]],
  [null, 4, [0.4, 1, 0.02]],
];

function handBody(leave: readonly BoneName[] = []): { body: SheetSkeleton; positions: Float64Array } {
  const bones = new Int32Array(55).fill(-1);
  for (const [joint, [bone]] of JOINTS.entries()) if (bone !== null && !leave.includes(bone)) bones[BONE[bone]] = joint;
  const parents = JOINTS.map(([, parent]) => parent);
  const positions = Float64Array.from(JOINTS.flatMap(([, , place]) => place));
  return { body: { parents, bones, height: 1.7, ground: 0 }, positions };
}

describe('layoutHands', () => {
  it('shows the left hand from above with the camera in front: fingers to the right, thumb below', () => {
    const { body, positions } = handBody();
    const layout = layoutHands(body, positions, 300, []);
    expect(layout?.hands.map(({ side }) => side)).toEqual(['left']);
    const [{ arm, fingers }] = layout!.hands;
    expect(arm[0]).toBeLessThan(0);
    expect(fingers.map(({ name, joints, line }) => [name, joints, line.length])).toEqual([
      ['Thumb', 2, 3],
      ['Index', 1, 3],
    ]);
    const [thumb, index] = fingers.map(({ line }) => line[line.length - 1]);
    expect(index[0]).toBeGreaterThan(thumb[0]);
    expect(thumb[1]).toBeGreaterThan(index[1]);
  });

  it('grows with the figure, within bounds', () => {
    const { body, positions } = handBody();
    const widths = [10, 118, 300, 10_000].map((figure) => layoutHands(body, positions, figure, [])!.width);
    expect(widths[0]).toBeLessThanOrEqual(widths[1]);
    expect(widths[2]).toBeGreaterThan(widths[1]);
    expect(widths[3]).toBeLessThan(2 * widths[2]);
  });

  it('labels fingers with finger names or node names', () => {
    const { body, positions } = handBody();
    expect(layoutHands(body, positions, 300, [])!.labels).toEqual([['thumb', 'index']]);
    const names = [
      { joint: 2, name: 'a1' },
      { joint: 3, name: 'a2' },
      { joint: 4, name: 'b' },
    ];
    expect(layoutHands(body, positions, 300, names)!.labels).toEqual([['a1 · a2', 'b']]);
    const bones = [{ joint: 2, name: 'leftThumbMetacarpal' }];
    expect(layoutHands(body, positions, 300, bones)!.labels[0][0]).toBe('thumb');
  });

  it('returns null without fingers, hands or bones', () => {
    const { body, positions } = handBody(['leftThumbMetacarpal', 'leftThumbProximal', 'leftIndexProximal']);
    expect(layoutHands(body, positions, 300, [])).toBeNull();
    expect(layoutHands({ ...body, bones: null }, positions, 300, [])).toBeNull();
  });

  it('shows the direction of a finger whose only joint is at the wrist', () => {
    const { body, positions } = handBody(['leftThumbMetacarpal', 'leftThumbProximal']);
    positions.set([0.25, 1, 0], 12);
    positions.set([0.31, 1, 0], 15);
    const [{ fingers }] = layoutHands(body, positions, 300, [])!.hands;
    expect(fingers[0].line.at(-1)![0]).toBeGreaterThan(50);
  });

  it('accepts joints that coincide', () => {
    const { body } = handBody();
    const layout = layoutHands(body, new Float64Array(18), 300, []);
    expect(drawHands(layout!, 0, 0)).not.toMatch(/NaN|Infinity/);
  });
});

describe('drawHands', () => {
  it('draws a dot at every joint of a bone and a label at every finger', () => {
    const { body, positions } = handBody();
    const svg = drawHands(layoutHands(body, positions, 300, [])!, 0, 100);
    expect(svg.match(/<circle/g)).toHaveLength(4);
    expect(svg.match(/<text/g)).toHaveLength(2);
  });
});

it('fingerJoints: lists the joints of all fingers', () => {
  const { body } = handBody();
  expect([...fingerJoints(body)].filter((joint) => joint >= 0).sort()).toEqual([2, 3, 4]);
});

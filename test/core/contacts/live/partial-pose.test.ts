import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createPartialPose,
  fromEntryAxes,
  poseEntries,
  ROWS_STRIDE,
  toEntryAxes,
} from '../../../../src/core/contacts/live/partial-pose.ts';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { tinyHumanoid } from '../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../support/near.ts';
import { worldPose } from '../../../support/reference/plain.ts';
import { EXACT } from '../../../support/tolerances.ts';

const SCALE = fc.double({ min: 0.1, max: 10, noNaN: true });
/** A uniform scale, or a different one for each axis. */
const SCALES = fc.oneof(
  SCALE.map((s) => [s, s, s] as const),
  fc.tuple(SCALE, SCALE, SCALE),
  fc.constant([1, 1, 1] as const),
);
const COMPONENT = fc.double({ min: -1, max: 1, noNaN: true });
const VECTOR = fc.tuple(COMPONENT, COMPONENT, COMPONENT);

function posed(scale: readonly [number, number, number], at: readonly [number, number, number]) {
  const half = Math.SQRT1_2;
  const humanoid = tinyHumanoid(
    { name: 'hips', at: [0, 1, 0], turn: [0, half, 0, half], scale },
    { name: 'leftUpperLeg', parent: 'hips', at, turn: [half, 0, 0, half] },
  );
  const pose = createPartialPose(humanoid, [[humanoid.map.nodes[BONE.leftUpperLeg]]]);
  poseEntries(pose, humanoid.skeleton.rest, 1, pose.nodes.length);
  return { humanoid, pose };
}

describe('poseEntries', () => {
  test('puts joints where plain forward kinematics has them', () => {
    fc.assert(
      fc.property(SCALES, VECTOR, (scale, at) => {
        const { humanoid, pose } = posed(scale, at);
        const { positions } = worldPose(humanoid.skeleton.parents, humanoid.skeleton.rest);
        for (let entry = 1; entry < pose.nodes.length; entry++) {
          const position = [3, 7, 11].map((offset) => pose.matrices[ROWS_STRIDE * entry + offset]);
          expectNear(position, positions[pose.nodes[entry]], 20 * EXACT);
        }
      }),
    );
  });
});

describe('toEntryAxes', () => {
  test('rotates without scaling, and fromEntryAxes rotates back', () => {
    fc.assert(
      fc.property(SCALE, VECTOR, (scale, v) => {
        const { pose } = posed([scale, scale, scale], [0.1, -0.2, 0.3]);
        const vector = Float64Array.from(v);
        const there = new Float64Array(3);
        const back = new Float64Array(3);
        toEntryAxes(there, 0, pose, 2, vector, 0);
        fromEntryAxes(back, 0, pose, 2, there, 0);
        expect(Math.hypot(...there)).toBeCloseTo(Math.hypot(...v), 12);
        expectNear(back, v, EXACT);
      }),
    );
  });

  test('ignores different scales of the axes, too', () => {
    const { pose } = posed([1, 2, 4], [0, 0, 0]);
    const out = new Float64Array(3);
    // The hips are rotated by 90° about Y: their X axis points backward.
    toEntryAxes(out, 0, pose, 1, Float64Array.of(0, 0, -1), 0);
    expectNear(out, [1, 0, 0], EXACT);
    fromEntryAxes(out, 0, pose, 1, Float64Array.of(0, 1, 0), 0);
    expectNear(out, [0, 1, 0], EXACT);
  });
});

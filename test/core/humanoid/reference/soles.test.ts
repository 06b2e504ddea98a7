import { describe, expect, test } from 'vitest';
import { nodePose } from '../../../../src/core/humanoid/reference/model-pose.ts';
import { soleHeading, solePitch } from '../../../../src/core/humanoid/reference/soles.ts';
import { type TurnedBody, turnedBody } from '../../../../src/core/humanoid/reference/turned-body.ts';
import { pointsOf } from '../../../make/estimate.ts';
import { tBody } from '../../../make/tiny-humanoid.ts';
import { expectNear } from '../../../near.ts';

type Point = readonly [number, number, number];

/** A body whose left foot has these vertices around the ankle. */
function shod(points: readonly Point[] | null): TurnedBody {
  const body = tBody();
  return turnedBody({
    skeleton: body.skeleton,
    nodes: body.map.nodes,
    pose: nodePose(body.skeleton),
    attitude: Float64Array.of(0, 0, 0, 1),
    plantedSlope: () => null,
    vertices: () => (points === null ? null : pointsOf(body, 'leftFoot', points)),
  });
}

/** A foot seen from the side, [z, y], as broad as 6 cm. */
function foot(...outline: readonly (readonly [number, number])[]): Point[] {
  return outline.flatMap(([z, y]): Point[] => [
    [-0.03, y, z],
    [0.03, y, z],
  ]);
}

describe('solePitch', () => {
  test('is the slope of the edge on which the foot stands', () => {
    const flat = foot([-0.06, -0.1], [0.15, -0.1], [0.2, -0.07], [0.1, 0], [-0.05, 0]);
    expect(solePitch(shod(flat), 'left')).toBeCloseTo(0, 7);
    const rising = flat.map(([x, y, z]): Point => [x, y + 0.2 * z, z]);
    expect(solePitch(shod(rising), 'left')).toBeCloseTo(Math.atan(0.2), 6);
  });

  test('is that from heel to ball of a shoe with a high heel', () => {
    const pump = foot([-0.06, -0.1], [-0.04, -0.1], [0, -0.04], [0.12, -0.1], [0.2, -0.09], [0, 0.02]);
    expect(solePitch(shod(pump), 'left')).toBeCloseTo(0, 7);
  });

  test('does not mind vertices that bend the sole by a rounding', () => {
    const outline = [-0.06, -0.02, 0.02, 0.06, 0.1, 0.14].map((z) => [z, -0.1 + 1e-5 * z * z] as const);
    expect(solePitch(shod(foot(...outline, [0.16, -0.05], [0, 0])), 'left')).toBeCloseTo(0, 4);
  });

  test('is null for what is round, for what stands on end and without a mesh', () => {
    const ball = Array.from({ length: 24 }, (_, k) => [Math.sin(k), Math.cos(k)] as const);
    expect(solePitch(shod(foot(...ball)), 'left')).toBeNull();
    const onEnd = foot([0, -0.3], [0.02, -0.3], [0.05, 0], [0, 0]);
    expect(solePitch(shod(onEnd), 'left')).toBeNull();
    expect(solePitch(shod(null), 'left')).toBeNull();
    expect(solePitch(shod(foot([0, 0])), 'left')).toBeNull();
  });
});

describe('soleHeading', () => {
  const toes = (angle: number): Point[] => {
    const [x, z] = [0.2 * Math.sin(angle), 0.2 * Math.cos(angle)];
    return [...foot([-0.05, -0.1], [0.05, -0.1], [0, 0]), [x, -0.1, z], [x, -0.05, z]];
  };

  test('is the way to the toes', () => {
    expectNear(soleHeading(shod(toes(0.5)), 'left') ?? [], [Math.sin(0.5), 0, Math.cos(0.5)], 1e-6);
  });

  test('is straight ahead where the foot is but lopsided', () => {
    expect(soleHeading(shod(toes(0.1)), 'left')).toEqual(Float64Array.of(0, 0, 1));
  });

  test('is null for a foot as long to the back as to the front, and without a mesh', () => {
    const stump = foot([-0.1, -0.1], [0.1, -0.1], [-0.1, 0], [0.1, 0]);
    expect(soleHeading(shod(stump), 'left')).toBeNull();
    expect(soleHeading(shod(null), 'left')).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import { createEstimatorState, type EstimatorState } from '../../../../../src/core/humanoid/t-pose/estimator-state.ts';
import { restModelPose } from '../../../../../src/core/humanoid/t-pose/model-pose.ts';
import { findSoleHeading, findSolePitch } from '../../../../../src/core/humanoid/t-pose/parts/soles.ts';
import { pointsOf } from '../../../../support/make/estimate.ts';
import { tPoseHumanoid } from '../../../../support/make/tiny-humanoid.ts';
import { expectNear } from '../../../../support/near.ts';

type Point = readonly [number, number, number];

/** The state of a humanoid whose left foot has these vertices around the ankle. */
function shod(points: readonly Point[] | null): EstimatorState {
  const body = tPoseHumanoid();
  return createEstimatorState({
    skeleton: body.skeleton,
    nodes: body.map.nodes,
    pose: restModelPose(body.skeleton),
    frame: Float64Array.of(0, 0, 0, 1),
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

describe('findSolePitch', () => {
  test('returns the slope of the edge on the ground', () => {
    const flat = foot([-0.06, -0.1], [0.15, -0.1], [0.2, -0.07], [0.1, 0], [-0.05, 0]);
    expect(findSolePitch(shod(flat), 'left')).toBeCloseTo(0, 7);
    const rising = flat.map(([x, y, z]): Point => [x, y + 0.2 * z, z]);
    expect(findSolePitch(shod(rising), 'left')).toBeCloseTo(Math.atan(0.2), 6);
  });

  test('returns the slope from heel to ball of a high heel', () => {
    const pump = foot([-0.06, -0.1], [-0.04, -0.1], [0, -0.04], [0.12, -0.1], [0.2, -0.09], [0, 0.02]);
    expect(findSolePitch(shod(pump), 'left')).toBeCloseTo(0, 7);
  });

  test('merges edges that differ by rounding', () => {
    const outline = [-0.06, -0.02, 0.02, 0.06, 0.1, 0.14].map((z) => [z, -0.1 + 1e-5 * z * z] as const);
    expect(findSolePitch(shod(foot(...outline, [0.16, -0.05], [0, 0])), 'left')).toBeCloseTo(0, 4);
  });

  test('returns null for round meshes, meshes on end and without a mesh', () => {
    const ball = Array.from({ length: 24 }, (_, k) => [Math.sin(k), Math.cos(k)] as const);
    expect(findSolePitch(shod(foot(...ball)), 'left')).toBeNull();
    const onEnd = foot([0, -0.3], [0.02, -0.3], [0.05, 0], [0, 0]);
    expect(findSolePitch(shod(onEnd), 'left')).toBeNull();
    expect(findSolePitch(shod(null), 'left')).toBeNull();
    expect(findSolePitch(shod(foot([0, 0])), 'left')).toBeNull();
  });
});

describe('findSoleHeading', () => {
  const toes = (angle: number): Point[] => {
    const [x, z] = [0.2 * Math.sin(angle), 0.2 * Math.cos(angle)];
    return [...foot([-0.05, -0.1], [0.05, -0.1], [0, 0]), [x, -0.1, z], [x, -0.05, z]];
  };

  test('returns the direction of the toes', () => {
    expectNear(findSoleHeading(shod(toes(0.5)), 'left') ?? [], [Math.sin(0.5), 0, Math.cos(0.5)], 1e-6);
  });

  test('returns +Z for an asymmetric foot', () => {
    expect(findSoleHeading(shod(toes(0.1)), 'left')).toEqual(Float64Array.of(0, 0, 1));
  });

  test('returns null for a foot as long to the back as to the front and without a mesh', () => {
    const stump = foot([-0.1, -0.1], [0.1, -0.1], [-0.1, 0], [0.1, 0]);
    expect(findSoleHeading(shod(stump), 'left')).toBeNull();
    expect(findSoleHeading(shod(null), 'left')).toBeNull();
  });
});

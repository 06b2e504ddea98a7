import { beforeEach, describe, expect, it } from 'vitest';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import {
  blendedBlock,
  transformDirections,
  transformPoints,
  transformPointsAndNormals,
} from '../../../src/core/deform/vertices.ts';

/** Vertices 0 and 2 on joint 0, vertex 1 on joint 1: two bundles. */
const plan = planSkin(
  { kind: 'vertex', jointsPerVertex: 1, indices: Uint16Array.of(0, 1, 0), weights: Float32Array.of(1, 1, 1) },
  3,
  2,
);
/** Scale 2 with translation along x; a rotation by 90° about z. */
const blended = Float64Array.of(...[2, 0, 0, 0, 2, 0, 0, 0, 2, 10, 0, 0], ...[0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0]);

describe('transforms of bundles', () => {
  beforeEach(() => blendedBlock().set(blended));

  it('transformPoints: applies the matrix of each bundle', () => {
    const points = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const out = new Float32Array(9);
    transformPoints(plan, 0, 2, points, out);
    expect([...out]).toEqual([12, 4, 6, -5, 4, 6, 24, 16, 18]);
  });

  it('transformPointsAndNormals: equals transformPoints and transformDirections', () => {
    const points = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const normals = Float32Array.of(1, 0, 0, 0.6, 0.8, 0, 0, 0, 1);
    const apart = [new Float32Array(9), new Float32Array(9)];
    transformPoints(plan, 0, 2, points, apart[0]);
    transformDirections(plan, 0, 2, normals, apart[1], 3);
    const outNormals = new Float32Array(9);
    transformPointsAndNormals(plan, 0, 2, points, points, normals, outNormals);
    expect([points, outNormals]).toEqual(apart);
    expect([...outNormals]).toEqual(Array.from(Float32Array.of(1, 0, 0, -0.8, 0.6, 0, 0, 0, 1)));
  });

  it('transformPointsAndNormals: gives the same result for large and small bundles', () => {
    const indices = Uint16Array.from({ length: 12 }, (_, v) => v % 2);
    const many = planSkin(
      { kind: 'vertex', jointsPerVertex: 1, indices, weights: new Float32Array(12).fill(1) },
      12,
      2,
    );
    const points = Float64Array.from({ length: 36 }, (_, c) => c);
    const expected = new Float64Array(36);
    transformPoints(many, 0, 2, points, expected);
    const out = [new Float64Array(36), new Float64Array(36)];
    transformPointsAndNormals(many, 0, 2, points, out[0], points, out[1]);
    expect(out[0]).toEqual(expected);
    transformDirections(many, 0, 2, points, expected, 3);
    expect(out[1]).toEqual(expected);
  });

  it('transformPoints: leaves vertices of other bundles unchanged', () => {
    const out = new Float64Array(9).fill(-1);
    blendedBlock().set(blended.subarray(12));
    transformPoints(plan, 1, 2, Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), out);
    expect([...out]).toEqual([-1, -1, -1, -5, 4, 6, -1, -1, -1]);
  });

  it('transformDirections: copies the handedness of tangents, and keeps zero directions', () => {
    const tangents = Float64Array.of(0, 3, 0, -1, 1, 0, 0, 1, 0, 0, 0, -1);
    transformDirections(plan, 0, 2, tangents, tangents, 4);
    expect([...tangents]).toEqual([0, 1, 0, -1, 0, 1, 0, 1, 0, 0, 0, -1]);
  });
});

import { describe, expect, it } from 'vitest';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { movePoints, movePointsAndNormals, turnDirections } from '../../../src/core/deform/vertices.ts';

/** Vertices 0 and 2 on joint 0, vertex 1 on joint 1: two bundles. */
const plan = planSkin(
  { kind: 'vertex', jointsPerVertex: 1, indices: Uint16Array.of(0, 1, 0), weights: Float32Array.of(1, 1, 1) },
  3,
  2,
);
/** Twice as large and moved along x; a quarter turn about z. */
const blended = Float64Array.of(...[2, 0, 0, 0, 2, 0, 0, 0, 2, 10, 0, 0], ...[0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0]);

describe('the vertices of bundles', () => {
  it('are moved by the matrix of their bundle', () => {
    const points = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const out = new Float32Array(9);
    movePoints(plan, 0, 2, blended, points, out);
    expect([...out]).toEqual([12, 4, 6, -5, 4, 6, 24, 16, 18]);
  });

  it('are moved with their normals at once as they are apart', () => {
    const points = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const normals = Float32Array.of(1, 0, 0, 0.6, 0.8, 0, 0, 0, 1);
    const apart = [new Float32Array(9), new Float32Array(9)];
    movePoints(plan, 0, 2, blended, points, apart[0]);
    turnDirections(plan, 0, 2, blended, normals, apart[1], 3);
    const outNormals = new Float32Array(9);
    movePointsAndNormals(plan, 0, 2, blended, points, points, normals, outNormals);
    expect([points, outNormals]).toEqual(apart);
    expect([...outNormals]).toEqual(Array.from(Float32Array.of(1, 0, 0, -0.8, 0.6, 0, 0, 0, 1)));
  });

  it('are left alone where their bundle is not asked for', () => {
    const out = new Float64Array(9).fill(-1);
    movePoints(plan, 1, 2, blended.subarray(12), Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), out);
    expect([...out]).toEqual([-1, -1, -1, -5, 4, 6, -1, -1, -1]);
  });

  it('keep the handedness of their tangents, and a direction without length', () => {
    const tangents = Float64Array.of(0, 3, 0, -1, 1, 0, 0, 1, 0, 0, 0, -1);
    turnDirections(plan, 0, 2, blended, tangents, tangents, 4);
    expect([...tangents]).toEqual([0, 1, 0, -1, 0, 1, 0, 1, 0, 0, 0, -1]);
  });
});

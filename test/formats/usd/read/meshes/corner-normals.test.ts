import { describe, expect, it } from 'vitest';
import { unitNormals } from '../../../../../src/formats/usd/read/meshes/mesh-primitives.ts';
import type { UsdPolygons } from '../../../../../src/formats/usd/read/meshes/read-polygons.ts';
import type { PrimvarValues } from '../../../../../src/formats/usd/read/meshes/read-primvars.ts';
import { plainNumbers } from '../mesh-scene.ts';

/** A triangle in the plane z = 0, and a degenerate one. */
const POLYGONS: UsdPolygons = {
  points: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  corners: Int32Array.of(0, 1, 2, 0, 0, 0),
  starts: Int32Array.of(0, 3, 6),
  isLeftHanded: false,
  holes: new Uint8Array(2),
};

function normals(indices: number[], ...values: number[]): PrimvarValues {
  return {
    width: 3,
    values: Float32Array.from(values),
    indices: Int32Array.from(indices),
    interpolation: 'faceVarying',
  };
}

describe('unitNormals', () => {
  it('normalizes the normals of the corners', () => {
    const given = normals([0, 1, 0, 0, 0, 0], 0, 0, 2, 3, 0, 4);
    expect(plainNumbers(unitNormals(POLYGONS, given, Int32Array.of(1, 0)))).toEqual([0.6, 0, 0.8, 0, 0, 1]);
  });

  it('uses the face normal for corners without a usable normal', () => {
    const given = normals([-1, 0, 1, -1, -1, -1], 0, 0, 0, Number.NaN, 0, 1);
    const all = Int32Array.of(0, 1, 2);
    expect(plainNumbers(unitNormals(POLYGONS, given, all))).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
    const mirrored = { ...POLYGONS, isLeftHanded: true };
    expect(plainNumbers(unitNormals(mirrored, given, all))).toEqual([0, 0, -1, 0, 0, -1, 0, 0, -1]);
  });

  it('uses +Y for degenerate faces', () => {
    expect(plainNumbers(unitNormals(POLYGONS, normals(Array(6).fill(-1)), Int32Array.of(4)))).toEqual([0, 1, 0]);
  });
});

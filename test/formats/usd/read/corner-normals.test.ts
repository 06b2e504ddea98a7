import { describe, expect, it } from 'vitest';
import { unitNormals } from '../../../../src/formats/usd/read/corner-normals.ts';
import type { UsdPolygons } from '../../../../src/formats/usd/read/read-polygons.ts';
import type { PrimvarValues } from '../../../../src/formats/usd/read/read-primvars.ts';
import { plainNumbers } from './meshes.ts';

/** A triangle in the plane z = 0, and one without an area. */
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

describe('normals of vertices', () => {
  it('are those of the corners that they are made of, of length 1', () => {
    const given = normals([0, 1, 0, 0, 0, 0], 0, 0, 2, 3, 0, 4);
    expect(plainNumbers(unitNormals(POLYGONS, given, Int32Array.of(1, 0)))).toEqual([0.6, 0, 0.8, 0, 0, 1]);
  });

  it('are those of the face where a corner has none, or one without a length', () => {
    const given = normals([-1, 0, 1, -1, -1, -1], 0, 0, 0, Number.NaN, 0, 1);
    const all = Int32Array.of(0, 1, 2);
    expect(plainNumbers(unitNormals(POLYGONS, given, all))).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1]);
    const mirrored = { ...POLYGONS, isLeftHanded: true };
    expect(plainNumbers(unitNormals(mirrored, given, all))).toEqual([0, 0, -1, 0, 0, -1, 0, 0, -1]);
  });

  it('look up where the face has none either', () => {
    expect(plainNumbers(unitNormals(POLYGONS, normals(Array(6).fill(-1)), Int32Array.of(4)))).toEqual([0, 1, 0]);
  });
});

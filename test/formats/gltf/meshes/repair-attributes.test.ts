import { describe, expect, it } from 'vitest';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import {
  clampedColors,
  finiteAttribute,
  unitNormals,
  unitTangents,
} from '../../../../src/formats/gltf/meshes/repair-attributes.ts';
import { expectNear } from '../../../support/near.ts';

const FLOAT32 = 1e-6;
/** A triangle that faces −Z, and a separate vertex. */
const POSITIONS = Float32Array.of(0, 0, 0, 0, 1, 0, 1, 0, 0, 5, 5, 5);
const TRIANGLES = { mode: 'triangles', positions: POSITIONS } as const;

describe('finiteAttribute', () => {
  it('keeps finite values and replaces others by 0', () => {
    const repairs: IssueTally = new Map();
    const sound = Float32Array.of(1, -2, 3e38);
    expect(finiteAttribute(sound, 'positions', repairs)).toBe(sound);
    expect(repairs.size).toBe(0);
    const wrong = Float32Array.of(1, Number.NaN, Number.POSITIVE_INFINITY);
    expect(Array.from(finiteAttribute(wrong, 'positions', repairs))).toEqual([1, 0, 0]);
    expect([...repairs]).toEqual([['NaN or infinite values of positions (set to 0)', 2]]);
  });
});

describe('unitNormals', () => {
  it('returns unit normals unchanged', () => {
    const normals = Float32Array.of(0, 0, 1, 0, 1.0003, 0, 1, 0, 0, 0.6, 0.8, 0);
    const repairs: IssueTally = new Map();
    expect(unitNormals(normals, TRIANGLES, null, repairs)).toBe(normals);
    expect(repairs.size).toBe(0);
  });

  it('normalizes normals of any length', () => {
    const normals = Float32Array.of(0, 3e-10, 4e-10, 3e30, 4e30, 0, 0, 0, 2, 0, 0, 1);
    const mended = unitNormals(normals, TRIANGLES, null, new Map());
    expectNear(mended, [0, 0.6, 0.8, 0.6, 0.8, 0, 0, 0, 1, 0, 0, 1], FLOAT32);
  });

  it('computes normals of length 0 from adjacent triangles, else +Y', () => {
    const repairs: IssueTally = new Map();
    const given = Float32Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
    const normals = unitNormals(given, TRIANGLES, Uint32Array.of(0, 1, 2), repairs);
    expectNear(normals, [0, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, 0], FLOAT32);
    expect([...repairs.values()]).toEqual([3]);
    expectNear(unitNormals(new Float32Array(3), { mode: 'points', positions: POSITIONS }, null, repairs), [0, 1, 0], 0);
    const unindexed = unitNormals(new Float32Array(9), TRIANGLES, null, repairs);
    expectNear(unindexed, [0, 0, -1, 0, 0, -1, 0, 0, -1], FLOAT32);
  });
});

describe('unitTangents', () => {
  it('normalizes tangents and handedness; tangents of length 0 become perpendicular to the normal', () => {
    const normals = Float32Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0);
    const sound = Float32Array.of(1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 1);
    expect(unitTangents(sound, normals, new Map())).toBe(sound);
    const repairs: IssueTally = new Map();
    const tangents = unitTangents(Float32Array.of(2, 0, 0, 0.5, 0, 0, 0, -3, 0, 0, 1, 0), normals, repairs);
    expectNear(tangents.subarray(0, 4), [1, 0, 0, 1], FLOAT32);
    expect(tangents[4]).toBe(0);
    expect(Math.hypot(tangents[5], tangents[6])).toBeCloseTo(1, 6);
    expect(tangents[7]).toBe(-1);
    expectNear(tangents.subarray(8), [0, 0, 1, 1], FLOAT32);
    expect([...repairs.values()]).toEqual([3]);
  });
});

describe('clampedColors', () => {
  it('clamps values to 0…1', () => {
    const repairs: IssueTally = new Map();
    const sound = Float32Array.of(0, 0.5, 1, 1);
    expect(clampedColors(sound, repairs)).toBe(sound);
    expect(Array.from(clampedColors(Float32Array.of(-1, 0.5, 2, 1), repairs))).toEqual([0, 0.5, 1, 1]);
    expect([...repairs.values()]).toEqual([2]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  clampedColors,
  finiteAttribute,
  unitNormals,
  unitTangents,
} from '../../../../src/formats/gltf/geometry/mend-attributes.ts';
import type { Mends } from '../../../../src/formats/gltf/mends.ts';
import { expectNear } from '../../../near.ts';

const FLOAT32 = 1e-6;
/** A triangle that faces −Z, and a vertex of its own. */
const POSITIONS = Float32Array.of(0, 0, 0, 0, 1, 0, 1, 0, 0, 5, 5, 5);
const TRIANGLES = { mode: 'triangles', positions: POSITIONS } as const;

describe('finiteAttribute', () => {
  it('gives back what is finite, and 0 for what is not', () => {
    const mends: Mends = new Map();
    const sound = Float32Array.of(1, -2, 3e38);
    expect(finiteAttribute(sound, 'positions', mends)).toBe(sound);
    expect(mends.size).toBe(0);
    const wrong = Float32Array.of(1, Number.NaN, Number.POSITIVE_INFINITY);
    expect(Array.from(finiteAttribute(wrong, 'positions', mends))).toEqual([1, 0, 0]);
    expect([...mends]).toEqual([['numbers of positions that are not finite (0)', 2]]);
  });
});

describe('unitNormals', () => {
  it('gives back unit normals as they are', () => {
    const normals = Float32Array.of(0, 0, 1, 0, 1.0003, 0, 1, 0, 0, 0.6, 0.8, 0);
    const mends: Mends = new Map();
    expect(unitNormals(normals, TRIANGLES, null, mends)).toBe(normals);
    expect(mends.size).toBe(0);
  });

  it('makes others unit, of any size', () => {
    const normals = Float32Array.of(0, 3e-10, 4e-10, 3e30, 4e30, 0, 0, 0, 2, 0, 0, 1);
    const mended = unitNormals(normals, TRIANGLES, null, new Map());
    expectNear(mended, [0, 0.6, 0.8, 0.6, 0.8, 0, 0, 0, 1, 0, 0, 1], FLOAT32);
  });

  it('takes those without direction from the triangles around them, else +Y', () => {
    const mends: Mends = new Map();
    const given = Float32Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
    const normals = unitNormals(given, TRIANGLES, Uint32Array.of(0, 1, 2), mends);
    expectNear(normals, [0, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1, 0], FLOAT32);
    expect([...mends.values()]).toEqual([3]);
    expectNear(unitNormals(new Float32Array(3), { mode: 'points', positions: POSITIONS }, null, mends), [0, 1, 0], 0);
    const unindexed = unitNormals(new Float32Array(9), TRIANGLES, null, mends);
    expectNear(unindexed, [0, 0, -1, 0, 0, -1, 0, 0, -1], FLOAT32);
  });
});

describe('unitTangents', () => {
  it('makes them unit with a sign, and across the normal where they have no direction', () => {
    const normals = Float32Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0);
    const sound = Float32Array.of(1, 0, 0, 1, 0, 1, 0, -1, 0, 0, 1, 1);
    expect(unitTangents(sound, normals, new Map())).toBe(sound);
    const mends: Mends = new Map();
    const tangents = unitTangents(Float32Array.of(2, 0, 0, 0.5, 0, 0, 0, -3, 0, 0, 1, 0), normals, mends);
    expectNear(tangents.subarray(0, 4), [1, 0, 0, 1], FLOAT32);
    expect(tangents[4]).toBe(0);
    expect(Math.hypot(tangents[5], tangents[6])).toBeCloseTo(1, 6);
    expect(tangents[7]).toBe(-1);
    expectNear(tangents.subarray(8), [0, 0, 1, 1], FLOAT32);
    expect([...mends.values()]).toEqual([3]);
  });
});

describe('clampedColors', () => {
  it('cuts off what is outside of 0…1', () => {
    const mends: Mends = new Map();
    const sound = Float32Array.of(0, 0.5, 1, 1);
    expect(clampedColors(sound, mends)).toBe(sound);
    expect(Array.from(clampedColors(Float32Array.of(-1, 0.5, 2, 1), mends))).toEqual([0, 0.5, 1, 1]);
    expect([...mends.values()]).toEqual([2]);
  });
});

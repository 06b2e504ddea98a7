import { describe, expect, it } from 'vitest';
import type { MorphTarget } from '../../../../src/core/asset/geometry.ts';
import { accessorPool } from '../../../../src/formats/gltf/accessor-pool.ts';
import { writeMorphTargets } from '../../../../src/formats/gltf/geometry/write-morph-targets.ts';
import { createDocument, type JsonObject, readFloats } from '../../../../src/formats/gltf/index.ts';
import type { Mends } from '../../../../src/formats/gltf/mends.ts';

const STILL: MorphTarget = { vertices: null, positions: null, normals: null, tangents: null };
const BOTH = { NORMAL: true, TANGENT: true };

function written(morphTargets: readonly MorphTarget[], vertexCount: number, base = BOTH, count = morphTargets.length) {
  const pool = accessorPool(createDocument());
  const mends: Mends = new Map();
  const targets = writeMorphTargets(pool, { morphTargets, vertexCount }, base, count, mends);
  const accessors = pool.doc.json['accessors'] as JsonObject[];
  const valuesOf = (target: number, semantic: string) => {
    return Array.from(readFloats(pool.doc, targets[target][semantic] as number));
  };
  const jsonOf = (target: number, semantic: string) => accessors[targets[target][semantic] as number];
  return { targets, valuesOf, jsonOf, mends: [...mends.values()] };
}

describe('writeMorphTargets', () => {
  it('stores targets of all vertices dense', () => {
    const positions = Float32Array.of(1, 2, 3, 0, 0, 0);
    const { targets, valuesOf, jsonOf } = written([{ ...STILL, positions }], 2);
    expect(Object.keys(targets[0])).toEqual(['POSITION']);
    expect(valuesOf(0, 'POSITION')).toEqual([1, 2, 3, 0, 0, 0]);
    expect(jsonOf(0, 'POSITION')).toMatchObject({ min: [0, 0, 0], max: [1, 2, 3] });
    expect(jsonOf(0, 'POSITION')).not.toHaveProperty('sparse');
  });

  it('stores targets of some vertices sparse where that is smaller', () => {
    const target = { ...STILL, vertices: Uint32Array.of(3), positions: Float32Array.of(1, 2, 3) };
    const few = written([target], 5);
    expect(few.jsonOf(0, 'POSITION')).toHaveProperty('sparse');
    expect(few.valuesOf(0, 'POSITION')).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0]);
    const all = { ...STILL, vertices: Uint32Array.of(0, 1), positions: Float32Array.of(1, 2, 3, 4, 5, 6) };
    expect(written([all], 2).jsonOf(0, 'POSITION')).not.toHaveProperty('sparse');
  });

  it('gives all targets the same attributes: zeros without bytes where one has nothing', () => {
    const normals = Float32Array.of(0, 0, 1);
    const { targets, valuesOf, jsonOf } = written(
      [
        { ...STILL, positions: normals },
        { ...STILL, normals },
      ],
      1,
    );
    expect(targets.map(Object.keys)).toEqual([
      ['POSITION', 'NORMAL'],
      ['POSITION', 'NORMAL'],
    ]);
    expect(valuesOf(1, 'POSITION')).toEqual([0, 0, 0]);
    expect(jsonOf(1, 'POSITION')).toEqual({
      componentType: 5126,
      count: 1,
      type: 'VEC3',
      min: [0, 0, 0],
      max: [0, 0, 0],
    });
    expect(valuesOf(0, 'NORMAL')).toEqual([0, 0, 0]);
  });

  it('does not write positions that nothing changes, unless the target would be empty', () => {
    expect(Object.keys(written([{ ...STILL, normals: new Float32Array(3) }], 1).targets[0])).toEqual(['NORMAL']);
    expect(Object.keys(written([STILL], 1).targets[0])).toEqual(['POSITION']);
  });

  it('fills up missing targets', () => {
    const { targets, valuesOf } = written([], 2, BOTH, 2);
    expect(targets).toHaveLength(2);
    expect(valuesOf(1, 'POSITION')).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('leaves out what the mesh itself lacks, and counts it', () => {
    const target = { ...STILL, positions: new Float32Array(3), normals: new Float32Array(3) };
    const { targets, mends } = written([target], 1, { NORMAL: false, TANGENT: false });
    expect(Object.keys(targets[0])).toEqual(['POSITION']);
    expect(mends).toEqual([1]);
  });

  it('mends vertices that do not rise or do not exist', () => {
    const target = {
      ...STILL,
      vertices: Uint32Array.of(4, 1, 9),
      positions: Float32Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3),
    };
    const { valuesOf, mends } = written([target], 5);
    expect(valuesOf(0, 'POSITION')).toEqual([0, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    expect(mends).toEqual([1]);
  });

  it('refuses deltas that are not as many as vertices', () => {
    expect(() => written([{ ...STILL, positions: new Float32Array(3) }], 2)).toThrow(RangeError);
  });
});

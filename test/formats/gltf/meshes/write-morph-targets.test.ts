import { describe, expect, it } from 'vitest';
import type { MorphTarget } from '../../../../src/core/asset/geometry.ts';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { createAccessorPool } from '../../../../src/formats/gltf/accessors/accessor-pool.ts';
import { createDocument } from '../../../../src/formats/gltf/document/document.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { writeMorphTargets } from '../../../../src/formats/gltf/meshes/write-morph-targets.ts';

const STILL: MorphTarget = { vertices: null, positions: null, normals: null, tangents: null };
const BOTH = { NORMAL: true, TANGENT: true };

function written(morphTargets: readonly MorphTarget[], vertexCount: number, base = BOTH, count = morphTargets.length) {
  const pool = createAccessorPool(createDocument());
  const repairs: IssueTally = new Map();
  const targets = writeMorphTargets(pool, { morphTargets, vertexCount }, base, count, repairs);
  const accessors = pool.doc.json['accessors'] as JsonObject[];
  const valuesOf = (target: number, semantic: string) => {
    return Array.from(readFloats(pool.doc, targets[target][semantic] as number));
  };
  const jsonOf = (target: number, semantic: string) => accessors[targets[target][semantic] as number];
  return { targets, valuesOf, jsonOf, repairs: [...repairs.values()] };
}

describe('writeMorphTargets', () => {
  it('stores targets of all vertices as dense accessors', () => {
    const positions = Float32Array.of(1, 2, 3, 0, 0, 0);
    const { targets, valuesOf, jsonOf } = written([{ ...STILL, positions }], 2);
    expect(Object.keys(targets[0])).toEqual(['POSITION']);
    expect(valuesOf(0, 'POSITION')).toEqual([1, 2, 3, 0, 0, 0]);
    expect(jsonOf(0, 'POSITION')).toMatchObject({ min: [0, 0, 0], max: [1, 2, 3] });
    expect(jsonOf(0, 'POSITION')).not.toHaveProperty('sparse');
  });

  it('stores targets of some vertices as sparse accessors where that is smaller', () => {
    const target = { ...STILL, vertices: Uint32Array.of(3), positions: Float32Array.of(1, 2, 3) };
    const few = written([target], 5);
    expect(few.jsonOf(0, 'POSITION')).toHaveProperty('sparse');
    expect(few.valuesOf(0, 'POSITION')).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0]);
    const all = { ...STILL, vertices: Uint32Array.of(0, 1), positions: Float32Array.of(1, 2, 3, 4, 5, 6) };
    expect(written([all], 2).jsonOf(0, 'POSITION')).not.toHaveProperty('sparse');
  });

  it('gives all targets the same attributes, one stored zero for missing ones', () => {
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
    expect(jsonOf(1, 'POSITION')).toMatchObject({ sparse: { count: 1 }, min: [0, 0, 0], max: [0, 0, 0] });
    expect(valuesOf(0, 'NORMAL')).toEqual([0, 0, 0]);
  });

  it('omits unchanged positions unless the target would be empty', () => {
    expect(Object.keys(written([{ ...STILL, normals: new Float32Array(3) }], 1).targets[0])).toEqual(['NORMAL']);
    expect(Object.keys(written([STILL], 1).targets[0])).toEqual(['POSITION']);
  });

  it('pads missing targets with zeros', () => {
    const { targets, valuesOf } = written([], 2, BOTH, 2);
    expect(targets).toHaveLength(2);
    expect(valuesOf(1, 'POSITION')).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('drops and counts attributes that the mesh itself lacks', () => {
    const target = { ...STILL, positions: new Float32Array(3), normals: new Float32Array(3) };
    const { targets, repairs } = written([target], 1, { NORMAL: false, TANGENT: false });
    expect(Object.keys(targets[0])).toEqual(['POSITION']);
    expect(repairs).toEqual([1]);
  });

  it('repairs vertices that are not ascending or do not exist', () => {
    const target = {
      ...STILL,
      vertices: Uint32Array.of(4, 1, 9),
      positions: Float32Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3),
    };
    const { valuesOf, repairs } = written([target], 5);
    expect(valuesOf(0, 'POSITION')).toEqual([0, 0, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    expect(repairs).toEqual([1]);
  });

  it('throws for a number of deltas other than that of vertices', () => {
    expect(() => written([{ ...STILL, positions: new Float32Array(3) }], 2)).toThrow(RangeError);
  });
});

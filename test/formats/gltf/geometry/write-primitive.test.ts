import { describe, expect, it } from 'vitest';
import type { MeshPrimitive } from '../../../../src/core/asset/geometry.ts';
import { accessorPool } from '../../../../src/formats/gltf/accessor-pool.ts';
import { type PrimitiveUse, writePrimitive } from '../../../../src/formats/gltf/geometry/write-primitive.ts';
import { createDocument, type JsonObject, readFloats } from '../../../../src/formats/gltf/index.ts';
import type { Mends } from '../../../../src/formats/gltf/mends.ts';
import { TRIANGLE } from '../../../make/triangle.ts';

const USE: PrimitiveUse = { drawn: { indices: null }, jointCount: 0, targetCount: 0, material: -1, uvSets: 0 };
const UP = Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1);

function written(changes: Partial<MeshPrimitive> = {}, use: Partial<PrimitiveUse> = {}) {
  const pool = accessorPool(createDocument());
  const mends: Mends = new Map();
  const primitive = { ...TRIANGLE, ...changes };
  const { json, influenceSets } = writePrimitive(pool, primitive, { ...USE, ...use }, mends);
  const attributes = json['attributes'] as Record<string, number>;
  const accessors = pool.doc.json['accessors'] as JsonObject[];
  return {
    json,
    attributes,
    influenceSets,
    accessor: (semantic: string) => accessors[attributes[semantic]],
    values: (semantic: string) => Array.from(readFloats(pool.doc, attributes[semantic])),
    indices: () => accessors[json['indices'] as number],
    mends: [...mends.keys()],
  };
}

describe('writePrimitive', () => {
  it('writes positions with bounds, and nothing that is not there', () => {
    const { json, accessor } = written();
    expect(json).toEqual({ attributes: { POSITION: 0 } });
    expect(accessor('POSITION')).toMatchObject({ componentType: 5126, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] });
  });

  it('writes mode and material where they are not the usual ones', () => {
    expect(written({ mode: 'line-loop' }, { material: 2 }).json).toMatchObject({ mode: 2, material: 2 });
  });

  it('takes 16 bits for indices as far as no index restarts a strip', () => {
    const positionsOf = (vertexCount: number) => ({ vertexCount, positions: new Float32Array(3 * vertexCount) });
    const drawn = { indices: Uint32Array.of(0, 1, 2) };
    expect(written(positionsOf(65535), { drawn }).indices()['componentType']).toBe(5123);
    expect(written(positionsOf(65536), { drawn }).indices()['componentType']).toBe(5125);
  });

  it('writes tangents where there are normals alone', () => {
    const tangents = Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1);
    expect(Object.keys(written({ normals: UP, tangents }).attributes)).toEqual(['POSITION', 'NORMAL', 'TANGENT']);
    const { attributes, mends } = written({ tangents });
    expect(Object.keys(attributes)).toEqual(['POSITION']);
    expect(mends).toEqual(['lists of tangents without normals (left out)']);
  });

  it('stores colors in the smallest form that has them to the bit', () => {
    const bytes = Float32Array.from({ length: 12 }, (_, i) => (i * 20) / 255);
    const shorts = Float32Array.from({ length: 12 }, (_, i) => (i * 257 + 1) / 65535);
    const floats = Float32Array.from({ length: 12 }, (_, i) => i / 12.345);
    const { accessor, values } = written({ colors: [bytes, shorts, floats] });
    expect([0, 1, 2].map((set) => accessor(`COLOR_${set}`)['componentType'])).toEqual([5121, 5123, 5126]);
    expect(accessor('COLOR_0')['normalized']).toBe(true);
    expect(accessor('COLOR_2')['normalized']).toBeUndefined();
    [bytes, shorts, floats].forEach((colors, set) => {
      expect(values(`COLOR_${set}`)).toEqual(Array.from(colors));
    });
  });

  it('writes UV sets, and zeros for those that a texture needs', () => {
    const uvs = Float32Array.of(0, 0, 1, 0, 2, -1);
    const { values, mends } = written({ uvs: [uvs] }, { uvSets: 2 });
    expect(values('TEXCOORD_0')).toEqual(Array.from(uvs));
    expect(values('TEXCOORD_1')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(mends).toEqual(['UV sets that a texture needs (zeros)']);
  });

  it('writes influences where a skin uses them', () => {
    const influences = {
      kind: 'vertex',
      jointsPerVertex: 5,
      indices: Uint16Array.from({ length: 15 }, (_, i) => i % 5),
      weights: new Float32Array(15).fill(0.2),
    } as const;
    const skinned = written({ influences }, { jointCount: 5 });
    expect(skinned.influenceSets).toBe(2);
    expect(Object.keys(skinned.attributes)).toEqual(['POSITION', 'JOINTS_0', 'WEIGHTS_0', 'JOINTS_1', 'WEIGHTS_1']);
    expect(skinned.accessor('JOINTS_0')).toMatchObject({ componentType: 5121, type: 'VEC4' });
    expect(Object.keys(written({ influences }).attributes)).toEqual(['POSITION']);
  });

  it('refuses attributes of another number of vertices', () => {
    expect(() => written({ positions: new Float32Array(6) })).toThrow(RangeError);
    expect(() => written({ normals: new Float32Array(6) })).toThrow(/6 numbers of normals for 3 vertices, expected 9/);
    expect(() => written({ uvs: [new Float32Array(9)] })).toThrow(RangeError);
  });
});

import { describe, expect, it } from 'vitest';
import type { MeshPrimitive } from '../../../../src/core/asset/geometry.ts';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { createAccessorPool } from '../../../../src/formats/gltf/accessors/accessor-pool.ts';
import { createDocument } from '../../../../src/formats/gltf/document/document.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { type PrimitiveUse, writePrimitive } from '../../../../src/formats/gltf/meshes/write-primitive.ts';
import { TRIANGLE } from '../../../support/make/triangle.ts';

const USE: PrimitiveUse = { drawn: { indices: null }, jointCount: 0, targetCount: 0, material: -1, uvSets: 0 };
const UP = Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1);

function written(changes: Partial<MeshPrimitive> = {}, use: Partial<PrimitiveUse> = {}) {
  const pool = createAccessorPool(createDocument());
  const repairs: IssueTally = new Map();
  const primitive = { ...TRIANGLE, ...changes };
  const { json, influenceSets } = writePrimitive(pool, primitive, { ...USE, ...use }, repairs);
  const attributes = json['attributes'] as Record<string, number>;
  const accessors = pool.doc.json['accessors'] as JsonObject[];
  return {
    json,
    attributes,
    influenceSets,
    accessor: (semantic: string) => accessors[attributes[semantic]],
    values: (semantic: string) => Array.from(readFloats(pool.doc, attributes[semantic])),
    indices: () => accessors[json['indices'] as number],
    repairs: [...repairs.keys()],
  };
}

describe('writePrimitive', () => {
  it('writes positions with bounds and no missing attribute', () => {
    const { json, accessor } = written();
    expect(json).toEqual({ attributes: { POSITION: 0 } });
    expect(accessor('POSITION')).toMatchObject({ componentType: 5126, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] });
  });

  it('writes mode and material where they are not the defaults', () => {
    expect(written({ mode: 'line-loop' }, { material: 2 }).json).toMatchObject({ mode: 2, material: 2 });
  });

  it('uses 16-bit indices unless one is the primitive restart value', () => {
    const positionsOf = (vertexCount: number) => ({ vertexCount, positions: new Float32Array(3 * vertexCount) });
    const drawn = { indices: Uint32Array.of(0, 1, 2) };
    expect(written(positionsOf(65535), { drawn }).indices()['componentType']).toBe(5123);
    expect(written(positionsOf(65536), { drawn }).indices()['componentType']).toBe(5125);
  });

  it('writes tangents only with normals', () => {
    const tangents = Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1);
    expect(Object.keys(written({ normals: UP, tangents }).attributes)).toEqual(['POSITION', 'NORMAL', 'TANGENT']);
    const { attributes, repairs } = written({ tangents });
    expect(Object.keys(attributes)).toEqual(['POSITION']);
    expect(repairs).toEqual(['tangent attributes without normals (dropped)']);
  });

  it('stores colors in the smallest exact format', () => {
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

  it('writes UV sets, with zeros for missing sets that a texture needs', () => {
    const uvs = Float32Array.of(0, 0, 1, 0, 2, -1);
    const { values, repairs } = written({ uvs: [uvs] }, { uvSets: 2 });
    expect(values('TEXCOORD_0')).toEqual(Array.from(uvs));
    expect(values('TEXCOORD_1')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(repairs).toEqual(['UV sets that a texture needs and the mesh lacks (set to 0)']);
  });

  it('writes influences only with a skin', () => {
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

  it('throws for attributes of a different number of vertices', () => {
    expect(() => written({ positions: new Float32Array(6) })).toThrow(RangeError);
    expect(() => written({ normals: new Float32Array(6) })).toThrow(/6 values of normals for 3 vertices, expected 9/);
    expect(() => written({ uvs: [new Float32Array(9)] })).toThrow(RangeError);
  });
});

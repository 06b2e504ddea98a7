import { describe, expect, it } from 'vitest';
import {
  ARRAY_BUFFER,
  accessorPool,
  ELEMENT_ARRAY_BUFFER,
  poolAccessor,
  poolBytes,
  poolSparseAccessor,
  poolZeros,
  sparseSize,
} from '../../../src/formats/gltf/accessor-pool.ts';
import { createDocument, type JsonObject, readFloats } from '../../../src/formats/gltf/index.ts';

const COUNT = 5;

describe('accessorPool', () => {
  it('gives the same content in the same form the same accessor, anything else one of its own', () => {
    const pool = accessorPool(createDocument());
    const layout = { type: 'VEC3', minMax: true } as const;
    const first = poolAccessor(pool, Float32Array.of(1, 2, 3), layout, ARRAY_BUFFER);
    expect(poolAccessor(pool, Float32Array.of(1, 2, 3), layout, ARRAY_BUFFER)).toBe(first);
    const others = [
      poolAccessor(pool, Float32Array.of(1, 2, 4), layout, ARRAY_BUFFER),
      poolAccessor(pool, Float32Array.of(1, 2, 3), { type: 'VEC3' }, ARRAY_BUFFER),
      poolAccessor(pool, Float32Array.of(1, 2, 3), { type: 'SCALAR' }, 0),
      poolAccessor(pool, Uint16Array.of(1, 2, 3), { type: 'SCALAR' }, ELEMENT_ARRAY_BUFFER),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
    const views = pool.doc.json['bufferViews'] as JsonObject[];
    expect(views.map(({ target }) => target)).toEqual([34962, 34962, 34962, undefined, 34963]);
  });

  it('tells 0 from −0 and content from hash', () => {
    const pool = accessorPool(createDocument());
    const zero = poolAccessor(pool, Float32Array.of(0), { type: 'SCALAR' }, 0);
    expect(poolAccessor(pool, Float32Array.of(-0), { type: 'SCALAR' }, 0)).not.toBe(zero);
    // Words that FNV-1a gives one hash: (a ^ seed) · p ^ b is the same for both pairs.
    const seed = 0x811c9dc5;
    const step = (word: number) => Math.imul(seed ^ word, 0x01000193);
    const [one, other] = [Uint32Array.of(1, 7), Uint32Array.of(2, (step(1) ^ 7 ^ step(2)) >>> 0)];
    const index = poolAccessor(pool, one, { type: 'SCALAR' }, 0);
    expect(poolAccessor(pool, other, { type: 'SCALAR' }, 0)).not.toBe(index);
  });

  it('writes a sparse accessor that reads as its elements between zeros, with the bounds of both', () => {
    const { doc, ...rest } = accessorPool(createDocument());
    const content = {
      type: 'VEC3',
      count: COUNT,
      elements: Uint32Array.of(1, 4),
      values: Float32Array.of(1, 2, 3, 4, 5, -6),
      minMax: true,
    } as const;
    const index = poolSparseAccessor({ doc, ...rest }, content);
    expect(poolSparseAccessor({ doc, ...rest }, structuredClone(content))).toBe(index);
    expect(Array.from(readFloats(doc, index))).toEqual([0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, -6]);
    expect((doc.json['accessors'] as JsonObject[])[index]).toMatchObject({ min: [0, 0, -6], max: [4, 5, 3] });
    const all = { ...content, count: 2, elements: Uint32Array.of(0, 1) };
    const whole = (doc.json['accessors'] as JsonObject[])[poolSparseAccessor({ doc, ...rest }, all)];
    expect(whole).toMatchObject({ min: [1, 2, -6], max: [4, 5, 3] });
  });

  it.each([
    [256, 5121, 1],
    [257, 5123, 2],
    [65536, 5123, 2],
    [65537, 5125, 4],
  ])('names elements of %i by the smallest integers', (count, componentType, bytes) => {
    const pool = accessorPool(createDocument());
    const elements = Uint32Array.of(count - 1);
    const index = poolSparseAccessor(pool, {
      type: 'VEC3',
      count,
      elements,
      values: new Float32Array(3),
      minMax: false,
    });
    const { sparse } = (pool.doc.json['accessors'] as { sparse: { indices: JsonObject } }[])[index];
    expect(sparse.indices['componentType']).toBe(componentType);
    expect(readFloats(pool.doc, index)).toHaveLength(3 * count);
    expect(sparseSize(1, count)).toBe(bytes + 12);
  });

  it('stores zeros in no bytes', () => {
    const pool = accessorPool(createDocument());
    const index = poolZeros(pool, 'VEC2', 3);
    expect(pool.doc.json['bufferViews']).toBeUndefined();
    expect(Array.from(readFloats(pool.doc, index))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('keeps bytes as many as they are, once', () => {
    const pool = accessorPool(createDocument());
    const view = poolBytes(pool, Uint8Array.of(1, 2, 3, 4, 5));
    expect(poolBytes(pool, Uint8Array.of(1, 2, 3, 4, 5))).toBe(view);
    expect(poolBytes(pool, Uint8Array.of(1))).toBe(1);
    expect(pool.doc.json['bufferViews']).toMatchObject([{ byteLength: 5 }, { byteOffset: 8, byteLength: 1 }]);
  });
});

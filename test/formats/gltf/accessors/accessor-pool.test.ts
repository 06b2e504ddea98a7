import { describe, expect, it } from 'vitest';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import {
  ARRAY_BUFFER,
  createAccessorPool,
  ELEMENT_ARRAY_BUFFER,
  poolAccessor,
  poolBytes,
  poolSparseAccessor,
  sparseSize,
} from '../../../../src/formats/gltf/accessors/accessor-pool.ts';
import { createDocument } from '../../../../src/formats/gltf/document/document.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';

const COUNT = 5;

describe('accessor pool', () => {
  it('poolAccessor: deduplicates equal data in the same form only', () => {
    const pool = createAccessorPool(createDocument());
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

  it('poolAccessor: distinguishes 0 from −0 and different data with equal hashes', () => {
    const pool = createAccessorPool(createDocument());
    const zero = poolAccessor(pool, Float32Array.of(0), { type: 'SCALAR' }, 0);
    expect(poolAccessor(pool, Float32Array.of(-0), { type: 'SCALAR' }, 0)).not.toBe(zero);
    // Two arrays with the same FNV-1a hash: (a ^ seed) · p ^ b is equal for both pairs.
    const seed = 0x811c9dc5;
    const step = (word: number) => Math.imul(seed ^ word, 0x01000193);
    const [one, other] = [Uint32Array.of(1, 7), Uint32Array.of(2, (step(1) ^ 7 ^ step(2)) >>> 0)];
    const index = poolAccessor(pool, one, { type: 'SCALAR' }, 0);
    expect(poolAccessor(pool, other, { type: 'SCALAR' }, 0)).not.toBe(index);
  });

  it('poolSparseAccessor: round-trips sparse elements, with bounds that include the zeros', () => {
    const { doc, ...rest } = createAccessorPool(createDocument());
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
  ])('poolSparseAccessor: uses the smallest index type for %i elements', (count, componentType, bytes) => {
    const pool = createAccessorPool(createDocument());
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

  it('poolSparseAccessor: stores one zero for zeros, as programs reject accessors without data', () => {
    const pool = createAccessorPool(createDocument());
    const none = { elements: new Uint32Array(0), values: new Float32Array(0) };
    const index = poolSparseAccessor(pool, { type: 'VEC3', count: 2, ...none, minMax: true });
    expect(pool.doc.json['accessors']).toMatchObject([{ sparse: { count: 1 }, min: [0, 0, 0], max: [0, 0, 0] }]);
    expect(Array.from(readFloats(pool.doc, index))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('poolBytes: deduplicates bytes without padding', () => {
    const pool = createAccessorPool(createDocument());
    const view = poolBytes(pool, Uint8Array.of(1, 2, 3, 4, 5));
    expect(poolBytes(pool, Uint8Array.of(1, 2, 3, 4, 5))).toBe(view);
    expect(poolBytes(pool, Uint8Array.of(1))).toBe(1);
    expect(pool.doc.json['bufferViews']).toMatchObject([{ byteLength: 5 }, { byteOffset: 8, byteLength: 1 }]);
  });
});

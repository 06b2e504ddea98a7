import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessorType,
  accessorInfo,
  type ComponentType,
  readAccessor,
  readFloats,
} from '../../../../src/formats/gltf/accessors/accessor.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/document/document.ts';
import { parseGltf } from '../../../../src/formats/gltf/index.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { documentOf, glbOf } from '../../../support/make/glb.ts';
import { type PlainAccessor, packedSize, plainComponents, plainFloat } from '../../../support/reference/accessor.ts';

const TYPES: readonly AccessorType[] = ['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4'];
const COMPONENTS: readonly ComponentType[] = [5120, 5121, 5122, 5123, 5125, 5126];

/** A random accessor with its views, in a buffer of random bytes. */
const anyAccessor = fc
  .record({
    type: fc.constantFrom(...TYPES),
    componentType: fc.constantFrom(...COMPONENTS),
    normalized: fc.boolean(),
    count: fc.integer({ min: 1, max: 6 }),
    viewOffset: fc.nat(9),
    byteOffset: fc.nat(9),
    gap: fc.option(fc.nat(8), { nil: undefined }),
    hasView: fc.boolean(),
    sparse: fc.option(
      fc.record({
        componentType: fc.constantFrom(5121, 5123, 5125),
        picked: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        indexOffset: fc.option(fc.nat(5), { nil: undefined }),
        valueOffset: fc.option(fc.nat(5), { nil: undefined }),
      }),
      { nil: undefined },
    ),
    shift: fc.nat(3),
    bytes: fc.infiniteStream(fc.nat(255)),
  })
  .map((made) => {
    const { type, componentType, count, gap } = made;
    const packed = packedSize(type, componentType);
    const stride = gap === undefined ? undefined : packed + gap;
    const views: { buffer: number; byteOffset?: number; byteLength: number; byteStride?: number }[] = [];
    let end = made.viewOffset;
    const addView = (byteLength: number, byteStride?: number): number => {
      views.push({ buffer: 0, byteOffset: end, byteLength, ...(byteStride === undefined ? {} : { byteStride }) });
      end += byteLength;
      return views.length - 1;
    };
    const accessor: { -readonly [K in keyof PlainAccessor]: PlainAccessor[K] } = { type, componentType, count };
    if (made.normalized) accessor.normalized = true;
    if (made.hasView) {
      accessor.bufferView = addView(made.byteOffset + (stride ?? packed) * (count - 1) + packed, stride);
      accessor.byteOffset = made.byteOffset;
    }
    const indices = made.sparse?.picked.flatMap((picked, i) => (picked && i < count ? [i] : [])) ?? [];
    const { sparse } = made;
    let indexStart = 0;
    if (sparse !== undefined && indices.length > 0) {
      const size = sparse.componentType === 5121 ? 1 : sparse.componentType === 5123 ? 2 : 4;
      indexStart = end + (sparse.indexOffset ?? 0);
      accessor.sparse = {
        count: indices.length,
        indices: {
          bufferView: addView((sparse.indexOffset ?? 0) + indices.length * size),
          componentType: sparse.componentType,
          ...(sparse.indexOffset === undefined ? {} : { byteOffset: sparse.indexOffset }),
        },
        values: {
          bufferView: addView((sparse.valueOffset ?? 0) + indices.length * packed),
          ...(sparse.valueOffset === undefined ? {} : { byteOffset: sparse.valueOffset }),
        },
      };
    }
    const bin = new Uint8Array(Math.max(end, 1));
    const stream = made.bytes;
    for (let i = 0; i < bin.length; i++) bin[i] = stream.next().value as number;
    const data = new DataView(bin.buffer);
    indices.forEach((index, i) => {
      if (sparse?.componentType === 5121) data.setUint8(indexStart + i, index);
      else if (sparse?.componentType === 5123) data.setUint16(indexStart + 2 * i, index, true);
      else data.setUint32(indexStart + 4 * i, index, true);
    });
    return { accessor, views, bin, shift: made.shift };
  });

/** Parses a GLB at an unaligned address. */
function shifted(json: Record<string, unknown>, bin: Uint8Array, shift: number): GltfDocument {
  const file = glbOf({ asset: { version: '2.0' }, buffers: [{ byteLength: bin.length }], ...json }, bin);
  const moved = new Uint8Array(file.length + shift);
  moved.set(file, shift);
  return parseGltf(moved.subarray(shift));
}

/** A document with one buffer, one view and one accessor, edited for a case. */
function simple(accessor: Record<string, unknown>, view: Record<string, unknown> = {}): GltfDocument {
  const bin = Uint8Array.from({ length: 48 }, (_, i) => i);
  return documentOf(
    {
      bufferViews: [{ buffer: 0, byteLength: 48, ...view }],
      accessors: [{ bufferView: 0, componentType: 5121, count: 4, type: 'SCALAR', ...accessor }],
    },
    bin,
  );
}

const failure = (code: string, pointer: string): unknown =>
  expect.objectContaining({ name: 'FormatError', code, where: { pointer } });

describe('readAccessor and readFloats', () => {
  it('match the reference reader for every layout and alignment', () => {
    const law = fc.property(anyAccessor, ({ accessor, views, bin, shift }) => {
      const doc = shifted({ accessors: [accessor], ...(views.length > 0 ? { bufferViews: views } : {}) }, bin, shift);
      const components = plainComponents(accessor, views, bin);
      const read = readAccessor(doc, 0);
      expect([...read.array]).toEqual(components);
      expect(read).toMatchObject({ count: accessor.count, width: components.length / accessor.count });
      const normalized = accessor.normalized === true && accessor.componentType < 5125;
      expect(read.normalized).toBe(normalized);
      const floats = components.map((stored) => plainFloat(stored, accessor.componentType, normalized));
      expect([...readFloats(doc, 0)]).toEqual(floats);
      // The second read comes from the cache.
      expect([...readFloats(doc, 0)]).toEqual(floats);
    });
    fc.assert(law, { seed: 1, numRuns: lawRuns(2000) });
  });

  it('return a view into the file for aligned, packed components', () => {
    const doc = documentOf(
      {
        bufferViews: [{ buffer: 0, byteLength: 16 }],
        accessors: [{ bufferView: 0, byteOffset: 4, componentType: 5126, count: 1, type: 'VEC3' }],
      },
      new Uint8Array(Float32Array.of(9, 1, 2, 3).buffer),
    );
    expect([...readFloats(doc, 0)]).toEqual([1, 2, 3]);
    expect(readFloats(doc, 0).buffer).toBe(doc.bin!.buffer);
  });

  it('clamp normalized −128 and −32768 to −1', () => {
    const bin = new Uint8Array(Int16Array.of(-32768, -32767, 32767, 0).buffer);
    const doc = documentOf(
      {
        bufferViews: [{ buffer: 0, byteLength: 8 }],
        accessors: [
          { bufferView: 0, componentType: 5122, normalized: true, count: 4, type: 'SCALAR' },
          { bufferView: 0, byteOffset: 1, componentType: 5120, normalized: true, count: 1, type: 'SCALAR' },
        ],
      },
      bin,
    );
    expect([...readFloats(doc, 0)]).toEqual([-1, -1, 1, 0]);
    expect([...readFloats(doc, 1)]).toEqual([-1]);
  });

  it('read small matrices without the padding of the last column', () => {
    const bin = Uint8Array.from({ length: 11 }, (_, i) => i);
    const doc = documentOf(
      {
        bufferViews: [{ buffer: 0, byteLength: 11 }],
        accessors: [{ bufferView: 0, componentType: 5121, count: 1, type: 'MAT3' }],
      },
      bin,
    );
    expect([...readAccessor(doc, 0).array]).toEqual([0, 1, 2, 4, 5, 6, 8, 9, 10]);
  });

  it('treat a byteStride of 0 as packed', () => {
    expect([...readAccessor(simple({}, { byteStride: 0 }), 0).array]).toEqual([0, 1, 2, 3]);
  });

  it('return data that is independent of other accessors and the file', () => {
    const bin = Uint8Array.of(1, 2, 3, 4, 2, 99, 0, 0);
    const doc = documentOf(
      {
        bufferViews: [
          { buffer: 0, byteLength: 4 },
          { buffer: 0, byteOffset: 4, byteLength: 1 },
          { buffer: 0, byteOffset: 5, byteLength: 1 },
        ],
        accessors: [
          { bufferView: 0, componentType: 5121, count: 4, type: 'SCALAR' },
          {
            bufferView: 0,
            componentType: 5121,
            count: 4,
            type: 'SCALAR',
            sparse: { count: 1, indices: { bufferView: 1, componentType: 5121 }, values: { bufferView: 2 } },
          },
        ],
      },
      bin,
    );
    expect([...readAccessor(doc, 1).array]).toEqual([1, 2, 99, 4]);
    expect([...readAccessor(doc, 0).array]).toEqual([1, 2, 3, 4]);
    expect([...doc.bin!]).toEqual([...bin]);
  });

  it('follow edits of the JSON despite the cache', () => {
    const doc = simple({ count: 3, type: 'SCALAR' }, { byteStride: 8 });
    expect([...readFloats(doc, 0)]).toEqual([0, 8, 16]);
    (doc.json['accessors'] as Record<string, unknown>[])[0]!['byteOffset'] = 1;
    expect([...readFloats(doc, 0)]).toEqual([1, 9, 17]);
    (doc.json['bufferViews'] as Record<string, unknown>[])[0]!['byteStride'] = 4;
    expect([...readFloats(doc, 0)]).toEqual([1, 5, 9]);
  });
});

describe('readAccessor on invalid accessors', () => {
  it.each([
    ['a count past the view', { count: 49 }, {}],
    ['the largest count', { count: Number.MAX_SAFE_INTEGER, type: 'MAT4' }, {}],
    ['an offset past the view', { byteOffset: 45 }, {}],
    ['the largest offset', { byteOffset: Number.MAX_SAFE_INTEGER }, {}],
    ['a stride that leads past the view', {}, { byteStride: 16 }],
    ['the largest stride', {}, { byteStride: Number.MAX_SAFE_INTEGER }],
    ['a stride below the element', { type: 'VEC4', count: 1 }, { byteStride: 3 }],
    ['an unknown component type', { componentType: 5124 }, {}],
    ['a component type of the prototype', { componentType: 0 }, {}],
    ['an unknown type', { type: 'MAT5' }, {}],
    ['a type of the prototype', { type: 'constructor' }, {}],
  ])('throws for %s', (_, accessor, view) => {
    expect(() => readFloats(simple(accessor, view), 0)).toThrow(failure('GLTF_ACCESSOR', '/accessors/0'));
  });

  it.each([
    [{ byteLength: 49 }],
    [{ byteOffset: 1 }],
    [{ byteOffset: Number.MAX_SAFE_INTEGER }],
    [{ byteLength: Number.MAX_SAFE_INTEGER }],
  ])('throws for a view past its buffer: %j', (view) => {
    expect(() => readFloats(simple({}, view), 0)).toThrow(failure('GLTF_ACCESSOR', '/bufferViews/0'));
  });

  it.each(['count', 'byteOffset', 'componentType', 'bufferView'])('throws for an invalid %s', (key) => {
    for (const value of [-1, 1.5, Number.POSITIVE_INFINITY, Number.NaN, '4', null, [4], 2 ** 53]) {
      const doc = simple({});
      (doc.json['accessors'] as Record<string, unknown>[])[0]![key] = value;
      expect(() => readFloats(doc, 0)).toThrow(failure('GLTF_SCHEMA', `/accessors/0/${key}`));
    }
  });

  it('throws for indices of missing views and accessors', () => {
    expect(() => readFloats(simple({ bufferView: 1 }), 0)).toThrow(
      failure('GLTF_REFERENCE', '/accessors/0/bufferView'),
    );
    expect(() => readFloats(simple({}), 1)).toThrow(failure('GLTF_REFERENCE', '/accessors/1'));
    expect(() => readFloats(simple({}, { buffer: 1 }), 0)).toThrow(failure('GLTF_REFERENCE', '/bufferViews/0/buffer'));
  });

  it('throws for accessors, views and buffers of the wrong JSON type', () => {
    for (const list of ['accessors', 'bufferViews', 'buffers']) {
      for (const value of [5, {}, 'x', [5], [null], [[]]]) {
        const doc = simple({});
        doc.json[list] = value;
        expect(() => readFloats(doc, 0)).toThrow(expect.objectContaining({ name: 'FormatError' }));
      }
    }
  });

  const sparse = (edit: Record<string, unknown>, indices: readonly number[] = [1, 3]): GltfDocument =>
    documentOf(
      {
        bufferViews: [
          { buffer: 0, byteLength: 2 },
          { buffer: 0, byteOffset: 2, byteLength: 2 },
        ],
        accessors: [
          {
            componentType: 5121,
            count: 4,
            type: 'SCALAR',
            sparse: { count: 2, indices: { bufferView: 0, componentType: 5121 }, values: { bufferView: 1 }, ...edit },
          },
        ],
      },
      Uint8Array.from([...indices, 7, 8]),
    );

  it('throws for sparse indices with an invalid order, range, count or type', () => {
    expect([...readAccessor(sparse({}), 0).array]).toEqual([0, 7, 0, 8]);
    const indices = '/accessors/0/sparse/indices';
    expect(() => readAccessor(sparse({}, [3, 1]), 0)).toThrow(failure('GLTF_ACCESSOR', indices));
    expect(() => readAccessor(sparse({}, [1, 1]), 0)).toThrow(failure('GLTF_ACCESSOR', indices));
    expect(() => readAccessor(sparse({}, [1, 4]), 0)).toThrow(failure('GLTF_ACCESSOR', indices));
    expect(() => readAccessor(sparse({ count: 5 }), 0)).toThrow(failure('GLTF_ACCESSOR', '/accessors/0/sparse'));
    expect(() => readAccessor(sparse({ count: 3 }), 0)).toThrow(failure('GLTF_ACCESSOR', indices));
    const signed = { indices: { bufferView: 0, componentType: 5120 } };
    expect(() => readAccessor(sparse(signed), 0)).toThrow(failure('GLTF_ACCESSOR', indices));
    expect(() => readAccessor(sparse({ values: 5 }), 0)).toThrow(failure('GLTF_SCHEMA', '/accessors/0/sparse/values'));
    expect(() => readAccessor(sparse({ values: {} }), 0)).toThrow(
      failure('GLTF_SCHEMA', '/accessors/0/sparse/values/bufferView'),
    );
  });

  it('limits the memory for zeros, per accessor and in total', () => {
    const zeros = (counts: readonly number[]): GltfDocument =>
      documentOf({ accessors: counts.map((count) => ({ componentType: 5126, count, type: 'VEC4' })) });
    expect(() => readAccessor(zeros([2 ** 53 - 1]), 0)).toThrow(failure('GLTF_LIMIT', '/accessors/0'));
    expect(() => readAccessor(zeros([2 ** 24 + 1]), 0)).toThrow(failure('GLTF_LIMIT', '/accessors/0'));

    const limits = { accessorBytes: 64, decodedBytes: 100 };
    const json = {
      asset: { version: '2.0' },
      accessors: [4, 2, 1].map((count) => ({ componentType: 5126, count, type: 'VEC4' })),
    };
    const doc = parseGltf(glbOf(json), { limits });
    expect(readAccessor(doc, 0).array).toHaveLength(16);
    // Cached data does not count again.
    expect(readAccessor(doc, 0).array).toHaveLength(16);
    expect(readAccessor(doc, 1).array).toHaveLength(8);
    expect(() => readAccessor(doc, 2)).toThrow(failure('GLTF_LIMIT', '/accessors/2'));
  });
});

describe('accessorInfo', () => {
  it('describes an accessor without reading its data', () => {
    expect(accessorInfo(simple({ bufferView: 9, count: 2 ** 40, type: 'MAT3', normalized: true }), 0)).toEqual({
      type: 'MAT3',
      componentType: 5121,
      normalized: true,
      count: 2 ** 40,
      width: 9,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import { readAccessor, readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import {
  appendAccessor,
  appendAccessors,
  checkReferences,
} from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { createDocument, type GltfDocument, parseGltf } from '../../../../src/formats/gltf/document/document.ts';
import { concatParts, parseGlb } from '../../../../src/formats/gltf/document/glb.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { serializeGltf } from '../../../../src/formats/gltf/document/serialize-gltf.ts';
import { documentOf, glbOf } from '../../../support/make/glb.ts';

const TIMES = Float32Array.of(0, 0.1, 0.7);
const asset = { version: '2.0' };

const reopened = (doc: GltfDocument): GltfDocument => parseGltf(concatParts(serializeGltf(doc).parts));

describe('appendAccessor', () => {
  it('appends data after the BIN chunk, at a multiple of 4, in a view without stride and target', () => {
    const doc = documentOf({ bufferViews: [{ buffer: 0, byteLength: 5 }] }, Uint8Array.of(1, 2, 3, 4, 5));
    expect(appendAccessor(doc, TIMES, { type: 'SCALAR', minMax: true, name: 'times' })).toBe(0);
    expect(doc.json).toEqual({
      asset,
      buffers: [{ byteLength: 20 }],
      bufferViews: [
        { buffer: 0, byteLength: 5 },
        { buffer: 0, byteOffset: 8, byteLength: 12 },
      ],
      accessors: [
        {
          name: 'times',
          bufferView: 1,
          componentType: 5126,
          count: 3,
          type: 'SCALAR',
          min: [0],
          max: [Math.fround(0.7)],
        },
      ],
    });
    const bin = parseGlb(concatParts(serializeGltf(doc).parts)).bin!;
    expect([...bin.subarray(0, 8)]).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
    expect(readFloats(doc, 0)).toEqual(TIMES);
    expect(readFloats(reopened(doc), 0)).toEqual(TIMES);
  });

  it('keeps BIN bytes after byteLength', () => {
    const doc = parseGltf(glbOf({ asset, buffers: [{ byteLength: 1 }] }, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)));
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    const printed = parseGlb(concatParts(serializeGltf(doc).parts));
    expect([...printed.bin!.subarray(0, 8)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(readFloats(reopened(doc), 0)).toEqual(TIMES);
  });

  it('creates buffer and BIN chunk if absent', () => {
    for (const doc of [createDocument(), documentOf({}), documentOf({ buffers: [] })]) {
      appendAccessor(doc, TIMES, { type: 'SCALAR' });
      expect(doc.json['buffers']).toEqual([{ byteLength: 12 }]);
      expect(readFloats(reopened(doc), 0)).toEqual(TIMES);
    }
  });

  it('keeps a BIN chunk that no buffer uses', () => {
    const doc = parseGltf(glbOf({ asset }, Uint8Array.of(1, 2, 3, 4)));
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    expect([...parseGlb(concatParts(serializeGltf(doc).parts)).bin!.subarray(0, 4)]).toEqual([1, 2, 3, 4]);
    expect(readFloats(reopened(doc), 0)).toEqual(TIMES);
  });

  it.each([
    ['buffer 0 has a uri', [{ byteLength: 3, uri: 'data:;base64,AAAA' }]],
    [
      'buffer 0 is the placeholder of a compression',
      [{ byteLength: 3, extensions: { EXT_meshopt_compression: { fallback: true } } }],
    ],
  ])('adds a data URI to a GLB whose %s, and keeps all indices', (_, buffers) => {
    const doc = documentOf({ buffers });
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    const again = reopened(doc);
    expect(again.bin).toBeNull();
    expect(again.json['buffers']).toEqual([
      ...buffers,
      { byteLength: 12, uri: expect.stringMatching(/^data:.*;base64,/) },
    ]);
    expect(readFloats(doc, 0)).toEqual(TIMES);
    expect(readFloats(again, 0)).toEqual(TIMES);
  });

  it('keeps the external files of a .gltf unchanged', () => {
    const text = JSON.stringify({ asset, buffers: [{ byteLength: 4, uri: 'motion.bin' }] });
    const doc = parseGltf(new TextEncoder().encode(text));
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    appendAccessor(doc, TIMES, { type: 'SCALAR' });
    const printed = serializeGltf(doc, { binName: 'motion.bin' });
    const json = JSON.parse(Buffer.from(concatParts(printed.parts)).toString());
    expect(json.buffers).toEqual([
      { byteLength: 4, uri: 'motion.bin' },
      { byteLength: 24, uri: 'motion-2.bin' },
    ]);
    expect(printed.resources.map(({ path, parts }) => [path, concatParts(parts).length])).toEqual([
      ['motion-2.bin', 24],
    ]);
  });

  it('throws for a BIN chunk that is shorter than its buffer', () => {
    const doc = parseGltf(glbOf({ asset, buffers: [{ byteLength: 400 }] }, Uint8Array.of(1, 2, 3, 4)));
    expect(() => appendAccessor(doc, TIMES, { type: 'SCALAR' })).toThrow(
      expect.objectContaining({ code: 'GLTF_BUFFER', where: { pointer: '/buffers/0/byteLength' } }),
    );
  });

  it('throws for top-level lists of the wrong type', () => {
    for (const list of ['buffers', 'bufferViews', 'accessors']) {
      const doc = documentOf({ [list]: 5 });
      expect(() => appendAccessor(doc, TIMES, { type: 'SCALAR' })).toThrow(
        expect.objectContaining({ code: 'GLTF_SCHEMA', where: { pointer: `/${list}` } }),
      );
    }
  });

  it('stores every component type, normalized or not', () => {
    const doc = createDocument();
    const arrays = [
      Int8Array.of(-128, 1),
      Uint8Array.of(255, 1),
      Int16Array.of(-3, 4),
      Uint16Array.of(9, 8),
      Uint32Array.of(7, 6),
      TIMES,
    ];
    const indices = arrays.map((array) =>
      appendAccessor(doc, array, { type: 'SCALAR', normalized: array.BYTES_PER_ELEMENT === 1 }),
    );
    const again = reopened(doc);
    indices.forEach((index, i) => {
      expect(readAccessor(again, index)).toMatchObject({ array: arrays[i], normalized: i < 2 });
    });
  });

  it('accepts a subarray', () => {
    const doc = createDocument();
    const index = appendAccessor(doc, Float32Array.of(9, 1, 2, 3, 9).subarray(1, 4), { type: 'VEC3' });
    expect([...readFloats(reopened(doc), index)]).toEqual([1, 2, 3]);
  });

  it('copies the array', () => {
    const doc = createDocument();
    const array = Float32Array.of(1, 2, 3);
    const index = appendAccessor(doc, array, { type: 'VEC3' });
    array.fill(0);
    expect([...readFloats(doc, index)]).toEqual([1, 2, 3]);
  });

  it.each([
    ['nothing', new Float32Array(0), 'VEC3'],
    ['half an element', new Float32Array(4), 'VEC3'],
    ['NaN', Float32Array.of(0, Number.NaN, 1), 'VEC3'],
    ['infinity', Float32Array.of(0, 1, Number.NEGATIVE_INFINITY), 'VEC3'],
    ['a matrix of bytes', new Uint8Array(16), 'MAT4'],
  ] as const)('throws for %s and changes nothing', (_, array, type) => {
    const doc = createDocument();
    const before = JSON.stringify(doc.json);
    expect(() => appendAccessor(doc, array, { type })).toThrow(RangeError);
    expect(JSON.stringify(doc.json)).toBe(before);
  });
});

describe('appendAccessors', () => {
  it('stores all accessors in one view, each at a multiple of 4', () => {
    const doc = createDocument();
    const indices = appendAccessors(doc, [
      { array: Uint8Array.of(1, 2, 3), type: 'VEC3' },
      { array: Float32Array.of(4, 5, 3, 9, 2, 8), type: 'VEC2', minMax: true },
    ]);
    expect(indices).toEqual([0, 1]);
    expect(doc.json['bufferViews']).toEqual([{ buffer: 0, byteLength: 28 }]);
    expect(doc.json['accessors']).toEqual([
      { bufferView: 0, componentType: 5121, count: 1, type: 'VEC3' },
      { bufferView: 0, byteOffset: 4, componentType: 5126, count: 3, type: 'VEC2', min: [2, 5], max: [4, 9] },
    ]);
    expect([...readAccessor(reopened(doc), 0).array]).toEqual([1, 2, 3]);
    expect([...readFloats(reopened(doc), 1)]).toEqual([4, 5, 3, 9, 2, 8]);
  });

  it('throws for an empty list', () => {
    expect(() => appendAccessors(createDocument(), [])).toThrow(RangeError);
  });
});

const whole = {
  accessors: [{ bufferView: 0 }, {}],
  bufferViews: [{}],
  images: [{ uri: 'a.png' }],
  meshes: [{ primitives: [{ indices: 1, attributes: { POSITION: 0 }, targets: [{ POSITION: 1 }] }] }],
};

it('checkReferences: accepts references within the file, and files without meshes', () => {
  expect(() => checkReferences(whole)).not.toThrow();
  expect(() => checkReferences({})).not.toThrow();
});

it.each<[string, JsonObject]>([
  ['/meshes/0/primitives/0/indices', { meshes: [{ primitives: [{ indices: 2 }] }] }],
  ['/meshes/0/primitives/0/attributes/NORMAL', { meshes: [{ primitives: [{ attributes: { NORMAL: 9 } }] }] }],
  ['/meshes/0/primitives/0/targets/0/POSITION', { meshes: [{ primitives: [{ targets: [{ POSITION: 2 }] }] }] }],
  ['/accessors/0/bufferView', { accessors: [{ bufferView: 1 }], meshes: [] }],
  ['/images/0/bufferView', { images: [{ bufferView: 1 }] }],
])('checkReferences: refuses an index past the end at %s', (pointer, change) => {
  try {
    checkReferences({ ...whole, ...change });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    expect(error).toMatchObject({ code: 'GLTF_REFERENCE', where: { pointer } });
  }
});

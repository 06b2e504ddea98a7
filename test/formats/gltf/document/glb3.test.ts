import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFloats } from '../../../../src/formats/gltf/accessors/accessor.ts';
import { appendAccessor } from '../../../../src/formats/gltf/accessors/append-accessor.ts';
import { bufferBytes } from '../../../../src/formats/gltf/document/buffers.ts';
import { toGlb, toGltf } from '../../../../src/formats/gltf/document/convert-container.ts';
import { concatParts, parseGlb } from '../../../../src/formats/gltf/document/glb.ts';
import { serializeGlb3 } from '../../../../src/formats/gltf/document/glb3.ts';
import {
  type GltfDocument,
  loadResources,
  parseGltf,
  readGltf,
  serializeGltf,
} from '../../../../src/formats/gltf/index.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { type Chunk3, glb3Of } from '../../../support/make/glb3.ts';

const ASSET = { version: '2.1' };
const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const BIN = 0x004e4942;

/** A document of scalar accessors, accessor i on buffer i. */
function jsonOf(buffers: readonly Record<string, unknown>[]): string {
  const bufferViews = buffers.map(({ byteLength }, buffer) => ({ buffer, byteLength }));
  const accessors = buffers.map(({ byteLength }, bufferView) => {
    return { bufferView, componentType: 5126, count: (byteLength as number) / 4, type: 'SCALAR' };
  });
  return JSON.stringify({ asset: ASSET, accessors, buffers, bufferViews });
}

const written = (doc: GltfDocument): Uint8Array => concatParts(serializeGltf(doc).parts);

/** Chunks in any order: BIN before the JSON, two more, a JSON of something else, and one of an unknown type. */
const MIXED = glb3Of([
  ['BIN\0', floats(1, 2, 3)],
  [
    'JSON',
    jsonOf([
      { byteLength: 12, chunk: 0 },
      { byteLength: 8, chunk: 4 },
    ]),
  ],
  ['ABCD', Uint8Array.of(1, 2, 3, 4, 5)],
  ['JSON', '{"other":1}'],
  ['BIN\0', floats(4, 5, 6)],
  ['BIN\0', Uint8Array.of(9, 9), 7],
]);

describe('GLB of version 3', () => {
  it('parseGltf: reads buffers from the chunks that they name, in any order, and reports the draft', () => {
    const doc = parseGltf(MIXED);
    expect(doc.json['accessors']).toHaveLength(2);
    expect([...readFloats(doc, 0)]).toEqual([1, 2, 3]);
    expect([...readFloats(doc, 1)]).toEqual([4, 5]);
    expect(readGltf(doc).issues.map(({ code, severity }) => [code, severity])).toEqual([['GLTF_DRAFT', 'info']]);
  });

  it('parseGltf: reads the BIN chunk after the JSON for buffer 0 without chunk and uri, as version 2 does', () => {
    const doc = parseGltf(
      glb3Of([
        ['JSON', jsonOf([{ byteLength: 8 }])],
        ['BIN\0', floats(7, 8)],
      ]),
    );
    expect([...readFloats(doc, 0)]).toEqual([7, 8]);
  });

  it('serializeGltf: returns the original bytes of an unedited document, also with bytes after the last chunk', () => {
    for (const tail of [[], [1, 2, 3]]) {
      const file = Buffer.concat([MIXED, Buffer.from(tail)]);
      expect(Buffer.compare(written(parseGltf(file)), file)).toBe(0);
      expect([...parseGlb(file).trailing]).toEqual(tail);
    }
  });

  it('serializeGltf: an edit changes only the JSON chunk, and appended data is a new last chunk', () => {
    const doc = parseGltf(MIXED);
    doc.json['extras'] = { edited: true };
    const added = appendAccessor(doc, Float32Array.of(0, 0.5), { type: 'SCALAR' });
    const again = parseGltf(written(doc));
    expect([...readFloats(again, 0)]).toEqual([1, 2, 3]);
    expect([...readFloats(again, 1)]).toEqual([4, 5]);
    expect([...readFloats(again, added)]).toEqual([0, 0.5]);
    expect((again.json['buffers'] as unknown[])[2]).toEqual({ byteLength: 8, chunk: 6 });
    const [before, after] = [parseGltf(MIXED).chunks!, again.chunks!];
    expect(after).toHaveLength(before.length + 1);
    before.forEach((chunk, i) => {
      if (i !== 1) expect(after[i], `chunk ${i}`).toEqual(chunk);
    });
  });

  it('serializeGltf: appends to the BIN chunk of buffer 0 without chunk and uri', () => {
    const doc = parseGltf(
      glb3Of([
        ['JSON', jsonOf([{ byteLength: 8 }])],
        ['BIN\0', floats(7, 8)],
        ['ABCD', Uint8Array.of(1)],
      ]),
    );
    const added = appendAccessor(doc, Float32Array.of(9), { type: 'SCALAR' });
    const again = parseGltf(written(doc));
    expect([...readFloats(again, 0), ...readFloats(again, added)]).toEqual([7, 8, 9]);
    expect(again.chunks!.map(({ bytes }) => bytes.length).slice(1)).toEqual([12, 1]);
  });

  it('serializeGltf: appends to a file without buffers as a chunk that is named', () => {
    const doc = parseGltf(
      glb3Of([
        ['ABCD', Uint8Array.of(1)],
        ['JSON', JSON.stringify({ asset: ASSET })],
      ]),
    );
    const added = appendAccessor(doc, Float32Array.of(9), { type: 'SCALAR' });
    const again = parseGltf(written(doc));
    expect(again.json['buffers']).toEqual([{ byteLength: 4, chunk: 2 }]);
    expect([...readFloats(again, added)]).toEqual([9]);
  });

  it.each([false, true])('toGltf and toGlb: keep the data of all chunks; with appended data: %s', async (isEdited) => {
    const doc = parseGltf(MIXED);
    const added = isEdited ? appendAccessor(doc, Float32Array.of(9), { type: 'SCALAR' }) : null;
    toGltf(doc, 'data.bin');
    const { parts, resources } = serializeGltf(doc, { binName: 'more.bin' });
    const again = parseGltf(concatParts(parts));
    expect(JSON.stringify(again.json['buffers'])).not.toContain('chunk');
    const files = new Map(resources.map((one) => [one.path, concatParts(one.parts)]));
    await loadResources(again, async (path) => files.get(path)!);
    toGlb(again);
    const glb = parseGltf(written(again));
    expect(glb.chunks).toBeNull();
    expect([...readFloats(glb, 0)]).toEqual([1, 2, 3]);
    expect([...readFloats(glb, 1)]).toEqual([4, 5]);
    if (added !== null) expect([...readFloats(glb, added)]).toEqual([9]);
  });

  it('parseGlb and serializeGlb3: round-trip any chunks', () => {
    const chunk = fc.record({
      type: fc.constantFrom<number>(BIN, 0x41424344),
      encoding: fc.constantFrom<number>(0, 1),
      parts: fc.array(fc.uint8Array({ maxLength: 10 }), { maxLength: 3 }),
    });
    const law = fc.property(fc.array(chunk), fc.nat(8), fc.uint8Array({ maxLength: 9 }), (others, at, trailing) => {
      const chunks = [...others];
      const json = { type: 0x4e4f534a, encoding: 0, parts: [Uint8Array.of(0x7b, 0x7d)] };
      chunks.splice(Math.min(at, chunks.length), 0, json);
      const file = concatParts(serializeGlb3(chunks, trailing));
      const parsed = parseGlb(file);
      expect(parsed.chunks).toEqual(
        chunks.map(({ parts, ...rest }) => ({ ...rest, bytes: concatParts(parts).slice() })),
      );
      expect([...parsed.trailing]).toEqual([...trailing]);
      expect([parsed.issues, parsed.declaredLength]).toEqual([[], file.length - trailing.length]);
    });
    fc.assert(law, { seed: 1, numRuns: lawRuns(300) });
  });

  it('serializeGlb3: writes lengths of more than 32 bits', () => {
    // 5 GiB from one shared small piece, without copies.
    const piece = new Uint8Array(2 ** 26);
    const parts = serializeGlb3([{ type: BIN, encoding: 0, parts: Array(80).fill(piece) }], new Uint8Array(0));
    const head = Buffer.from(concatParts(parts.slice(0, 2)));
    expect([head.readBigUInt64LE(8), head.readBigUInt64LE(24)]).toEqual([5n * 2n ** 30n + 32n, 5n * 2n ** 30n]);
  });

  const JSON_ONLY: Chunk3 = ['JSON', JSON.stringify({ asset: ASSET })];
  const cut = (bytes: Buffer, length: number): Uint8Array => Uint8Array.from(bytes.subarray(0, length));
  const longChunk = glb3Of([JSON_ONLY]);
  longChunk.writeBigUInt64LE(2n ** 33n, 24);
  it.each<[string, Uint8Array, string, number]>([
    ['half a header', cut(glb3Of([JSON_ONLY]), 14), 'GLB_HEADER_INVALID', 14],
    ['a length below two headers', glb3Of([JSON_ONLY], 31n), 'GLB_HEADER_INVALID', 8],
    ['a length above 2^53', glb3Of([JSON_ONLY], 2n ** 62n), 'GLB_HEADER_INVALID', 8],
    ['no JSON chunk', glb3Of([['BIN\0', floats(1)]]), 'GLB_CHUNK_INVALID', 16],
    ['an encoded JSON chunk', glb3Of([['JSON', '{}', 1]]), 'GLB_CHUNK_INVALID', 16],
    ['half a chunk', cut(glb3Of([JSON_ONLY, ['BIN\0', floats(1, 2, 3)]]), 90), 'GLB_CHUNK_INVALID', 64],
    ['half a chunk header', cut(glb3Of([JSON_ONLY, ['BIN\0', floats(1)]]), 70), 'GLB_CHUNK_INVALID', 64],
    ['a chunk of 8 GiB', longChunk, 'GLB_CHUNK_INVALID', 16],
  ])('parseGltf: throws for %s with the byte offset', (_, bytes, code, offset) => {
    expect(() => parseGltf(bytes)).toThrow(expect.objectContaining({ name: 'FormatError', code, where: { offset } }));
  });

  it('parseGlb: reports a wrong length of the header if the chunks fit', () => {
    for (const length of [40n, 70n, 1000n, 2n ** 40n]) {
      const parsed = parseGlb(glb3Of([JSON_ONLY, ['BIN\0', floats(1, 2, 3)]], length));
      expect(parsed.issues.map(({ code }) => code)).toEqual(['GLB_LENGTH_MISMATCH']);
      expect(parsed.chunks).toHaveLength(2);
    }
  });

  it.each([
    ['a chunk that does not exist', { chunk: 3 }, 'GLTF_BUFFER', '/buffers/0/chunk'],
    ['an encoded chunk', { chunk: 1 }, 'GLTF_BUFFER', '/buffers/0/chunk'],
    ['the JSON chunk', { chunk: 0 }, 'GLTF_BUFFER', '/buffers/0/chunk'],
    ['a chunk of an unknown type', { chunk: 2 }, 'GLTF_BUFFER', '/buffers/0/chunk'],
    ['a chunk that is no index', { chunk: -1 }, 'GLTF_SCHEMA', '/buffers/0/chunk'],
    ['no chunk', {}, 'GLTF_BUFFER', '/buffers/0'],
  ])('bufferBytes: throws for %s', (_, chunk, code, pointer) => {
    const doc = parseGltf(
      glb3Of([
        ['JSON', jsonOf([{ byteLength: 4, ...chunk }])],
        ['BIN\0', floats(1), 5],
        ['ABCD', floats(1)],
      ]),
    );
    expect(() => bufferBytes(doc, 0)).toThrow(expect.objectContaining({ code, where: { pointer } }));
  });
});

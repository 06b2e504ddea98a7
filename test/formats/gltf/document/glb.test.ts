import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  concatParts,
  isGlb,
  padding,
  parseGlb,
  serializeGlb,
  totalLength,
} from '../../../../src/formats/gltf/document/glb.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const OTHER_CHUNK = 0x41424344;

/** Builds a GLB from unchecked chunks, with any length in its header. */
function glb(
  chunks: [type: number, bytes: number[], length?: number][],
  options: { length?: number; tail?: number[] } = {},
): Uint8Array {
  const body = chunks.flatMap(([type, bytes, length]) => [...u32(length ?? bytes.length), ...u32(type), ...bytes]);
  const length = options.length ?? 12 + body.length;
  return Uint8Array.from([...u32(0x46546c67), ...u32(2), ...u32(length), ...body, ...(options.tail ?? [])]);
}

function u32(value: number): number[] {
  return [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
}

const TEXT = [0x7b, 0x7d, 0x20, 0x20];

function errorOf(bytes: Uint8Array): unknown {
  try {
    parseGlb(bytes);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('parseGlb', () => {
  it('returns JSON, BIN and unknown chunks as views into the file', () => {
    const file = glb([
      [JSON_CHUNK, TEXT],
      [BIN_CHUNK, [1, 2, 3, 4]],
      [OTHER_CHUNK, [5, 6, 7, 8]],
    ]);
    const parsed = parseGlb(file);
    expect(parsed).toMatchObject({ declaredLength: file.length, jsonOffset: 20, issues: [] });
    expect([...parsed.json]).toEqual(TEXT);
    expect([...parsed.bin!]).toEqual([1, 2, 3, 4]);
    expect(parsed.others.map(({ type, bytes }) => [type, [...bytes]])).toEqual([[OTHER_CHUNK, [5, 6, 7, 8]]]);
    expect(parsed.bin!.buffer).toBe(file.buffer);
  });

  it('reads a file at an unaligned address', () => {
    const file = glb([
      [JSON_CHUNK, TEXT],
      [BIN_CHUNK, [1, 2, 3, 4]],
    ]);
    for (const shift of [1, 2, 3]) {
      const moved = new Uint8Array(file.length + shift);
      moved.set(file, shift);
      expect([...parseGlb(moved.subarray(shift)).bin!]).toEqual([1, 2, 3, 4]);
    }
  });

  it('accepts a file without BIN, with an empty BIN, and with unknown chunks only', () => {
    expect(parseGlb(glb([[JSON_CHUNK, TEXT]])).bin).toBeNull();
    const empty = glb([
      [JSON_CHUNK, TEXT],
      [BIN_CHUNK, []],
    ]);
    expect(parseGlb(empty).bin).toHaveLength(0);
    const other = glb([
      [JSON_CHUNK, TEXT],
      [OTHER_CHUNK, [1, 2, 3, 4]],
    ]);
    expect(parseGlb(other)).toMatchObject({ bin: null, others: [{ type: OTHER_CHUNK }] });
  });

  it('separates bytes after the length in the header', () => {
    const parsed = parseGlb(glb([[JSON_CHUNK, TEXT]], { tail: [9, 9, 9] }));
    expect([...parsed.trailing]).toEqual([9, 9, 9]);
    expect(parsed.issues).toEqual([]);
  });

  it('reports a wrong length in the header if the chunks fit', () => {
    const chunks: [number, number[]][] = [
      [JSON_CHUNK, TEXT],
      [BIN_CHUNK, [1, 2, 3, 4]],
    ];
    for (const length of [22, 25, 37, 1000, 0xffffffff]) {
      const parsed = parseGlb(glb(chunks, { length }));
      expect(parsed.issues.map(({ code, where }) => [code, where])).toEqual([['GLB_LENGTH_MISMATCH', { offset: 8 }]]);
      expect([...parsed.bin!]).toEqual([1, 2, 3, 4]);
    }
  });

  it('reports and reads a chunk whose length is not a multiple of 4', () => {
    const parsed = parseGlb(glb([[JSON_CHUNK, [0x7b, 0x20, 0x7d]]], { length: 24, tail: [0] }));
    expect(parsed.issues.map(({ code }) => code)).toEqual(['GLB_ALIGNMENT']);
    expect([...parsed.trailing]).toEqual([0]);
  });

  it.each([
    ['nothing', [], 'GLB_HEADER_INVALID', 0],
    ['another magic', Array(20).fill(1), 'GLB_HEADER_INVALID', 0],
    ['a truncated header', [0x67, 0x6c, 0x54, 0x46, 2, 0], 'GLB_HEADER_INVALID', 6],
    ['version 1', [...u32(0x46546c67), ...u32(1), ...u32(20), ...Array(8).fill(0)], 'GLB_HEADER_INVALID', 4],
    ['a length below the header', [...glb([[JSON_CHUNK, TEXT]], { length: 19 })], 'GLB_HEADER_INVALID', 8],
    ['no chunk', [...glb([], { length: 20 })], 'GLB_CHUNK_INVALID', 12],
    ['BIN first', [...glb([[BIN_CHUNK, TEXT]])], 'GLB_CHUNK_INVALID', 12],
    [
      'two JSON',
      [
        ...glb([
          [JSON_CHUNK, TEXT],
          [JSON_CHUNK, TEXT],
        ]),
      ],
      'GLB_CHUNK_INVALID',
      24,
    ],
    [
      'BIN third',
      [
        ...glb([
          [JSON_CHUNK, TEXT],
          [OTHER_CHUNK, []],
          [BIN_CHUNK, []],
        ]),
      ],
      'GLB_CHUNK_INVALID',
      32,
    ],
    [
      'two BIN',
      [
        ...glb([
          [JSON_CHUNK, TEXT],
          [BIN_CHUNK, []],
          [BIN_CHUNK, []],
        ]),
      ],
      'GLB_CHUNK_INVALID',
      32,
    ],
    ['a chunk past the end', [...glb([[JSON_CHUNK, TEXT, 5]])], 'GLB_CHUNK_INVALID', 12],
    ['the longest chunk', [...glb([[JSON_CHUNK, TEXT, 0xffffffff]])], 'GLB_CHUNK_INVALID', 12],
    [
      'half a chunk header',
      [...glb([[JSON_CHUNK, TEXT]], { length: 28, tail: [1, 2, 3, 4] })],
      'GLB_CHUNK_INVALID',
      24,
    ],
  ])('throws for %s with the byte offset', (_, bytes, code, offset) => {
    expect(errorOf(Uint8Array.from(bytes as number[]))).toMatchObject({ name: 'FormatError', code, where: { offset } });
  });
});

describe('printGlb', () => {
  const bytes = fc.uint8Array({ maxLength: 30 });
  const chunk = fc.record({
    type: fc.constant(OTHER_CHUNK),
    bytes: fc.uint8Array({ maxLength: 8 }).map((b) => b.subarray(0, b.length & ~3)),
  });

  it('round-trips through parseGlb, with JSON padded with spaces and BIN with zeros', () => {
    const law = fc.property(
      bytes,
      fc.option(fc.array(bytes)),
      fc.array(chunk),
      bytes,
      (json, bin, others, trailing) => {
        const parsed = parseGlb(concatParts(serializeGlb({ json, bin, others, trailing })));
        expect([...parsed.json]).toEqual([...json, ...Array(padding(json.length)).fill(0x20)]);
        const joined = bin?.flatMap((part) => [...part]) ?? null;
        expect(parsed.bin === null ? null : [...parsed.bin]).toEqual(
          joined === null ? null : [...joined, ...Array(padding(joined.length)).fill(0)],
        );
        expect(parsed.others.map((other) => [...other.bytes])).toEqual(others.map((other) => [...other.bytes]));
        expect([...parsed.trailing]).toEqual([...trailing]);
        expect(parsed.issues).toEqual([]);
      },
    );
    fc.assert(law, { seed: 1, numRuns: lawRuns(300) });
  });

  it('does not copy the pieces', () => {
    const bin = new Uint8Array(8);
    const parts = serializeGlb({ json: Uint8Array.from(TEXT), bin: [bin], others: [], trailing: new Uint8Array(0) });
    expect(parts).toContain(bin);
  });

  it('throws for more than 4 GiB', () => {
    // 4 GiB from one shared small piece, without copies.
    const piece = new Uint8Array(2 ** 26);
    const bin = Array<Uint8Array>(64).fill(piece);
    expect(() => serializeGlb({ json: Uint8Array.from(TEXT), bin, others: [], trailing: new Uint8Array(0) })).toThrow(
      expect.objectContaining({ code: 'GLTF_LIMIT' }),
    );
  });
});

describe('totalLength and concatParts', () => {
  it('add the lengths and join the parts', () => {
    const parts = [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)];
    expect(totalLength(parts)).toBe(3);
    expect([...concatParts(parts)]).toEqual([1, 2, 3]);
    expect(concatParts([])).toHaveLength(0);
    expect(concatParts([parts[0]!])).toBe(parts[0]);
  });
});

describe('isGlb', () => {
  it('checks only the first four bytes', () => {
    expect(isGlb(new TextEncoder().encode('glTF'))).toBe(true);
    expect(isGlb(new TextEncoder().encode('glT'))).toBe(false);
    expect(isGlb(new TextEncoder().encode('{"asset"'))).toBe(false);
  });
});

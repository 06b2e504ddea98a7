import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLz4Block, encodeLz4Block } from '../../../../src/formats/usd/crate/lz4.ts';
import { lz4BlockByBytes } from '../../../support/reference/lz4-block.ts';

/** Bytes that repeat here and there, and those that never do. */
const BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc
    .array(fc.record({ piece: fc.uint8Array({ minLength: 1, maxLength: 40 }), times: fc.nat(60) }), { maxLength: 12 })
    .map((pieces) =>
      Uint8Array.from(
        pieces.flatMap(({ piece, times }) =>
          Array(times)
            .fill([...piece])
            .flat(),
        ),
      ),
    ),
);

function decoded(block: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  expect(decodeLz4Block(block, out)).toBe(size);
  return out;
}

describe('LZ4 blocks', () => {
  test('round-trip through decodeLz4Block and a simple reference decoder', () => {
    fc.assert(
      fc.property(BYTES, (bytes) => {
        const block = encodeLz4Block(bytes);
        expect(decoded(block, bytes.length)).toEqual(bytes);
        expect(lz4BlockByBytes(block)).toEqual(bytes);
      }),
      { seed: 71 },
    );
  });

  test('are short for repeated bytes', () => {
    expect(encodeLz4Block(new Uint8Array(100_000)).length).toBeLessThan(410);
    const text = new TextEncoder().encode('primvars:skel:jointIndices\0primvars:skel:jointWeights\0'.repeat(40));
    expect(encodeLz4Block(text).length).toBeLessThan(90);
  });

  test('end with five literals and start no match in the last twelve bytes', () => {
    for (const size of [13, 14, 20, 300]) {
      const block = encodeLz4Block(new Uint8Array(size));
      // One literal, a match of all but the last five bytes, five literals.
      expect(block[block.length - 6]).toBe(0x50);
      expect(decoded(block, size)).toEqual(new Uint8Array(size));
    }
    expect(encodeLz4Block(new Uint8Array(12))).toEqual(Uint8Array.of(0xc0, ...new Uint8Array(12)));
    expect(encodeLz4Block(new Uint8Array(0))).toEqual(Uint8Array.of(0));
  });

  test('may have copies that overlap their output', () => {
    const block = Uint8Array.of(0x35, 1, 2, 3, 3, 0, 0x20, 8, 9);
    expect(decoded(block, 14)).toEqual(Uint8Array.of(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 8, 9));
  });

  test('decode to -1 if damaged, without writing beyond the end', () => {
    const good = encodeLz4Block(Uint8Array.from({ length: 300 }, (_, i) => i % 7));
    expect(decodeLz4Block(good, new Uint8Array(299))).toBe(-1);
    expect(decodeLz4Block(Uint8Array.of(0x10, 1, 5, 0), new Uint8Array(64))).toBe(-1);
    expect(decodeLz4Block(Uint8Array.of(0x10, 1, 0, 0), new Uint8Array(64))).toBe(-1);
    expect(decodeLz4Block(Uint8Array.of(0xf0), new Uint8Array(64))).toBe(-1);
    expect(decodeLz4Block(Uint8Array.of(0x1f, 1, 1, 0, 255), new Uint8Array(64))).toBe(-1);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (block) => {
        const out = new Uint8Array(128).fill(170);
        const filled = decodeLz4Block(block, out.subarray(0, 64));
        expect(filled).toBeLessThanOrEqual(64);
        expect(out.subarray(64)).toEqual(new Uint8Array(64).fill(170));
      }),
      { seed: 72 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createByteReader } from '../../../../src/formats/usd/crate/byte-reader.ts';
import { createMemoryBudget } from '../../../../src/formats/usd/crate/crate-limits.ts';
import { decompress } from '../../../../src/formats/usd/crate/fast-compression.ts';
import {
  compressInt64s,
  compressInts,
  readCompressedInt64s,
  readCompressedInts,
} from '../../../../src/formats/usd/crate/integer-coding.ts';

/** Compressed integers after their size, as in files. */
function sized(coded: Uint8Array): Uint8Array {
  const out = new Uint8Array(8 + coded.length);
  new DataView(out.buffer).setUint32(0, coded.length, true);
  out.set(coded, 8);
  return out;
}

function expanded(coded: Uint8Array): number[] {
  const out = new Uint8Array(1000);
  return [...out.subarray(0, decompress(createByteReader(coded), coded.length, out))];
}

describe('compressed integers', () => {
  test('match the example of OpenUSD', () => {
    const ints = Int32Array.of(123, 124, 125, 100125, 100125, 100126, 100126);
    // The common difference 1; codes 1 0 0 3 and 1 0 1, lowest bits first; 123, 100000, 0, 0.
    const bytes = [1, 0, 0, 0, 0b11000001, 0b00010001, 123, 0xa0, 0x86, 1, 0, 0, 0];
    expect(expanded(compressInts(ints))).toEqual(bytes);
    expect(readCompressedInts(createByteReader(sized(compressInts(ints))), 7, createMemoryBudget(100))).toEqual(ints);
  });

  test('use the largest of several most common differences', () => {
    expect(expanded(compressInts(Int32Array.of(5, 5, 10, 10))).slice(0, 4)).toEqual([5, 0, 0, 0]);
  });

  test('round-trip any 32-bit integers', () => {
    const ints = fc.oneof(
      fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 70 }),
      fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 70 }),
    );
    fc.assert(
      fc.property(ints, (values) => {
        const signed = Int32Array.from(values);
        expect(
          readCompressedInts(createByteReader(sized(compressInts(signed))), values.length, createMemoryBudget(1000)),
        ).toEqual(signed);
        const unsigned = Uint32Array.from(values);
        const read = readCompressedInts(
          createByteReader(sized(compressInts(unsigned))),
          values.length,
          createMemoryBudget(1000),
        );
        expect(new Uint32Array(read.buffer)).toEqual(unsigned);
      }),
      { seed: 73 },
    );
  });

  test('round-trip any 64-bit integers', () => {
    const ints = fc.array(fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-40_000n, 40_000n)), {
      maxLength: 70,
    });
    fc.assert(
      fc.property(ints, (values) => {
        const signed = BigInt64Array.from(values);
        expect(
          readCompressedInt64s(
            createByteReader(sized(compressInt64s(signed))),
            values.length,
            createMemoryBudget(1000),
          ),
        ).toEqual(signed);
        const unsigned = BigUint64Array.from(values);
        const read = readCompressedInt64s(
          createByteReader(sized(compressInt64s(unsigned))),
          values.length,
          createMemoryBudget(1000),
        );
        expect(new BigUint64Array(read.buffer)).toEqual(unsigned);
      }),
      { seed: 74 },
    );
  });

  test('store 64-bit differences in 2, 4 and 8 bytes', () => {
    const bytes = expanded(compressInt64s(BigInt64Array.of(1n, 2n, 3n, 1003n, 100_000n, 2n ** 40n)));
    expect(bytes.slice(0, 10)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0b01000000, 0b00001110]);
    expect(bytes.length).toBe(8 + 2 + 2 + 4 + 8);
  });

  test('read zero integers and skip their bytes', () => {
    const source = createByteReader(sized(compressInts(new Int32Array(0))));
    expect(readCompressedInts(source, 0, createMemoryBudget(1000))).toEqual(new Int32Array(0));
    expect(source.at).toBe(source.bytes.length);
  });

  test('throw for impossible counts before they allocate memory', () => {
    const coded = sized(compressInts(Int32Array.of(1, 2, 3)));
    expect(() => readCompressedInts(createByteReader(coded), 2 ** 40, createMemoryBudget(100))).toThrow(/cannot hold/);
    expect(() => readCompressedInts(createByteReader(coded), 40, createMemoryBudget(100))).toThrow(
      /end after|end before/,
    );
    expect(() => readCompressedInt64s(createByteReader(coded), 9, createMemoryBudget(100))).toThrow(
      /end after|end before/,
    );
    const many = sized(compressInts(new Int32Array(2_000_000)));
    expect(() => readCompressedInts(createByteReader(many), 2_000_000, { left: 1_000_000 })).toThrow(/far more/);
  });
});

import { describe, expect, test } from 'vitest';
import { createByteReader } from '../../../../src/formats/usd/crate/byte-reader.ts';
import { compress, decompress } from '../../../../src/formats/usd/crate/fast-compression.ts';
import { encodeLz4Block } from '../../../../src/formats/usd/crate/lz4.ts';

const TEXT = new TextEncoder().encode('the same again, the same again, the same again and again');

describe('compress and decompress', () => {
  test('store one chunk as a zero and an LZ4 block', () => {
    const packed = compress(TEXT);
    expect(packed[0]).toBe(0);
    expect(packed.subarray(1)).toEqual(encodeLz4Block(TEXT));
    const out = new Uint8Array(TEXT.length);
    expect(decompress(createByteReader(packed), packed.length, out)).toBe(TEXT.length);
    expect(out).toEqual(TEXT);
  });

  test('read several chunks, each after its size', () => {
    const blocks = [TEXT.subarray(0, 20), TEXT.subarray(20)].map(encodeLz4Block);
    const bytes = [2, ...blocks.flatMap((block) => [block.length, 0, 0, 0, ...block])];
    const out = new Uint8Array(TEXT.length);
    expect(decompress(createByteReader(Uint8Array.from(bytes)), bytes.length, out)).toBe(TEXT.length);
    expect(out).toEqual(TEXT);
  });

  test('throw for chunks that are too long or decompress to too much', () => {
    const packed = compress(TEXT);
    expect(() => decompress(createByteReader(packed), packed.length, new Uint8Array(10))).toThrow(/damaged/);
    expect(() => decompress(createByteReader(packed), packed.length + 5, new Uint8Array(100))).toThrow(
      /Expected 37 more bytes/,
    );
    const lying = Uint8Array.of(1, 200, 0, 0, 0, 0);
    expect(() => decompress(createByteReader(lying), lying.length, new Uint8Array(100))).toThrow(
      /longer than the data/,
    );
  });
});

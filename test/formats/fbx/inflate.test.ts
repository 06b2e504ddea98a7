import { constants, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflateInto } from '../../../src/formats/fbx/inflate.ts';

/** Bytes with repetitions near and far, in runs and at random. */
const data = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 0, maxLength: 300 }),
      fc.tuple(fc.nat(255), fc.nat(3000)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
      fc.nat(40000).map((length) => Uint8Array.from({ length }, (_, i) => (i * i) >> 5)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat([...parts, ...parts.slice(0, 2)]));

const settings = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  strategy: fc.constantFrom(
    ...[
      constants.Z_DEFAULT_STRATEGY,
      constants.Z_FILTERED,
      constants.Z_HUFFMAN_ONLY,
      constants.Z_RLE,
      constants.Z_FIXED,
    ],
  ),
});

describe('inflateInto', () => {
  it('gives back what zlib has compressed, in any way that zlib has', () => {
    fc.assert(
      fc.property(data, settings, (plain, options) => {
        const out = new Uint8Array(plain.length);
        expect(inflateInto(deflateSync(plain, options), out)).toBeNull();
        expect(Buffer.compare(plain, out)).toBe(0);
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it('refuses a stream of another size, without writing past the end', () => {
    const stream = deflateSync(Buffer.from('abcabcabcabcabcabcabcabc'.repeat(40)));
    expect(inflateInto(stream, new Uint8Array(960))).toBeNull();
    expect(inflateInto(stream, new Uint8Array(959))).toBe('expands to more');
    expect(inflateInto(stream, new Uint8Array(961))).toBe('expands to 960');
    const stored = deflateSync(Buffer.alloc(100), { level: 0 });
    expect(inflateInto(stored, new Uint8Array(99))).toBe('expands to more');
    expect(inflateInto(deflateSync(Buffer.from('abc')), new Uint8Array(2))).toBe('expands to more');
  });

  it('stops a bomb at the size that is wanted', () => {
    const bomb = deflateSync(Buffer.alloc(2 ** 26));
    const start = performance.now();
    expect(inflateInto(bomb, new Uint8Array(1000))).toBe('expands to more');
    expect(performance.now() - start).toBeLessThan(50);
  });

  it('refuses what is no zlib stream', () => {
    for (const bytes of [[], [0x78], [0x78, 0x9c, 3, 0], [0x1f, 0x8b, 8, 0, 0, 0, 0], [0x78, 0xbb, 0, 0, 0, 0, 0, 0]]) {
      expect(inflateInto(Uint8Array.from(bytes), new Uint8Array(0))).toBe('is no zlib stream');
    }
  });

  it('refuses a wrong checksum', () => {
    const stream = deflateSync(Buffer.from('some text'));
    stream[stream.length - 1] ^= 1;
    expect(inflateInto(stream, new Uint8Array(9))).toBe('has a wrong checksum');
  });

  it('refuses every cut, and every flipped bit but those of the window size, which it does not need', () => {
    const plain = Buffer.from(Array.from({ length: 400 }, (_, i) => (i % 37) * (i % 11)));
    for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED]) {
      const stream = deflateSync(plain, { strategy });
      const out = new Uint8Array(plain.length);
      for (let end = 0; end < stream.length; end++) expect(inflateInto(stream.subarray(0, end), out)).not.toBeNull();
      for (let bit = 0; bit < stream.length * 8; bit++) {
        const flipped = Uint8Array.from(stream);
        flipped[bit >> 3] ^= 1 << (bit & 7);
        const wrong = inflateInto(flipped, out);
        if (wrong === null) expect(Buffer.compare(plain, out)).toBe(0);
      }
    }
  });

  it('refuses tables that are no code', () => {
    // A last block with codes of its own, all of whose lengths are 0.
    const none = Uint8Array.of(0x78, 0x9c, 0b101, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect(inflateInto(none, new Uint8Array(1))).toBe('is damaged');
    const reserved = Uint8Array.of(0x78, 0x9c, 0b111, 0, 0, 0, 0, 0);
    expect(inflateInto(reserved, new Uint8Array(1))).toBe('is damaged');
  });
});

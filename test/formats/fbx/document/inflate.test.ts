import { constants, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inflateInto } from '../../../../src/formats/fbx/document/read-property-value.ts';
import { lawRuns } from '../../../law-runs.ts';

/** Bytes with repetitions near and far, in runs and at random. */
const data = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 0, maxLength: 300 }),
      fc.tuple(fc.nat(255), fc.nat(3000)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
      fc.nat(40000).map((length) => Uint8Array.from({ length }, (_, i) => (i * i) >> 5)),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => Buffer.concat([...parts, ...parts.slice(0, 2)]));

describe('inflateInto', () => {
  it('expands all compression modes of zlib', () => {
    const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED } = constants;
    const settings = fc.record({
      level: fc.integer({ min: 0, max: 9 }),
      windowBits: fc.integer({ min: 9, max: 15 }),
      strategy: fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED),
    });
    fc.assert(
      fc.property(data, settings, (plain, options) => {
        const out = new Uint8Array(plain.length);
        expect(inflateInto(deflateSync(plain, options), out)).toBeNull();
        expect(Buffer.compare(plain, out)).toBe(0);
      }),
      { seed: 3, numRuns: lawRuns(300) },
    );
  });

  it('fails for a stream of another size, without writing past the end', () => {
    const stream = deflateSync(Buffer.from('abcabcabcabcabcabcabcabc'.repeat(40)));
    expect(inflateInto(stream, new Uint8Array(960))).toBeNull();
    expect(inflateInto(stream, new Uint8Array(959))).toBe('expands to more');
    expect(inflateInto(stream, new Uint8Array(961))).toBe('expands to 960');
  });

  it('stops a decompression bomb soon after the expected size', () => {
    const bomb = deflateSync(Buffer.alloc(2 ** 27));
    const before = process.memoryUsage().arrayBuffers;
    expect(inflateInto(bomb, new Uint8Array(1000))).toBe('expands to more');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
  });

  it.each([
    ['a gzip header', [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]],
    ['a preset dictionary', [0x78, 0xbb, 0, 0, 0, 0, 0, 0]],
    ['an unknown kind of block', [0x78, 0x9c, 7, 0, 0, 0, 0, 0]],
  ])('refuses %s', (_, bytes) => {
    expect(inflateInto(Uint8Array.from(bytes), new Uint8Array(8))).not.toBeNull();
  });

  it('fails for every truncation before the end of the last block', () => {
    const plain = Buffer.from(Array.from({ length: 400 }, (_, i) => (i % 37) * (i % 11)));
    const stream = deflateSync(plain);
    for (let end = 0; end < stream.length - 8; end++) {
      expect(inflateInto(stream.subarray(0, end), new Uint8Array(plain.length))).not.toBeNull();
    }
  });

  it('returns a result for 20,000 randomly damaged streams', () => {
    const stream = deflateSync(Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i) % 251)));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (edits) => {
          const damaged = Uint8Array.from(stream);
          for (const [at, byte] of edits) damaged[at] = byte;
          const answer = inflateInto(damaged, new Uint8Array(900));
          expect(answer === null || typeof answer === 'string').toBe(true);
        },
      ),
      { seed: 4, numRuns: lawRuns(20_000) },
    );
  });
});

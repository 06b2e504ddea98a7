import { constants, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  inflateInto,
  readPropertyValue,
  valueSource,
} from '../../../../src/formats/fbx/document/read-property-value.ts';
import { lawRuns } from '../../../support/law-runs.ts';

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A property three bytes into the file: at no place that typed arrays like. */
function read(...parts: (string | Uint8Array | number)[]): unknown {
  const bytes = parts.map((part) =>
    typeof part === 'number' ? word(part) : typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
  );
  return readPropertyValue(valueSource(Buffer.concat([Buffer.alloc(3), ...bytes]), new TextDecoder('windows-1252')), 3);
}

describe('readPropertyValue', () => {
  it('returns the bytes 0 and 1 as booleans, letters as text', () => {
    expect([read('C\0'), read('C\x01'), read('CY'), read('Cw')]).toEqual([false, true, 'Y', 'w']);
    expect([read('B\0'), read('BY')]).toEqual([false, true]);
    expect([read('Z\x7f'), read('Z\xff')]).toEqual([127, -1]);
  });

  it('decodes text as UTF-8, else in the older encoding', () => {
    const japanese = Buffer.from('腰\0\x01Model');
    expect(read('S', japanese.length, japanese)).toBe('腰\0\x01Model');
    expect(read('S', 5, 'H\xfcfte')).toBe('Hüfte');
    expect(read('S', 0)).toBe('');
  });

  it('returns text of any length', () => {
    expect(read('S', 1_000_000, Buffer.alloc(1_000_000, 'a'))).toBe('a'.repeat(1_000_000));
  });

  it('returns blocks of bytes as a copy', () => {
    expect(read('R', 3, Uint8Array.of(1, 2, 255))).toEqual(Uint8Array.of(1, 2, 255));
  });

  it.each([
    ['i', Int32Array.of(1, -2, 2 ** 31 - 1)],
    ['l', BigInt64Array.of(46186158000n, -(2n ** 63n))],
    ['f', Float32Array.of(0.5, Number.NaN)],
    ['d', Float64Array.of(0.1, -0)],
    ['b', Uint8Array.of(0, 1)],
    ['c', Uint8Array.of(0, 200)],
  ])('gives arrays of type %s, plain and compressed', (type, array) => {
    const plain = Buffer.from(array.buffer);
    const stream = deflateSync(plain);
    expect(read(type, array.length, 0, plain.length, plain)).toStrictEqual(array);
    expect(read(type, array.length, 1, stream.length, stream)).toStrictEqual(array);
  });

  it('returns an empty array for a count of 0, whatever is stored', () => {
    expect(read('d', 0, 1, 2, 'xx')).toStrictEqual(new Float64Array(0));
  });

  it.each([
    ['expand to less', deflateSync(Buffer.alloc(12)), /4 elements \(16 bytes\), but it expands to 12/],
    ['expand to more', deflateSync(Buffer.alloc(2 ** 24)), /but it expands to more/],
    ['are not zlib', Buffer.from('no stream at all'), /but it is damaged/],
    ['end early', deflateSync(Buffer.from('0123456789abcdef')).subarray(0, 14), /but it is damaged/],
  ])('throws for streams that %s', (_, stream, message) => {
    expect(() => read('i', 4, 1, stream.length, stream)).toThrow(message);
    expect(() => read('i', 4, 1, stream.length, stream)).toThrow(
      expect.objectContaining({ code: 'FBX_SYNTAX', where: { offset: 16 } }),
    );
  });
});

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

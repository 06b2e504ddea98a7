import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPropertyValue } from '../../../../src/formats/fbx/document/read-property-value.ts';

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
  return readPropertyValue(Buffer.concat([Buffer.alloc(3), ...bytes]), 3, new TextDecoder('windows-1252'));
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

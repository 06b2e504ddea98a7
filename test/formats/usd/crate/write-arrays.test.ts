import { describe, expect, test } from 'vitest';
import { parseUsdc } from '../../../../src/formats/usd/crate/parse-usdc.ts';
import { serializeUsdc } from '../../../../src/formats/usd/crate/serialize-usdc.ts';
import type { NumericValue } from '../../../../src/formats/usd/layer/value.ts';
import { fieldsOf, layerWith } from './layers.ts';

/** An array of so many numbers, what it takes in a file, and how it comes out. */
function stored(
  type: NumericValue['type'],
  numbers: NumericValue['numbers'],
): { size: number; out: NumericValue['numbers'] } {
  const bytes = serializeUsdc(layerWith({ default: { type, isArray: true, numbers } }));
  const empty = serializeUsdc(layerWith({ default: { type, isArray: true, numbers: numbers.slice(0, 0) } }));
  const value = fieldsOf(parseUsdc(bytes))['default'] as NumericValue;
  return { size: bytes.length - empty.length, out: value.numbers };
}

describe('packNumbers', () => {
  test('compresses integer arrays from 16 items on', () => {
    const ints = Int32Array.from({ length: 10_000 }, (_, i) => i * 3);
    expect(stored('int', ints)).toEqual({ size: expect.any(Number), out: ints });
    expect(stored('int', ints).size).toBeLessThan(100);
    expect(stored('int', ints.slice(0, 15)).size).toBeGreaterThanOrEqual(60);
    const longs = BigUint64Array.from({ length: 1000 }, (_, i) => 2n ** 64n - BigInt(i + 1));
    expect(stored('uint64', longs).out).toEqual(longs);
    expect(stored('uint64', longs).size).toBeLessThan(100);
  });

  test('compresses floats with integer values as integers: half, float and double', () => {
    const whole = Float32Array.from({ length: 2000 }, (_, i) => i - 1000);
    expect(stored('float', whole).out).toEqual(whole);
    expect(stored('float', whole).size).toBeLessThan(100);
    expect(stored('half', whole).out).toEqual(whole);
    expect(stored('double', Float64Array.from(whole)).out).toEqual(Float64Array.from(whole));
  });

  test('compresses floats with few distinct values as a table and indices', () => {
    const few = Float32Array.from({ length: 2000 }, (_, i) => [0.5, 0.25, -0, Number.NaN, 0][i % 5]);
    expect(stored('float', few).out).toEqual(few);
    expect(stored('float', few).size).toBeLessThan(400);
    expect(stored('half', few).out).toEqual(few);
    const doubles = Float64Array.from(few, (value) => value / 3);
    expect(stored('double', doubles).out).toEqual(doubles);
    expect(stored('double', doubles).size).toBeLessThan(400);
  });

  test('keeps minus zero and infinities', () => {
    const zeros = new Float32Array(20).fill(-0);
    expect(Object.is((stored('float', zeros).out as Float32Array)[3], -0)).toBe(true);
    const far = new Float64Array(20).fill(Number.NEGATIVE_INFINITY);
    expect(stored('double', far).out).toEqual(far);
  });

  test('never compresses tuples or time codes', () => {
    expect(stored('float3', new Float32Array(3000)).size).toBeGreaterThanOrEqual(12_000);
    expect(stored('timecode', new Float64Array(1000)).size).toBeGreaterThanOrEqual(8000);
  });

  test('aligns uncompressed arrays to 8 bytes', () => {
    const points = Float32Array.from({ length: 300 }, (_, i) => i / 7);
    const weights = Float64Array.from({ length: 100 }, (_, i) => i / 7);
    const bytes = serializeUsdc(
      layerWith({
        a: { type: 'string', isArray: true, texts: ['x', 'y', 'z'] },
        b: { type: 'float3', isArray: true, numbers: points },
        c: { type: 'double4', isArray: true, numbers: weights },
      }),
    );
    const { b, c } = fieldsOf(parseUsdc(bytes)) as Record<string, NumericValue>;
    expect(b.numbers.buffer).toBe(bytes.buffer);
    expect(c.numbers.buffer).toBe(bytes.buffer);
    expect(b.numbers.byteOffset % 8).toBe(0);
    // In a file that is not aligned itself, they are copied.
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    const copied = fieldsOf(parseUsdc(shifted.subarray(1))) as Record<string, NumericValue>;
    expect(copied['b'].numbers).toEqual(points);
    expect(copied['c'].numbers).toEqual(weights);
  });
});

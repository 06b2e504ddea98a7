import { describe, expect, test } from 'vitest';
import {
  arrayRepAt,
  inlinedRep,
  inlineNumbers,
  isAlwaysInlined,
  isArrayRep,
  isCompressedRep,
  isInlinedRep,
  offsetOfRep,
  readInlined,
  repAt,
  typeOfRep,
} from '../../../../src/formats/usd/crate/value-rep.ts';

describe('value reps', () => {
  test('have a type, flags and an offset of 48 bits', () => {
    const rep = repAt(46, 2 ** 40 + 12345);
    expect([typeOfRep(rep), offsetOfRep(rep)]).toEqual([46, 2 ** 40 + 12345]);
    expect([isArrayRep(rep), isInlinedRep(rep), isCompressedRep(rep)]).toEqual([false, false, false]);
    const array = arrayRepAt(8, 64, true);
    expect(array).toEqual({ low: 64, high: 0xa0080000 });
    expect([isArrayRep(array), isInlinedRep(array), isCompressedRep(array)]).toEqual([true, false, true]);
    expect(inlinedRep(3, -1)).toEqual({ low: 0xffffffff, high: 0x40030000 });
  });

  test('inline small values unchanged', () => {
    expect(readInlined('int', 0xffffffff)).toEqual(Int32Array.of(-1));
    expect(readInlined('uint', 0xffffffff)).toEqual(Uint32Array.of(0xffffffff));
    expect(readInlined('float', 0x3fc00000)).toEqual(Float32Array.of(1.5));
    expect(readInlined('half', 0x3e00)).toEqual(Float32Array.of(1.5));
    expect(readInlined('half2', 0xc0003e00)).toEqual(Float32Array.of(1.5, -2));
    expect(readInlined('bool', 1)).toEqual(Uint8Array.of(1));
    expect(readInlined('uchar', 200)).toEqual(Uint8Array.of(200));
    expect(
      ['int', 'half2', 'bool', 'half3', 'double', 'int2', 'timecode'].map((type) => isAlwaysInlined(type as 'int')),
    ).toEqual([true, true, true, false, false, false, false]);
  });

  test('inline doubles as floats, 64-bit integers as 32-bit, tuples as bytes, matrices as diagonal bytes', () => {
    expect(readInlined('double', 0x3fc00000)).toEqual(Float64Array.of(1.5));
    expect(readInlined('int64', 0xfffffffe)).toEqual(BigInt64Array.of(-2n));
    expect(readInlined('uint64', 0xfffffffe)).toEqual(BigUint64Array.of(0xfffffffen));
    expect(readInlined('float3', 0x00ff0201)).toEqual(Float32Array.of(1, 2, -1));
    expect(readInlined('half4', 0x80ff0201)).toEqual(Float32Array.of(1, 2, -1, -128));
    expect(readInlined('int2', 0x0201)).toEqual(Int32Array.of(1, 2));
    expect(readInlined('matrix3d', 0x00040302)).toEqual(Float64Array.of(2, 0, 0, 0, 3, 0, 0, 0, 4));
    expect(readInlined('matrix4d', 0x01010101)).toEqual(
      Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
    );
  });

  test('inline only values that stay lossless', () => {
    expect(inlineNumbers('double', Float64Array.of(1.5), null)).toBe(0x3fc00000);
    expect(inlineNumbers('double', Float64Array.of(0.1), null)).toBeNull();
    expect(inlineNumbers('double', Float64Array.of(Number.NaN), null)).toBeNull();
    expect(inlineNumbers('double', Float64Array.of(Number.POSITIVE_INFINITY), null)).toBeNull();
    expect(inlineNumbers('float3', Float32Array.of(1, 2, -1), null)).toBe(0x00ff0201);
    expect(inlineNumbers('float3', Float32Array.of(1, 2, -0), null)).toBeNull();
    expect(inlineNumbers('float3', Float32Array.of(1, 2, 128), null)).toBeNull();
    expect(inlineNumbers('int64', BigInt64Array.of(-2n), null)).toBe(0xfffffffe);
    expect(inlineNumbers('int64', BigInt64Array.of(2n ** 31n), null)).toBeNull();
    expect(inlineNumbers('uint64', BigUint64Array.of(2n ** 32n), null)).toBeNull();
    expect(inlineNumbers('matrix2d', Float64Array.of(2, 0, 0, 3), null)).toBe(0x0302);
    expect(inlineNumbers('matrix2d', Float64Array.of(2, 0, 1, 3), null)).toBeNull();
    expect(inlineNumbers('matrix2d', Float64Array.of(2, -0, 0, 3), null)).toBeNull();
    expect(inlineNumbers('quatf', Float32Array.of(0, 0, 0, 1), null)).toBeNull();
    expect(inlineNumbers('timecode', Float64Array.of(1), null)).toBeNull();
    expect(inlineNumbers('half2', Float32Array.of(1.5, -2), Uint16Array.of(0x3e00, 0xc000))).toBe(0xc0003e00);
    expect(inlineNumbers('float', new Float32Array(Uint32Array.of(0x7fc12345).buffer), null)).toBe(0x7fc12345);
  });
});

import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../src/formats/usd/layer/value.ts';
import {
  parseDictionary,
  parseValue,
  readTypeName,
  toTypedNumbers,
} from '../../../../src/formats/usd/text/parse-value.ts';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';

const parse = (type: string, text: string): Value => parseValue(createTextCursor(text), type);

describe('parseValue', () => {
  it('returns flat typed arrays of the stored type', () => {
    expect(parse('int', '-3')).toEqual({ type: 'int', isArray: false, numbers: Int32Array.of(-3) });
    expect(parse('uchar[]', '[0, 255]')).toEqual({ type: 'uchar', isArray: true, numbers: Uint8Array.of(0, 255) });
    expect(parse('uint', '4294967295')).toEqual({ type: 'uint', isArray: false, numbers: Uint32Array.of(4294967295) });
    expect(parse('int64', '-9223372036854775808')).toEqual({
      type: 'int64',
      isArray: false,
      numbers: BigInt64Array.of(-(2n ** 63n)),
    });
    expect(parse('point3f[]', '[(1, 2, 3), (4, 5, 6)]')).toEqual({
      type: 'float3',
      isArray: true,
      numbers: Float32Array.of(1, 2, 3, 4, 5, 6),
    });
    expect(parse('double', '0.1')).toEqual({ type: 'double', isArray: false, numbers: Float64Array.of(0.1) });
  });

  it('rounds numbers of half types to halves', () => {
    expect(parse('half', '0.1')).toEqual({ type: 'half', isArray: false, numbers: Float32Array.of(0.0999755859375) });
  });

  it('truncates numbers of integer types and throws outside their range', () => {
    expect(parse('int', '1.9')).toMatchObject({ numbers: Int32Array.of(1) });
    expect(() => parse('uchar', '256')).toThrow('a number in the range of uchar');
    expect(() => parse('int2', '(1, 3e9)')).toThrow('a number in the range of int2');
    expect(() => parse('uint64', '-1')).toThrow('a number in the range of uint64');
  });

  it('moves the real part of quaternions from first to last', () => {
    expect(parse('quatf', '(1, 2, 3, 4)')).toMatchObject({ numbers: Float32Array.of(2, 3, 4, 1) });
    expect(parse('quatd[]', '[(1, 2, 3, 4), (5, 6, 7, 8)]')).toMatchObject({
      numbers: Float64Array.of(2, 3, 4, 1, 6, 7, 8, 5),
    });
  });

  it('reads matrices row by row', () => {
    expect(parse('matrix2d', '( (1, 2), (3, 4) )')).toMatchObject({ numbers: Float64Array.of(1, 2, 3, 4) });
    expect(() => parse('matrix2d', '( (1, 2), (3, 4), (5, 6) )')).toThrow('matrix2d');
  });

  it('reads booleans, blocks and texts', () => {
    expect(parse('bool[]', '[true, No, 1, 0]')).toMatchObject({ numbers: Uint8Array.of(1, 0, 1, 0) });
    expect(() => parse('bool', 'one')).toThrow('true or false');
    expect(parse('float[]', 'None')).toEqual({ type: 'block' });
    expect(parse('token[]', '["a", \'b\']')).toEqual({ type: 'token', isArray: true, texts: ['a', 'b'] });
    expect(parse('asset', '@a@')).toEqual({ type: 'asset', isArray: false, texts: ['a'] });
    expect(parse('asset', '"a"')).toEqual({ type: 'asset', isArray: false, texts: ['a'] });
    expect(() => parse('asset', 'a')).toThrow('an asset path');
    expect(() => parse('string', String.raw`"a\x00b"`)).toThrow('NUL');
    expect(() => parse('token', 'a')).toThrow('in quotes');
  });

  it('keeps values of unknown types as text', () => {
    expect(parse('flaot[]', '[1, 2] (doc = "x")')).toEqual({ type: 'unregistered', text: '[1, 2]' });
  });

  it('reads long arrays completely', () => {
    const values = Array.from({ length: 1000 }, (_, k) => k);
    expect(parse('int[]', `[${values.join(',')}]`)).toMatchObject({ numbers: Int32Array.from(values) });
    expect(toTypedNumbers('double', Float64Array.of(1, 2).subarray(0, 1))).toEqual(Float64Array.of(1));
  });
});

describe('parseDictionary', () => {
  it('reads typed entries and nested dictionaries', () => {
    const { entries } = parseDictionary(createTextCursor('{ int a = 1; dictionary b = {\n string "c:d" = "e"\n } }'));
    expect([...entries.keys()]).toEqual(['a', 'b']);
    expect(entries.get('b')).toEqual({
      type: 'dictionary',
      entries: new Map([['c:d', { type: 'string', isArray: false, texts: ['e'] }]]),
    });
  });

  it('throws without types or line ends, and if nested too deeply', () => {
    for (const text of ['{ a = 1 }', '{ int a = 1 int b = 2 }', '{ int a =\n 1 }', '{']) {
      expect(() => parseDictionary(createTextCursor(text)), text).toThrow('expected');
    }
    expect(() => parseDictionary(createTextCursor('{ dictionary a = '.repeat(100)))).toThrow(
      '64 levels of nested dictionaries',
    );
  });
});

describe('readTypeName', () => {
  it('reads array types, namespaces and old names', () => {
    expect(readTypeName(createTextCursor('float[] x'))).toBe('float[]');
    expect(readTypeName(createTextCursor('Some::Enum x'))).toBe('Some::Enum');
    expect(readTypeName(createTextCursor('Vec3f[] x'))).toBe('float3[]');
    expect(() => readTypeName(createTextCursor('float[ x'))).toThrow('of an array type');
  });
});

import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../src/formats/usd/layer/value.ts';
import { createTextCursor } from '../../../../src/formats/usd/text/text-cursor.ts';
import { toTypedNumbers, parseDictionary, parseValue, readTypeName } from '../../../../src/formats/usd/text/parse-value.ts';

const parse = (type: string, text: string): Value => parseValue(createTextCursor(text), type);

describe('values of texts', () => {
  it('are flat typed arrays of what their type stores', () => {
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

  it('are rounded to halves where their type is half', () => {
    expect(parse('half', '0.1')).toEqual({ type: 'half', isArray: false, numbers: Float32Array.of(0.0999755859375) });
  });

  it('are truncated where whole numbers are wanted, within their range', () => {
    expect(parse('int', '1.9')).toMatchObject({ numbers: Int32Array.of(1) });
    expect(() => parse('uchar', '256')).toThrow('a number that uchar can hold');
    expect(() => parse('int2', '(1, 3e9)')).toThrow('a number that int2 can hold');
    expect(() => parse('uint64', '-1')).toThrow('a number that uint64 can hold');
  });

  it('have the real part of quaternions last, which texts have first', () => {
    expect(parse('quatf', '(1, 2, 3, 4)')).toMatchObject({ numbers: Float32Array.of(2, 3, 4, 1) });
    expect(parse('quatd[]', '[(1, 2, 3, 4), (5, 6, 7, 8)]')).toMatchObject({
      numbers: Float64Array.of(2, 3, 4, 1, 6, 7, 8, 5),
    });
  });

  it('have matrices row by row', () => {
    expect(parse('matrix2d', '( (1, 2), (3, 4) )')).toMatchObject({ numbers: Float64Array.of(1, 2, 3, 4) });
    expect(() => parse('matrix2d', '( (1, 2), (3, 4), (5, 6) )')).toThrow('matrix2d');
  });

  it('may be true, false, blocked, or text', () => {
    expect(parse('bool[]', '[true, No, 1, 0]')).toMatchObject({ numbers: Uint8Array.of(1, 0, 1, 0) });
    expect(() => parse('bool', 'one')).toThrow('true or false');
    expect(parse('float[]', 'None')).toEqual({ type: 'block' });
    expect(parse('token[]', '["a", \'b\']')).toEqual({ type: 'token', isArray: true, texts: ['a', 'b'] });
    expect(parse('asset', '@a@')).toEqual({ type: 'asset', isArray: false, texts: ['a'] });
    expect(() => parse('asset', '"a"')).toThrow('an asset path');
    expect(() => parse('token', 'a')).toThrow('in quotes');
  });

  it('of unknown types are kept as text', () => {
    expect(parse('flaot[]', '[1, 2] (doc = "x")')).toEqual({ type: 'unregistered', text: '[1, 2]' });
  });

  it('of long arrays are whole', () => {
    const values = Array.from({ length: 1000 }, (_, k) => k);
    expect(parse('int[]', `[${values.join(',')}]`)).toMatchObject({ numbers: Int32Array.from(values) });
    expect(toTypedNumbers('double', Float64Array.of(1, 2).subarray(0, 1))).toEqual(Float64Array.of(1));
  });
});

describe('dictionaries', () => {
  it('have typed entries, dictionaries too', () => {
    const { entries } = parseDictionary(createTextCursor('{ int a = 1; dictionary b = {\n string "c:d" = "e"\n } }'));
    expect([...entries.keys()]).toEqual(['a', 'b']);
    expect(entries.get('b')).toEqual({
      type: 'dictionary',
      entries: new Map([['c:d', { type: 'string', isArray: false, texts: ['e'] }]]),
    });
  });

  it('are refused without types, line ends, or too deep', () => {
    for (const text of ['{ a = 1 }', '{ int a = 1 int b = 2 }', '{ int a =\n 1 }', '{']) {
      expect(() => parseDictionary(createTextCursor(text)), text).toThrow('expected');
    }
    expect(() => parseDictionary(createTextCursor('{ dictionary a = '.repeat(100)))).toThrow('64 dictionaries');
  });
});

describe('names of types', () => {
  it('may be arrays, of namespaces, and old', () => {
    expect(readTypeName(createTextCursor('float[] x'))).toBe('float[]');
    expect(readTypeName(createTextCursor('Some::Enum x'))).toBe('Some::Enum');
    expect(readTypeName(createTextCursor('Vec3f[] x'))).toBe('float3[]');
    expect(() => readTypeName(createTextCursor('float[ x'))).toThrow('of an array type');
  });
});

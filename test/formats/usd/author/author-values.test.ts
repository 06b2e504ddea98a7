import { describe, expect, it } from 'vitest';
import { arrayOf, single, text, texts } from '../../../../src/formats/usd/author/author-values.ts';

describe('author-values', () => {
  it.each([
    ['bool', Uint8Array],
    ['uchar', Uint8Array],
    ['int', Int32Array],
    ['int3', Int32Array],
    ['uint', Uint32Array],
    ['half3', Float32Array],
    ['float', Float32Array],
    ['quath', Float32Array],
    ['quatf', Float32Array],
    ['quatd', Float64Array],
    ['double2', Float64Array],
    ['timecode', Float64Array],
    ['matrix4d', Float64Array],
  ] as const)('single and arrayOf: store %s in the typed array of layers', (type, array) => {
    expect(single(type, 1)).toEqual({ type, isArray: false, numbers: array.of(1) });
    const numbers = [1, 2];
    expect(arrayOf(type, numbers)).toEqual({ type, isArray: true, numbers: array.of(1, 2) });
  });

  it('arrayOf, text and texts: create values and copy arrays', () => {
    const numbers = new Float32Array(3);
    expect(arrayOf('float3', numbers).numbers).not.toBe(numbers);
    expect(text('token', 'a')).toEqual({ type: 'token', isArray: false, texts: ['a'] });
    expect(texts('asset', ['a'])).toEqual({ type: 'asset', isArray: true, texts: ['a'] });
  });
});

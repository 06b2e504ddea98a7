import { expect, it } from 'vitest';
import { arrayKey, derivedArray } from '../../../../src/formats/gltf/meshes/derived-arrays.ts';
import { smallFile } from '../small-file.ts';

it('derivedArray: derives an array from the same sources once and counts its bytes once', () => {
  const doc = smallFile({});
  const source = Uint8Array.of(1, 2, 3, 4);
  let calls = 0;
  const make = (array: Uint8Array, kind = 'wide'): Uint16Array =>
    derivedArray(doc, kind, [array], 2 * array.length, '/x', () => {
      calls++;
      return new Uint16Array(array);
    });
  const made = make(source);
  expect(made).toEqual(Uint16Array.of(1, 2, 3, 4));
  expect(make(new Uint8Array(source.buffer))).toBe(made);
  expect(doc.cache.decodedBytes).toBe(8);
  expect(make(source.subarray(1))).not.toBe(made);
  expect(make(source, 'other')).not.toBe(made);
  expect(calls).toBe(3);
});

it('arrayKey: distinguishes arrays of different types at the same offset', () => {
  const doc = smallFile({});
  const { buffer } = new Uint8Array(8);
  const arrays = [new Uint8Array(buffer, 0, 2), new Uint16Array(buffer, 0, 2), new Int8Array(buffer, 0, 2)];
  expect(new Set(arrays.map((array) => arrayKey(doc, array))).size).toBe(3);
});

it('derivedArray: throws GLTF_LIMIT before it allocates a large array', () => {
  const doc = smallFile({});
  expect(() => derivedArray(doc, 'large', [new Uint8Array(1)], 2 ** 40, '/x', () => new Uint8Array(0))).toThrow(
    expect.objectContaining({ code: 'GLTF_LIMIT', where: { pointer: '/x' } }),
  );
});

import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { NumpyArray } from '../../../../src/formats/npz/container/numpy-array.ts';
import { readNumbers, readTexts } from '../../../../src/formats/npz/container/numpy-array.ts';
import { parseNumpy } from '../../../../src/formats/npz/container/parse-numpy.ts';
import { elementBytes, makeNpy, makeNpz, makeZip, npyHeader } from '../../../support/make/numpy-files.ts';

const SMALL = { shape: [2, 3], values: [1, 2, 3, 4, 5, 6] };

function arrayAt(bytes: Uint8Array, key = ''): NumpyArray {
  return parseNumpy(bytes).get(key) as NumpyArray;
}

describe('parseNumpy', () => {
  it.each([
    ['stored', {}],
    ['deflated', { deflate: true }],
    ['with sizes of 0xFFFFFFFF in local headers', { zip64: true }],
    ['deflated with sizes of 0xFFFFFFFF in local headers', { zip64: true, deflate: true }],
  ])('reads the members of an archive that is %s', (_, how) => {
    const bytes = makeNpz({ poses: SMALL, 'run/fps': { shape: [], values: [30], descr: '<i8' } }, how);
    expect([...parseNumpy(bytes).keys()]).toEqual(['poses', 'run/fps']);
    expect([...readNumbers(arrayAt(bytes, 'poses'))]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...readNumbers(arrayAt(bytes, 'run/fps'))]).toEqual([30]);
  });

  it('reads a member in Fortran order beside one in C order', () => {
    const bytes = makeNpz({ c: SMALL, fortran: { shape: [2, 3], values: [1, 4, 2, 5, 3, 6], fortran: true } });
    expect([...readNumbers(arrayAt(bytes, 'fortran'))]).toEqual([...readNumbers(arrayAt(bytes, 'c'))]);
  });

  it('reads Fortran order of three dimensions', () => {
    const values = Array.from({ length: 24 }, (_, k) => k);
    const stored = Array.from(
      { length: 24 },
      (_, k) => values[(k % 2) * 12 + (Math.floor(k / 2) % 3) * 4 + Math.floor(k / 6)],
    );
    const bytes = makeNpy({ shape: [2, 3, 4], values: stored, fortran: true });
    expect([...readNumbers(arrayAt(bytes))]).toEqual(values);
  });

  it.each([1, 2, 3] as const)('reads version %d of .npy', (version) => {
    expect([...readNumbers(arrayAt(makeNpy({ ...SMALL, version })))]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each([
    ['<f8', [1.5, -2], [1.5, -2]],
    ['>f4', [1.5, -2], [1.5, -2]],
    ['<f2', [0x3e00, 0xc000], [1.5, -2]],
    ['<i8', [3, -4], [3, -4]],
    ['>i4', [3, -4], [3, -4]],
    ['<i2', [3, -4], [3, -4]],
    ['|i1', [3, -4], [3, -4]],
    ['|u1', [3, 200], [3, 200]],
    ['|b1', [1, 0], [1, 0]],
  ])('reads elements of the type %s', (descr, stored, expected) => {
    expect([...readNumbers(arrayAt(makeNpy({ shape: [2], values: stored, descr })))]).toEqual(expected);
  });

  it('reads the smallest and special half floats', () => {
    const bytes = makeNpy({ shape: [4], values: [1, 0x7c00, 0xfc00, 0x7e00], descr: '<f2' });
    expect([...readNumbers(arrayAt(bytes))]).toEqual([2 ** -24, Infinity, -Infinity, NaN]);
  });

  it.each([
    ['<U7', 'neutral'],
    ['|S6', 'female'],
  ])('reads text of the type %s without dimensions', (descr, word) => {
    const array = arrayAt(makeNpy({ shape: [], values: [word], descr }));
    expect(readTexts(array)).toEqual([word]);
  });

  it('reads an array without elements', () => {
    const array = arrayAt(makeNpy({ shape: [34, 0], values: [] }));
    expect(array.shape).toEqual([34, 0]);
    expect(readNumbers(array)).toHaveLength(0);
  });

  const npy = makeNpy(SMALL);
  const zip = makeNpz({ a: SMALL }, { deflate: true });
  const changed = (bytes: Uint8Array, at: number, ...values: number[]): Uint8Array => {
    const copy = bytes.slice();
    copy.set(values, at);
    return copy;
  };
  const central = zip.length - 22 - 46 - 5;
  const bomb = makeZip({ 'a.npy': new Uint8Array(0) });
  const bombAt = bomb.length - 22 - 46 - 5;
  const zeros = deflateRawSync(new Uint8Array(2 ** 24 + 64));
  const hugeZip = makeZip(
    { 'poses.npy': makeNpy({ shape: [2 ** 22], values: new Float32Array(2 ** 22) }) },
    { deflate: true },
  );

  it.each([
    ['an array that ends early', () => readNumbers(arrayAt(npy.subarray(0, npy.length - 4)))],
    ['an array that ends in its header', () => parseNumpy(npy.subarray(0, 40))],
    ['version 9 of .npy', () => parseNumpy(changed(npy, 6, 9))],
    ['records', () => parseNumpy(changed(npy, 10, ...new TextEncoder().encode("{'descr': [('x', '<f4')],")))],
    ['a header without a shape', () => parseNumpy(changed(npy, 55, ...new TextEncoder().encode('xxxxx')))],
    ['more elements than memory', () => readNumbers(arrayAt(npyHeader('<f8', [2 ** 30])))],
    ['an archive without its end', () => parseNumpy(zip.subarray(0, zip.length - 10))],
    ['an archive whose directory is cut', () => parseNumpy(changed(zip, zip.length - 12, 9))],
    ['a member with another checksum', () => readNumbers(arrayAt(changed(zip, central + 16, 1, 2, 3, 4), 'a'))],
    ['an encrypted member', () => parseNumpy(changed(zip, central + 8, 1))],
    ['LZMA', () => parseNumpy(changed(zip, central + 10, 14))],
    ['damaged compressed data', () => readNumbers(arrayAt(changed(zip, 40, 255, 255, 255, 255), 'a'))],
    ['a member beyond the file', () => readNumbers(arrayAt(changed(bomb, bombAt + 20, 255, 255), 'a'))],
    ['zeros that expand a thousandfold', () => readNumbers(arrayAt(hugeZip, 'poses'))],
    ['a PyTorch archive', () => parseNumpy(makeZip({ 'archive/data.pkl': zeros }))],
  ])('refuses %s', (_, read) => {
    expect(read).toThrow(expect.objectContaining({ constructor: FormatError, code: 'NPZ_INVALID' }));
  });

  it('does not read beyond the elements that the header says', () => {
    const bytes = Buffer.concat([makeNpy(SMALL), elementBytes('<f4', [7, 8])]);
    expect([...readNumbers(arrayAt(new Uint8Array(bytes)))]).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

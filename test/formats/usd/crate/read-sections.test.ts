import { describe, expect, test } from 'vitest';
import { createByteReader } from '../../../../src/formats/usd/crate/byte-reader.ts';
import { createMemoryBudget } from '../../../../src/formats/usd/crate/crate-limits.ts';
import { compress } from '../../../../src/formats/usd/crate/fast-compression.ts';
import { compressInts } from '../../../../src/formats/usd/crate/integer-coding.ts';
import {
  isUsdc,
  readFieldSets,
  readFields,
  readSpecs,
  readStrings,
  readTableOfContents,
  readTokens,
  type SectionReading,
} from '../../../../src/formats/usd/crate/read-sections.ts';

const int64 = (value: number): number[] => [...new Uint8Array(BigInt64Array.of(BigInt(value)).buffer)];
const int32s = (...values: number[]): number[] => [...new Uint8Array(Uint32Array.from(values).buffer)];
const text = (value: string): number[] => [...new TextEncoder().encode(value)];
const sized = (bytes: Uint8Array): number[] => [...int64(bytes.length), ...bytes];

/** One section at the start of the bytes. */
function reading(name: string, minor: number, bytes: number[]): SectionReading {
  return {
    source: createByteReader(Uint8Array.from(bytes)),
    sections: new Map([[name, 0]]),
    minor,
    budget: createMemoryBudget(1000),
  };
}

/** A header, directly followed by a table of contents. */
function frame(table: number[], version = [0, 8, 0]): Uint8Array {
  return Uint8Array.from([
    ...text('PXR-USDC'),
    ...version,
    0,
    0,
    0,
    0,
    0,
    ...int64(88),
    ...new Array(64).fill(0),
    ...table,
  ]);
}

const section = (name: string, start: number, size: number): number[] => [
  ...text(name),
  ...new Array(16 - name.length).fill(0),
  ...int64(start),
  ...int64(size),
];

describe('readTableOfContents', () => {
  test('returns the version and the offsets of all sections, also unknown ones', () => {
    const bytes = frame([...int64(2), ...section('TOKENS', 88, 4), ...section('SOMETHING', 90, 0)], [0, 7, 3]);
    expect(isUsdc(bytes)).toBe(true);
    const { version, sections } = readTableOfContents(createByteReader(bytes));
    expect(version).toEqual({ major: 0, minor: 7, patch: 3 });
    expect(sections).toEqual(
      new Map([
        ['TOKENS', 88],
        ['SOMETHING', 90],
      ]),
    );
  });

  test('throws for sections outside the file', () => {
    for (const [start, size] of [
      [88, 1000],
      [-1, 4],
      [88, -4],
      [2 ** 50, 0],
    ]) {
      expect(() =>
        readTableOfContents(createByteReader(frame([...int64(1), ...section('TOKENS', start, size)]))),
      ).toThrow(/section TOKENS has/);
    }
    expect(() => readTableOfContents(createByteReader(frame(int64(2 ** 40))))).toThrow(/1099511627776 sections/);
    expect(() => readTableOfContents(createByteReader(frame([]).subarray(0, 60)))).toThrow(/ends within its header/);
  });
});

describe('section readers', () => {
  const names = text('a\0\0é☃\0');

  test('readTokens: reads texts that end with NUL, compressed since 0.4', () => {
    expect(readTokens(reading('TOKENS', 2, [...int64(3), ...int64(names.length), ...names]))).toEqual(['a', '', 'é☃']);
    const packed = [...int64(3), ...int64(names.length), ...sized(compress(Uint8Array.from(names)))];
    expect(readTokens(reading('TOKENS', 4, packed))).toEqual(['a', '', 'é☃']);
  });

  test('readTokens: accepts a last token without NUL, throws for a missing token', () => {
    expect(readTokens(reading('TOKENS', 2, [...int64(2), ...int64(3), ...text('a\0b')]))).toEqual(['a', 'b']);
    expect(() => readTokens(reading('TOKENS', 2, [...int64(3), ...int64(4), ...text('a\0b\0')]))).toThrow(
      /Expected 3 tokens, found 2/,
    );
    expect(readTokens(reading('TOKENS', 2, [...int64(0), ...int64(0)]))).toEqual([]);
  });

  test('readStrings: reads token indices; the section may be missing', () => {
    expect(readStrings(reading('STRINGS', 8, [...int64(2), ...int32s(4, 5)]))).toEqual(Uint32Array.of(4, 5));
    expect(readStrings({ ...reading('OTHER', 8, []) })).toEqual(new Uint32Array(0));
    expect(() => readStrings(reading('STRINGS', 8, [...int64(9), ...int32s(4, 5)]))).toThrow(/9 strings/);
  });

  test('readFields: reads names and value reps', () => {
    const plain = [...int64(2), ...int32s(99, 7, 1, 2, 99, 8, 3, 4)];
    const packed = [
      ...int64(2),
      ...sized(compressInts(Int32Array.of(7, 8))),
      ...sized(compress(Uint8Array.from(int32s(1, 2, 3, 4)))),
    ];
    for (const read of [reading('FIELDS', 2, plain), reading('FIELDS', 8, packed)]) {
      expect(readFields(read)).toEqual({ names: Uint32Array.of(7, 8), reps: Uint32Array.of(1, 2, 3, 4) });
    }
  });

  test('readFieldSets: reads runs of field indices, each with an end', () => {
    const sets = Uint32Array.of(0, 1, 0xffffffff, 0xffffffff);
    expect(readFieldSets(reading('FIELDSETS', 2, [...int64(4), ...int32s(...sets)]))).toEqual(sets);
    expect(readFieldSets(reading('FIELDSETS', 8, [...int64(4), ...sized(compressInts(sets))]))).toEqual(sets);
  });

  test('readSpecs: reads three columns, with padding in 0.0.1', () => {
    const expected = { paths: Uint32Array.of(0, 1), fieldSets: Uint32Array.of(5, 6), types: Uint32Array.of(7, 1) };
    const version = { major: 0, minor: 0, patch: 1 };
    expect(readSpecs(reading('SPECS', 0, [...int64(2), ...int32s(99, 0, 5, 7, 99, 1, 6, 1)]), version)).toEqual(
      expected,
    );
    const second = { major: 0, minor: 2, patch: 0 };
    expect(readSpecs(reading('SPECS', 2, [...int64(2), ...int32s(0, 5, 7, 1, 6, 1)]), second)).toEqual(expected);
    const columns = [
      [0, 1],
      [5, 6],
      [7, 1],
    ].flatMap((column) => sized(compressInts(Int32Array.from(column))));
    expect(readSpecs(reading('SPECS', 8, [...int64(2), ...columns]), { major: 0, minor: 8, patch: 0 })).toEqual(
      expected,
    );
  });

  test('throw with the name of a missing section', () => {
    expect(() => readTokens(reading('OTHER', 8, []))).toThrow(/section TOKENS is missing/);
    expect(() => readFieldSets(reading('OTHER', 8, []))).toThrow(/section FIELDSETS is missing/);
  });
});

import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { FbxProperty } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { type WalkedRecord, walkBinary } from '../../../../src/formats/fbx/document/walk-binary.ts';
import { fbxBinary, rec } from '../fbx-bytes.ts';

/** Offset of the first property in a file of one record whose name is one letter, version 7.4. */
const FIRST_VALUE = 27 + 13 + 1;

function oneRecord(...properties: FbxProperty[]): Buffer {
  return Buffer.from(fbxBinary({ version: 7400, records: [rec('A', properties)] }, { compresses: false }));
}

/** The file with 32-bit words set at offsets. */
function patched(bytes: Buffer, ...words: [at: number, value: number][]): Buffer {
  const out = Buffer.from(bytes);
  for (const [at, value] of words) out.writeUInt32LE(value, at);
  return out;
}

function refusal(bytes: Uint8Array, version = 7400): FormatError {
  try {
    walkBinary(bytes, version);
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    return error as FormatError;
  }
  throw new Error('nothing was refused');
}

describe('walkBinary', () => {
  it.each([7400, 7700])('finds the end of the records and all properties, version %i', (version) => {
    const records = [rec('A', [1, 'x', 0.5], [rec('B', [true, 2n])]), rec('C', [Int32Array.of(1, 2)])];
    const bytes = fbxBinary({ version, records });
    const footer = Buffer.concat([bytes, Buffer.alloc(40, 0xf8)]);
    const { end, records: walked } = walkBinary(footer, version);
    expect(end).toBe(bytes.length);
    const typesOf = ({ properties }: WalkedRecord): string =>
      properties.map((at) => String.fromCharCode(bytes[at])).join('');
    expect(walked.map(typesOf)).toEqual(['ISD', 'i']);
    expect(walked[0].records?.map(typesOf)).toEqual(['CL']);
    expect(walked[1].records).toBeNull();
  });

  it('reports the offset at which the file ends early', () => {
    const bytes = oneRecord('text');
    const error = refusal(bytes.subarray(0, bytes.length - 1));
    expect(error.code).toBe('FBX_SYNTAX');
    expect(error.message).toMatch(/header of a record needs 13 bytes, but the file ends after 12/);
    expect(error.where).toEqual({ offset: bytes.length - 13 });
  });

  it.each<[string, Buffer, number, RegExp]>([
    ['an end past the file', patched(oneRecord(1), [27, 5000]), 27, /A record needs \d+ bytes, but the file ends/],
    [
      'an end before the name',
      patched(oneRecord(1), [27, 30]),
      27,
      /declares its end at byte 30, before the end of its own name/,
    ],
    [
      'an end before the properties end',
      patched(oneRecord(1), [27, FIRST_VALUE + 4]),
      FIRST_VALUE,
      /1 more than its enclosing record/,
    ],
    [
      'too many properties',
      patched(oneRecord(1), [31, 2]),
      FIRST_VALUE + 5,
      /A property has 1 bytes, 1 more than its enclosing record/,
    ],
    ['too few properties', patched(oneRecord(1, 2), [31, 1]), FIRST_VALUE + 5, /end 5 bytes early/],
    [
      '4 thousand million properties',
      patched(oneRecord(1), [31, 0xffffffff]),
      FIRST_VALUE + 5,
      /1 more than its enclosing record/,
    ],
    [
      'a string past its record',
      patched(oneRecord('text'), [FIRST_VALUE + 1, 5]),
      FIRST_VALUE + 5,
      /1 more than its enclosing record/,
    ],
    [
      'a string past the file',
      patched(oneRecord('text'), [FIRST_VALUE + 1, 999]),
      FIRST_VALUE + 5,
      /but the file ends/,
    ],
    [
      'plain arrays of another length',
      patched(oneRecord(Int32Array.of(1, 2)), [FIRST_VALUE + 1, 3]),
      FIRST_VALUE + 1,
      /An array of 3 elements \(12 bytes\) cannot be stored in 8 bytes/,
    ],
    [
      'streams that cannot expand so far',
      patched(oneRecord(Int32Array.of(1, 2)), [FIRST_VALUE + 1, 1032 * 2 + 1], [FIRST_VALUE + 5, 1]),
      FIRST_VALUE + 1,
      /An array of 2065 elements/,
    ],
    [
      'an unknown encoding',
      patched(oneRecord(Int32Array.of(1, 2)), [FIRST_VALUE + 5, 2]),
      FIRST_VALUE + 5,
      /encoding 2; expected 0 \(plain\) or 1 \(zlib\)/,
    ],
    ['no name', Buffer.from(oneRecord().fill(0, 39, 40)), 27, /empty name/],
    ['rests of a record that ends a list', patched(oneRecord(), [45, 7]), 41, /nonzero fields/],
  ])('refuses %s', (_, bytes, offset, message) => {
    const error = refusal(bytes);
    expect(error.code).toBe('FBX_SYNTAX');
    expect(error.message).toMatch(message);
    expect(error.where).toEqual({ offset });
  });

  it('throws for an unknown property type', () => {
    const bytes = oneRecord(1);
    bytes.write('x', FIRST_VALUE);
    expect(refusal(bytes).message).toMatch(/has the unknown type "x"/);
  });

  it('throws for a list that ends before its record', () => {
    const bytes = Buffer.from(fbxBinary({ version: 7400, records: [rec('A', [], [rec('B'), rec('C')])] }));
    bytes.fill(0, FIRST_VALUE, FIRST_VALUE + 13);
    expect(refusal(bytes)).toMatchObject({ message: expect.stringMatching(/ends \d+ bytes before its record/) });
  });

  it('accepts a list that ends with its record, without a record of zeros', () => {
    const bytes = Buffer.from(fbxBinary({ version: 7400, records: [rec('A', [], [rec('B', ['text'])])] }));
    const inner = 27 + 14;
    const innerEnd = bytes.readUInt32LE(inner);
    const without = Buffer.concat([bytes.subarray(0, innerEnd), bytes.subarray(innerEnd + 13)]);
    without.writeUInt32LE(innerEnd, 27);
    expect(walkBinary(without, 7400).records[0].records).toHaveLength(1);
  });

  it('throws for 64-bit offsets beyond the file', () => {
    const bytes = Buffer.from(fbxBinary({ version: 7500, records: [rec('A', [1])] }));
    bytes.writeUInt32LE(1, 31);
    expect(refusal(bytes, 7500).message).toMatch(/A record needs \d+ bytes, but the file ends/);
  });

  it('throws for arrays beyond the memory limit, before it expands any', () => {
    const array = new Float64Array(150000);
    const bytes = Buffer.from(fbxBinary({ version: 7400, records: [rec('A', [array])] }, { compresses: false }));
    // A stream of 1.2 MB may expand to 1.2 GB.
    bytes.writeUInt32LE(150000 * 1000, FIRST_VALUE + 1);
    bytes.writeUInt32LE(1, FIRST_VALUE + 5);
    expect(refusal(bytes)).toMatchObject({ code: 'FBX_LIMIT', where: { offset: FIRST_VALUE + 1 } });
  });

  it('throws for strings beyond the length limit of JavaScript', () => {
    const length = 2 ** 28 + 1;
    const end = FIRST_VALUE + 5 + length;
    const bytes = Buffer.alloc(end + 13);
    oneRecord(new Uint8Array(0)).copy(bytes, 0, 0, FIRST_VALUE + 1);
    for (const [at, value] of [
      [27, end],
      [35, 5 + length],
      [FIRST_VALUE + 1, length],
    ]) {
      bytes.writeUInt32LE(value, at);
    }
    expect(walkBinary(bytes, 7400).records[0].properties).toHaveLength(1);
    bytes.write('S', FIRST_VALUE);
    expect(refusal(bytes)).toMatchObject({ code: 'FBX_LIMIT', where: { offset: FIRST_VALUE } });
  });
});

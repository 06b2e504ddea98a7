import { describe, expect, it } from 'vitest';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import {
  CONSTANT_END,
  evaluateCurve,
  type FbxCurve,
  SEGMENT,
} from '../../../../src/formats/fbx/animation/fbx-curve.ts';
import { readAnimationCurve } from '../../../../src/formats/fbx/animation/read-animation-curve.ts';
import type { FbxProperty, FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { rec } from '../fbx-bytes.ts';

const SECOND = 46186158000;

/** An AnimationCurve of arrays by name. */
function curveRecord(arrays: Readonly<Record<string, FbxProperty>>, more: readonly FbxRecord[] = []): FbxRecord {
  const records = Object.entries(arrays).map(([name, value]) => rec(name, [value]));
  return rec('AnimationCurve', [1n, '\0\x01AnimCurve', ''], [...records, ...more]);
}

function read(record: FbxRecord): { curve: FbxCurve | null; faults: IssueTally } {
  const faults: IssueTally = new Map();
  return { curve: readAnimationCurve(record, SECOND, faults), faults };
}

const ticks = (...seconds: readonly number[]): BigInt64Array =>
  BigInt64Array.from(seconds, (second) => BigInt(Math.round(second * SECOND)));
const LINEAR = 4;
const CUBIC_USER = 0x408;

describe('readAnimationCurve', () => {
  it('reads keys from arrays, and attributes shared by runs of keys', () => {
    const { curve, faults } = read(
      curveRecord({
        KeyTime: ticks(0, 0.5, 1, 2),
        KeyValueFloat: Float32Array.of(1, 2, 3, 4),
        KeyAttrFlags: Int32Array.of(LINEAR, CUBIC_USER),
        KeyAttrDataFloat: Float32Array.of(0, 0, 0, 0, 6, -3, 0, 0),
        KeyAttrRefCount: Int32Array.of(2, 2),
      }),
    );
    expect([...curve!.times]).toEqual([0, 0.5, 1, 2]);
    expect([...curve!.values]).toEqual([1, 2, 3, 4]);
    expect([...curve!.segments]).toEqual([SEGMENT.LINEAR, SEGMENT.LINEAR, SEGMENT.CUBIC, SEGMENT.CUBIC]);
    // Slopes 6 and −3 over thirds of 1 s.
    expect(curve!.handles[9]).toBeCloseTo(5, 12);
    expect(curve!.handles[11]).toBeCloseTo(5, 12);
    expect([curve!.before, curve!.after]).toEqual([CONSTANT_END, CONSTANT_END]);
    expect(faults.size).toBe(0);
  });

  it('reads weights from the bits of a float, or from the integer of text files', () => {
    const packed = new Uint32Array([(2500 << 16) | 5000]);
    const bits = new Float32Array(packed.buffer)[0];
    for (const stored of [bits, packed[0]]) {
      const { curve } = read(
        curveRecord({
          KeyTime: ticks(0, 1),
          KeyValueFloat: Float32Array.of(0, 1),
          KeyAttrFlags: Int32Array.of(CUBIC_USER | 0x3000000),
          KeyAttrDataFloat: Float64Array.of(0, 0, stored, 0),
          KeyAttrRefCount: Int32Array.of(2),
        }),
      );
      expect(curve!.handles[0]).toBeCloseTo(5000 / 9999, 12);
      expect(curve!.handles[2]).toBeCloseTo(1 - 2500 / 9999, 12);
    }
  });

  it('reads tension, continuity and bias from the integer bits of text files as from the floats of binary files', () => {
    const rows = Float32Array.of(0.3, 0.2, 0.5, 0, 0, 0, -0.25, 0, 0.3, 0.2, 0.5, 0);
    const [binary, text] = [rows, new Int32Array(rows.buffer)].map((data) => {
      const arrays = {
        KeyTime: ticks(0, 0.3, 1),
        KeyValueFloat: Float32Array.of(0, 10, 5),
        KeyAttrFlags: new Int32Array(3).fill(0x208),
        KeyAttrDataFloat: data,
      };
      return [...read(curveRecord(arrays)).curve!.handles];
    });
    expect(text).toEqual(binary);
    expect(Math.max(...binary)).toBeLessThan(20);
  });

  it('reads slopes from the integer bits of the text files of the SDK', () => {
    const bitsOf = (value: number): number => new Int32Array(Float32Array.of(value).buffer)[0];
    const slopes = (right: number, left: number): readonly number[] => {
      const { curve } = read(
        curveRecord({
          KeyTime: ticks(0, 1),
          KeyValueFloat: Float32Array.of(0, 0),
          KeyAttrFlags: Int32Array.of(CUBIC_USER),
          KeyAttrDataFloat: Float64Array.of(right, left, 218434821, 0),
          KeyAttrRefCount: Int32Array.of(2),
        }),
      );
      return [3 * curve!.handles[1], -3 * curve!.handles[3]];
    };
    for (const [right, left] of [
      [-0, 1.5],
      [-20.25, 0],
      [-0, -0],
    ]) {
      const found = slopes(bitsOf(right), bitsOf(left));
      expect(found[0]).toBeCloseTo(right, 12);
      expect(found[1]).toBeCloseTo(left, 12);
    }
    // Numbers of other programs stay numbers.
    expect(slopes(6, -3)[0]).toBeCloseTo(6, 12);
    expect(slopes(0.5, 2_000_000)[1]).toBeCloseTo(2_000_000, 6);
  });

  it('reads what Blender and the SDK write instead of weights as one third', () => {
    const flags = CUBIC_USER | 0x3000000;
    const sdk = read(
      curveRecord({
        KeyTime: ticks(0, 1),
        KeyValueFloat: Float32Array.of(0, 1),
        KeyAttrFlags: Int32Array.of(flags),
        KeyAttrDataFloat: Int32Array.of(0, 0, 218434821, 0),
        KeyAttrRefCount: Int32Array.of(2),
      }),
    );
    expect(sdk.curve!.handles[0]).toBe(1 / 3);
    expect(sdk.curve!.handles[2]).toBeCloseTo(2 / 3, 12);
  });

  it('reads the extrapolation before and after the keys', () => {
    const keys = { KeyTime: ticks(0, 1), KeyValueFloat: Float32Array.of(0, 1), KeyAttrFlags: Int32Array.of(LINEAR) };
    const end = (name: string, type: FbxProperty, repetition: number): FbxRecord =>
      rec(name, [], [rec('Type', [type]), rec('Repetition', [repetition])]);
    const { curve } = read(
      curveRecord(keys, [end('Pre-Extrapolation', 'M', 2), end('Post-Extrapolation', 'A'.charCodeAt(0), -1)]),
    );
    expect(curve!.before).toEqual({ extrapolation: 'mirror', repetitions: 2 });
    expect(curve!.after).toEqual({ extrapolation: 'repeatRelative', repetitions: Number.POSITIVE_INFINITY });
    const odd = read(curveRecord(keys, [end('Pre-Extrapolation', 'C', 1), end('Post-Extrapolation', 'ß', 3)]));
    expect([odd.curve!.before, odd.curve!.after]).toEqual([CONSTANT_END, CONSTANT_END]);
  });

  it('sorts keys, keeps both keys of a jump a tick apart, and leaves out invalid keys', () => {
    const { curve, faults } = read(
      curveRecord({
        KeyTime: Float64Array.of(2 * SECOND, SECOND, Number.NaN, SECOND, 1e300, 3 * SECOND),
        KeyValueFloat: Float64Array.of(20, 10, 5, 11, 6, Number.POSITIVE_INFINITY),
        KeyAttrFlags: Int32Array.of(2, 4, 4, 4, 4, 4),
      }),
    );
    expect([...curve!.times]).toEqual([1 - 1 / SECOND, 1, 2]);
    expect([...curve!.values]).toEqual([10, 11, 20]);
    expect([...curve!.segments]).toEqual([SEGMENT.LINEAR, SEGMENT.LINEAR, SEGMENT.CONSTANT]);
    expect([...faults.keys()]).toEqual([
      'have keys whose time or value is invalid; these keys were left out',
      'have keys that are not in the order of time; the keys were sorted',
      'have several keys at one time; the last was used, and the first if both make a jump',
    ]);
  });

  it.each([
    ['equal keys', 3, LINEAR],
    ['keys with automatic slopes', 9, 8],
  ])('keeps one of %s at one time, and names no order', (_, value, flag) => {
    const { curve, faults } = read(
      curveRecord({
        KeyTime: ticks(0, 1, 1, 2),
        KeyValueFloat: Float32Array.of(0, value, 3, 1),
        KeyAttrFlags: Int32Array.of(flag, flag, flag, flag),
      }),
    );
    expect([...curve!.times]).toEqual([0, 1, 2]);
    expect([...faults.keys()]).toEqual([
      'have several keys at one time; the last was used, and the first if both make a jump',
    ]);
  });

  it('reads as many keys as there are both times and values, and reuses the last attributes', () => {
    const { curve, faults } = read(
      curveRecord({
        KeyTime: ticks(0, 1, 2),
        KeyValueFloat: Float32Array.of(1, 2),
        KeyAttrFlags: Int32Array.of(2, LINEAR),
        KeyAttrRefCount: Int32Array.of(1e9, -5),
      }),
    );
    expect([...curve!.segments]).toEqual([SEGMENT.CONSTANT, SEGMENT.CONSTANT]);
    expect(faults.get('have different numbers of times and values; the surplus was left out')).toBe(1);
    const short = read(
      curveRecord({
        KeyTime: ticks(0, 1, 2),
        KeyValueFloat: Float32Array.of(1, 2, 3),
        KeyAttrFlags: Int32Array.of(2, LINEAR),
        KeyAttrRefCount: Float64Array.of(1, Number.NaN),
      }),
    );
    expect([...short.curve!.segments]).toEqual([SEGMENT.CONSTANT, SEGMENT.LINEAR, SEGMENT.LINEAR]);
    expect(short.faults.get('declare no interpolation for their last keys, which use that of the key before')).toBe(1);
  });

  it('is linear without attributes, and null without keys', () => {
    const plain = read(curveRecord({ KeyTime: ticks(0, 2), KeyValueFloat: Float32Array.of(0, 4) }));
    expect(evaluateCurve(plain.curve!, 0.5)).toBe(1);
    expect(plain.faults.get('declare no interpolation and were read as linear')).toBe(1);
    expect(read(curveRecord({})).curve).toBeNull();
    expect(read(curveRecord({ KeyTime: 'x', KeyValueFloat: true })).curve).toBeNull();
  });

  it('merges times that are equal in seconds', () => {
    const late = 2n ** 62n;
    const { curve } = read(
      curveRecord({
        KeyTime: BigInt64Array.of(late, late + 1n, late + 2n ** 40n),
        KeyValueFloat: Float32Array.of(1, 2, 3),
        KeyAttrFlags: Int32Array.of(0x2108),
      }),
    );
    expect([...curve!.values]).toEqual([2, 3]);
    expect(curve!.handles.every(Number.isFinite)).toBe(true);
  });
});

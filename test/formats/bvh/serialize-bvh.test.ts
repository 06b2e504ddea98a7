import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type BvhTree, parseBvh, serializeBvh } from 'anyrig/bvh';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { cpuTimer } from '../../support/cpu-time.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { bvhText, SMALL, writtenFiles } from './bvh-text.ts';

/** Numbers with −0 as 0, as they are serialized. */
const plain = (values: ArrayLike<number>): number[] => Array.from(values, (value) => value + 0);

function treeOf(values: readonly number[], frameTime = 1): BvhTree {
  const channels = values.map(() => 'Xrotation' as const);
  const joint = { kind: 'root' as const, name: 'a', parent: -1, offset: new Float64Array(3), channels, column: 0 };
  const motion = { frameCount: 1, frameTime, values: Float64Array.from(values) };
  return { joints: [joint], channelCount: values.length, motion, issues: [] };
}

describe('serializeBvh', () => {
  it('writes text that is read as the equal tree, with the shortest exact numbers', () => {
    const property = fc.property(writtenFiles(), (written) => {
      const tree = parseBvh(bvhText(written));
      const text = serializeBvh(tree, { digits: 'shortest' });
      expect(parseBvh(text)).toEqual(tree);
      expect(serializeBvh(parseBvh(text), { digits: 'shortest' })).toBe(text);
    });
    fc.assert(property, { seed: 21, numRuns: lawRuns(500) });
  });

  it('rounds to the given number of decimals, 6 by default', () => {
    const property = fc.property(writtenFiles(), fc.constantFrom(undefined, 0, 3, 6, 9), (written, digits) => {
      const tree = parseBvh(bvhText(written));
      const again = parseBvh(serializeBvh(tree, digits === undefined ? {} : { digits }));
      const half = 0.5 * 10 ** -(digits ?? 6) * (1 + 1e-6);
      expectNear(again.motion!.values, tree.motion!.values, half);
      again.joints.forEach((joint, k) => {
        expectNear(joint.offset, tree.joints[k]!.offset, half);
        expect({ ...joint, offset: 0 }).toEqual({ ...tree.joints[k], offset: 0 });
      });
      expectNear([again.motion!.frameTime], [tree.motion!.frameTime], 5e-10);
    });
    fc.assert(property, { seed: 22, numRuns: lawRuns(300) });
  });

  it('writes numbers without exponent, without trailing zeros and without −0', () => {
    const line = serializeBvh(treeOf([1.5, -2, -1e-9, 1e-6, 123456.789, -0.1234567, 1 / 3]))
      .split('\n')
      .at(-2);
    expect(line).toBe('1.5 -2 0 0.000001 123456.789 -0.123457 0.333333');
    expect(
      serializeBvh(treeOf([1.23e-8]), { digits: 9 })
        .split('\n')
        .at(-2),
    ).toBe('0.000000012');
    expect(
      serializeBvh(treeOf([-0, 1e-9]), { digits: 'shortest' })
        .split('\n')
        .at(-2),
    ).toBe('-0 1e-9');
  });

  it('writes the frame time with nine decimals, so that long files do not drift', () => {
    expect(serializeBvh(treeOf([0], 1 / 30))).toContain('Frame Time: 0.033333333\n');
    expect(serializeBvh(treeOf([0], 0.0083333))).toContain('Frame Time: 0.0083333\n');
  });

  it('uses the layout of common tools', () => {
    expect(serializeBvh(parseBvh(SMALL))).toBe(
      SMALL.replace('0.0 90.5 0.0', '0 90.5 0')
        .replace('1e-1', '0.1')
        .replace('+60', '60')
        .replace('20. 0', '20 0')
        .replace('Time: .04', 'Time: 0.04'),
    );
    expect(serializeBvh(parseBvh('HIERARCHY ROOT a { OFFSET 0 0 0 } ROOT { OFFSET 1 0 0 }'))).toBe(
      'HIERARCHY\nROOT a\n{\n\tOFFSET 0 0 0\n\tCHANNELS 0\n}\nROOT\n{\n\tOFFSET 1 0 0\n\tCHANNELS 0\n}\n',
    );
  });

  it('changes only names that the format cannot represent', () => {
    const named = (name: string): string => {
      const tree = treeOf([0]);
      return parseBvh(serializeBvh({ ...tree, joints: [{ ...tree.joints[0]!, name }] })).joints[0]!.name;
    };
    for (const name of ['Right Leg', 'mixamorig:Hips', '腰', 'End Site', 'a.b|c#"d"', ''])
      expect(named(name)).toBe(name);
    expect(named(' a{b}\nc\r ')).toBe('a_b__c_');
    expect(named('\u0001 x')).toBe('x');
  });

  it('refuses non-finite numbers, and digits out of range', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e39]) {
      expect(() => serializeBvh(treeOf([value]))).toThrow(RangeError);
      expect(() => serializeBvh(treeOf([value]), { digits: 'shortest' })).toThrow(RangeError);
    }
    for (const digits of [-1, 1.5, 16, Number.NaN])
      expect(() => serializeBvh(treeOf([0]), { digits })).toThrow(RangeError);
  });

  it.runIf(IS_FULL_RUN)('writes 100,000 nested joints in linear space', () => {
    const joints = Array.from({ length: 100_000 }, (_, k) => ({
      kind: k === 0 ? ('root' as const) : ('joint' as const),
      name: 'a',
      parent: k - 1,
      offset: new Float64Array(3),
      channels: [],
      column: 0,
    }));
    const text = serializeBvh({ joints, channelCount: 0, motion: null, issues: [] });
    expect(text.length).toBeLessThan(5e7);
    expect(parseBvh(text).joints.length).toBe(100_000);
  });

  it.runIf(IS_FULL_RUN)('writes 10,000 frames of 180 channels within five seconds', () => {
    const channelCount = 180;
    const channels = Array.from({ length: 3 }, () => 'Xrotation' as const);
    const joints = Array.from({ length: 60 }, (_, k) => ({
      kind: k === 0 ? ('root' as const) : ('joint' as const),
      name: `j${k}`,
      parent: k - 1,
      offset: new Float64Array(3),
      channels,
      column: 3 * k,
    }));
    const values = Float64Array.from({ length: 10_000 * channelCount }, (_, i) => 180 * Math.sin(i));
    const spent = cpuTimer();
    const text = serializeBvh({
      joints,
      channelCount,
      motion: { frameCount: 10_000, frameTime: 0.01, values },
      issues: [],
    });
    expect(spent()).toBeLessThan(5000);
    expect(text.length).toBeGreaterThan(1e7);
  });
});

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('serializeBvh on third-party files', () => {
  const files = assetFiles('assets/bvh', 'bvh');

  it('writes text that is read as the equal tree', () => {
    expect(files.length).toBeGreaterThanOrEqual(7);
    for (const file of files) {
      const tree = parseBvh(readFileSync(file, 'utf8'));
      // toEqual takes seconds for files with many frames.
      expect(isDeepStrictEqual(parseBvh(serializeBvh(tree, { digits: 'shortest' })), tree)).toBe(true);
      const rounded = parseBvh(serializeBvh(tree));
      const off = rounded.motion!.values.map((value, i) => Math.abs(value - tree.motion!.values[i]!));
      expect(off.reduce((most, value) => Math.max(most, value), 0)).toBeLessThan(5.00001e-7);
      // Files with at most six decimals are exact.
      if (!/\.\d{7}|\de-\d/.test(readFileSync(file, 'utf8'))) {
        expect(isDeepStrictEqual(plain(rounded.motion!.values), plain(tree.motion!.values))).toBe(true);
      }
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Keys, Track } from '../../../src/core/animation/clip.ts';
import { decimateKeys, pickKeys } from '../../../src/core/animation/decimate-keys.ts';
import { keyReasons } from '../../../src/core/animation/key-reasons.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { referenceSample } from '../../support/reference/interpolation.ts';
import { angle, apart } from '../../support/reference/plain.ts';

function widthOf({ path }: Track): number {
  return path === 'rotation' ? 4 : 3;
}

/** LINEAR keys with one number per value. */
function numbers(...values: number[]): Keys {
  return { interpolation: 'LINEAR', times: Float32Array.from(values.keys()), values: Float32Array.from(values) };
}

describe('decimateKeys', () => {
  it('stays within the tolerance at every key', () => {
    const property = fc.property(track(), fc.constantFrom(0.01, 0.3, 1, 3), (source, tolerance) => {
      const kept = decimateKeys(source, widthOf(source), source.path === 'rotation', tolerance);
      const thin = pickKeys(source, widthOf(source), kept);
      expect(keyReasons(thin)).toEqual([]);
      for (const time of source.times) {
        const [a, b] = [referenceSample(source, time), referenceSample(thin, time)];
        const off = source.path === 'rotation' ? angle(a, b) : apart(a, b);
        expect(off).toBeLessThanOrEqual((source.interpolation === 'STEP' ? 0 : tolerance) + 1e-6);
      }
    });
    fc.assert(property, { seed: 10, numRuns: lawRuns(1000) });
  });

  it('removes keys on a line, and keeps the corner', () => {
    expect(Array.from(decimateKeys(numbers(0, 1, 2, 3, 2, 1, 0), 1, false, 1e-6))).toEqual([1, 0, 0, 1, 0, 0, 1]);
  });

  it('keeps one key of a constant track, and both ends of others', () => {
    expect(Array.from(decimateKeys(numbers(5, 5.01, 4.99, 5), 1, false, 0.02))).toEqual([1, 0, 0, 0]);
    expect(Array.from(decimateKeys(numbers(5, 5.01, 5.02, 5.03), 1, false, 0.02))).toEqual([1, 0, 0, 1]);
  });

  it('keeps all STEP keys that change the value', () => {
    const steps: Keys = { ...numbers(1, 1, 1.001, 1.001, 1), interpolation: 'STEP' };
    expect(Array.from(decimateKeys(steps, 1, false, 10))).toEqual([1, 0, 1, 0, 1]);
  });

  it('takes linear time for many keys on a line', () => {
    const count = 300_000;
    const line: Keys = {
      interpolation: 'LINEAR',
      times: Float64Array.from({ length: count }, (_, k) => k),
      values: Float64Array.from({ length: count }, (_, k) => k),
    };
    const kept = decimateKeys(line, 1, false, 1e-6);
    expect(kept.reduce((sum, is) => sum + is, 0)).toBe(2);
  });
});

describe('pickKeys', () => {
  it('keeps the tangents of a spline, and converts a single key to STEP', () => {
    const spline: Keys = {
      interpolation: 'CUBICSPLINE',
      times: new Float32Array([0, 1, 2]),
      values: new Float32Array([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    };
    expect(Array.from(pickKeys(spline, 1, Uint8Array.of(1, 0, 1)).values)).toEqual([1, 2, 3, 7, 8, 9]);
    const single = pickKeys(spline, 1, Uint8Array.of(0, 1, 0));
    expect([single.interpolation, ...single.values]).toEqual(['STEP', 5]);
    expect(pickKeys(spline, 1, Uint8Array.of(1, 1, 1))).toBe(spline);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { repairTrack } from '../../../src/core/animation/repair-track.ts';
import { track } from '../../support/arbitraries.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { expectNear } from '../../support/near.ts';
import { validateClip } from '../../support/validate-clip.ts';

const NAN = Number.NaN;

function moved(times: number[], firsts: number[]): Track {
  return {
    target: 4,
    path: 'translation',
    interpolation: 'LINEAR',
    times: Float32Array.from(times),
    values: Float32Array.from(firsts.flatMap((x) => [x, 0, 0])),
  };
}

/** Returns the repaired times, and the first number of each value. */
function repairedKeys(one: Track): [number[], number[]] | null {
  const { track: repaired, issues } = repairTrack(one);
  expect(issues.map((issue) => issue.code)).toEqual(['KEYS_REPAIRED']);
  if (repaired === null) return null;
  return [Array.from(repaired.times), Array.from(repaired.values).filter((_, c) => c % 3 === 0)];
}

describe('repairTrack', () => {
  it('returns a valid track unchanged', () => {
    const property = fc.property(track(), (one) => {
      const repaired = repairTrack(one);
      expect(repaired.track).toBe(one);
      expect(repaired.issues).toEqual([]);
    });
    fc.assert(property, { seed: 31, numRuns: lawRuns(100) });
  });

  it('drops keys with an invalid time or value', () => {
    expect(repairedKeys(moved([0, NAN, 2, Number.POSITIVE_INFINITY], [1, 2, 3, 4]))).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect(repairedKeys(moved([-1, 0.5], [1, 2]))).toEqual([[0.5], [2]]);
    expect(repairedKeys(moved([0, 1, 2], [1, NAN, 3]))).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect(repairedKeys(moved([0, 1, 2], [1, 2]))).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(repairedKeys(moved([0], [1, 2]))).toEqual([[0], [1]]);
  });

  it('sorts keys, and keeps the first and the last of keys at the same time, which are a jump', () => {
    expect(repairedKeys(moved([2, 0, 1], [1, 2, 3]))).toEqual([
      [0, 1, 2],
      [2, 3, 1],
    ]);
    expect(repairedKeys(moved([0, 1, 1, 1, 2], [1, 2, 3, 4, 5]))).toEqual([
      [0, 1 - 2 ** -24, 1, 2],
      [1, 2, 4, 5],
    ]);
    expect(repairedKeys(moved([1, 0, 1], [1, 2, 3]))).toEqual([
      [0, 1 - 2 ** -24, 1],
      [2, 1, 3],
    ]);
    expect(repairedKeys(moved([0, 0, 1], [1, 2, 3]))).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(repairedKeys({ ...moved([0, 1, 1], [1, 2, 3]), interpolation: 'STEP' })).toEqual([
      [0, 1],
      [1, 3],
    ]);
    expect(repairedKeys(moved([0, 1, 1, 2], [1, 2, 2, 3]))).toEqual([
      [0, 1, 2],
      [1, 2, 3],
    ]);
  });

  it('separates float64 keys at the same time by a float32 at least', () => {
    const { track: repaired } = repairTrack({ ...moved([], [1, 2, 3, 4]), times: Float64Array.of(0, 1.3, 1.3, 2) });
    expect(Array.from(repaired?.times ?? [])).toEqual([0, Math.fround(1.3) - 2 ** -23, 1.3, 2]);
  });

  it('returns null without a usable key', () => {
    expect(repairedKeys(moved([NAN, -2], [1, 2]))).toBeNull();
    expect(repairedKeys(moved([], []))).toBeNull();
    expect(repairedKeys(moved([0, 1], []))).toBeNull();
  });

  it('normalizes quaternions and scales their tangents, and maps zero to the identity', () => {
    const turn: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'STEP',
      times: Float32Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 0, 0, 3, 0, 4),
    };
    expectNear(repairTrack(turn).track?.values ?? [], [0, 0, 0, 1, 0, 0.6, 0, 0.8], 1e-15);
    const spline: Track = {
      ...turn,
      interpolation: 'CUBICSPLINE',
      values: Float64Array.from([1, 2, 3, 4, 0, 0, 0, 2, 5, 6, 7, 8, 1, 2, 3, 4, 0, 0, 0, 1, 5, 6, 7, NAN]),
    };
    expectNear(
      repairTrack(spline).track?.values ?? [],
      [0.5, 1, 1.5, 2, 0, 0, 0, 1, 2.5, 3, 3.5, 4, 1, 2, 3, 4, 0, 0, 0, 1, 5, 6, 7, 0],
      1e-15,
    );
  });

  it('converts a spline with one key to STEP', () => {
    const single: Track = { ...moved([1], [0, 7, 0]), interpolation: 'CUBICSPLINE' };
    const { track: repaired } = repairTrack(single);
    expect(repaired?.interpolation).toBe('STEP');
    expect(Array.from(repaired?.values ?? [])).toEqual([7, 0, 0]);
  });

  it('reports the repairs and their location', () => {
    const [issue] = repairTrack(moved([2, 0, NAN], [1, 2, 3]), { pointer: '/animations/3/samplers/1' }).issues;
    expect(issue.message).toMatch(/translation track of node 4 .* 1 of 3 keys were dropped, the keys were sorted/);
    expect(issue.severity).toBe('warning');
    expect(issue.where).toEqual({ pointer: '/animations/3/samplers/1' });
  });

  it('names what happened to keys at the same time, and no lost keys', () => {
    const messageOf = (one: Track): string => repairTrack(one).issues[0].message;
    expect(messageOf(moved([0, 1, 1], [1, 2, 3]))).toBe(
      'The translation track of node 4 was repaired: pairs of keys at the same time, which are jumps, were moved apart (1). Expected finite, strictly increasing times from 0 on, finite values and unit quaternions.',
    );
    expect(messageOf(moved([0, 1, 1], [1, 2, 2]))).toMatch(
      /keys without effect beside others at the same time were left out \(1\)\. Expected/,
    );
  });

  it('returns a valid track or null for any numbers', () => {
    const number = fc.oneof(
      fc.constantFrom(NAN, Number.POSITIVE_INFINITY, -1, 0, -0, 1, 1, 2),
      fc.float({ noNaN: true, min: -5, max: 5 }),
    );
    const property = fc.property(
      fc.constantFrom<Track['path']>('translation', 'rotation', 'scale'),
      fc.constantFrom<Track['interpolation']>('STEP', 'LINEAR', 'CUBICSPLINE'),
      fc.array(number, { maxLength: 6 }),
      fc.array(number, { maxLength: 80 }),
      (path, interpolation, times, values) => {
        const broken: Track = {
          target: 0,
          path,
          interpolation,
          times: Float32Array.from(times),
          values: Float32Array.from(values),
        };
        const { track: repaired } = repairTrack(broken);
        if (repaired !== null)
          expect(validateClip({ name: '', duration: 9, tracks: [repaired] }, 1)).toEqual({ valid: true, reasons: [] });
      },
    );
    fc.assert(property, { seed: 32, numRuns: lawRuns(1000) });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { mendTrack } from '../../../src/core/animation/mend-track.ts';
import { validateClip } from '../../../src/core/animation/validate-clip.ts';
import { track } from '../../arbitraries.ts';
import { expectNear } from '../../near.ts';

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

/** Mended times, and the first number of every value. */
function mendedKeys(one: Track): [number[], number[]] | null {
  const { track: mended, issues } = mendTrack(one);
  expect(issues.map((issue) => issue.code)).toEqual(['KEYS_REPAIRED']);
  if (mended === null) return null;
  return [Array.from(mended.times), Array.from(mended.values).filter((_, c) => c % 3 === 0)];
}

describe('mendTrack', () => {
  it('gives a valid track back as it is', () => {
    const property = fc.property(track(), (one) => {
      const mended = mendTrack(one);
      expect(mended.track).toBe(one);
      expect(mended.issues).toEqual([]);
    });
    fc.assert(property, { seed: 31, numRuns: 100 });
  });

  it('drops keys whose time or value cannot be', () => {
    expect(mendedKeys(moved([0, NAN, 2, Number.POSITIVE_INFINITY], [1, 2, 3, 4]))).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect(mendedKeys(moved([-1, 0.5], [1, 2]))).toEqual([[0.5], [2]]);
    expect(mendedKeys(moved([0, 1, 2], [1, NAN, 3]))).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect(mendedKeys(moved([0, 1, 2], [1, 2]))).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(mendedKeys(moved([0], [1, 2]))).toEqual([[0], [1]]);
  });

  it('sorts keys and keeps the last of those at one time', () => {
    expect(mendedKeys(moved([2, 0, 1], [1, 2, 3]))).toEqual([
      [0, 1, 2],
      [2, 3, 1],
    ]);
    expect(mendedKeys(moved([0, 1, 1, 1, 2], [1, 2, 3, 4, 5]))).toEqual([
      [0, 1, 2],
      [1, 4, 5],
    ]);
    expect(mendedKeys(moved([1, 0, 1], [1, 2, 3]))).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('is null where no key is left', () => {
    expect(mendedKeys(moved([NAN, -2], [1, 2]))).toBeNull();
    expect(mendedKeys(moved([], []))).toBeNull();
    expect(mendedKeys(moved([0, 1], []))).toBeNull();
  });

  it('makes quaternions unit, zero ones the identity, and scales tangents alike', () => {
    const turn: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'STEP',
      times: Float32Array.of(0, 1),
      values: Float64Array.of(0, 0, 0, 0, 0, 3, 0, 4),
    };
    expectNear(mendTrack(turn).track?.values ?? [], [0, 0, 0, 1, 0, 0.6, 0, 0.8], 1e-15);
    const spline: Track = {
      ...turn,
      interpolation: 'CUBICSPLINE',
      values: Float64Array.from([1, 2, 3, 4, 0, 0, 0, 2, 5, 6, 7, 8, 1, 2, 3, 4, 0, 0, 0, 1, 5, 6, 7, NAN]),
    };
    expectNear(
      mendTrack(spline).track?.values ?? [],
      [0.5, 1, 1.5, 2, 0, 0, 0, 1, 2.5, 3, 3.5, 4, 1, 2, 3, 4, 0, 0, 0, 1, 5, 6, 7, 0],
      1e-15,
    );
  });

  it('makes a spline of one key a held value', () => {
    const single: Track = { ...moved([1], [0, 7, 0]), interpolation: 'CUBICSPLINE' };
    const { track: mended } = mendTrack(single);
    expect(mended?.interpolation).toBe('STEP');
    expect(Array.from(mended?.values ?? [])).toEqual([7, 0, 0]);
  });

  it('says what was done, and where', () => {
    const [issue] = mendTrack(moved([2, 0, NAN], [1, 2, 3]), { pointer: '/animations/3/samplers/1' }).issues;
    expect(issue.message).toMatch(/translation keys of node 4 .* 1 of 3 keys were dropped, the keys were sorted/);
    expect(issue.severity).toBe('warning');
    expect(issue.where).toEqual({ pointer: '/animations/3/samplers/1' });
  });

  it('makes a valid track of any numbers, or none', () => {
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
        const { track: mended } = mendTrack(broken);
        if (mended !== null)
          expect(validateClip({ name: '', duration: 9, tracks: [mended] }, 1)).toEqual({ valid: true, reasons: [] });
      },
    );
    fc.assert(property, { seed: 32, numRuns: 1000 });
  });
});

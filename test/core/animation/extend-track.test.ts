import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { extendToStart, extendToTime } from '../../../src/core/animation/extend-track.ts';
import { sampleTrack } from '../../../src/core/animation/sample.ts';

const move: Track = {
  target: 3,
  path: 'translation',
  interpolation: 'LINEAR',
  times: Float32Array.of(0, 0.5),
  values: Float32Array.of(1, 2, 3, 4, 5, 6),
};

function valueAt(track: Track, time: number): number[] {
  const out = new Float64Array(track.path === 'rotation' ? 4 : 3);
  sampleTrack(track, time, out, 0);
  return [...out];
}

describe('extendToTime', () => {
  it('adds a key with the last value, and does not change its input', () => {
    const extended = extendToTime(move, 2);
    expect(extended).toMatchObject({ target: 3, path: 'translation', interpolation: 'LINEAR' });
    expect([...extended.times]).toEqual([0, 0.5, 2]);
    expect([...extended.values]).toEqual([1, 2, 3, 4, 5, 6, 4, 5, 6]);
    expect(move.times.length).toBe(2);
  });

  it('keeps float64 precision of times and values', () => {
    const extended = extendToTime(
      { ...move, times: Float64Array.of(0, 0.1), values: Float64Array.of(0, 0, 0, 0.1, 0, 0) },
      0.3,
    );
    expect([...extended.times]).toEqual([0, 0.1, 0.3]);
    expect(extended.values[6]).toBe(0.1);
  });

  it('keeps the last value of a STEP rotation constant', () => {
    const rotation: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'STEP',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, 0.6, 0, 0, 0.8),
    };
    const extended = extendToTime(rotation, 4);
    expect(valueAt(extended, 3)).toEqual(valueAt(rotation, 1));
    expect(valueAt(extended, 0.5)).toEqual([0, 0, 0, 1]);
  });

  it('keeps a spline constant, whatever its last out-tangent', () => {
    const spline: Track = {
      ...move,
      interpolation: 'CUBICSPLINE',
      // In-tangent, value, out-tangent of two keys.
      values: Float32Array.of(9, 9, 9, 1, 2, 3, 1, 1, 1, 2, 2, 2, 4, 5, 6, 7, 7, 7),
    };
    const extended = extendToTime(spline, 1.5);
    for (const time of [0, 0.1, 0.3, 0.5]) expect(valueAt(extended, time)).toEqual(valueAt(spline, time));
    for (const time of [0.6, 1, 1.2, 1.5, 9]) {
      valueAt(extended, time).forEach((value, c) => {
        expect(value).toBeCloseTo([4, 5, 6][c], 12);
      });
    }
  });
});

describe('extendToStart', () => {
  it('adds a key at 0 with the first value, and does not change its input', () => {
    const late: Track = { ...move, times: Float32Array.of(1, 2) };
    const extended = extendToStart(late);
    expect([...extended.times]).toEqual([0, 1, 2]);
    expect([...extended.values]).toEqual([1, 2, 3, 1, 2, 3, 4, 5, 6]);
    expect(late.times.length).toBe(2);
  });

  it('keeps a spline constant, whatever its first in-tangent', () => {
    const spline: Track = {
      ...move,
      interpolation: 'CUBICSPLINE',
      times: Float32Array.of(1, 2),
      // In-tangent, value, out-tangent of two keys.
      values: Float32Array.of(9, 9, 9, 1, 2, 3, 1, 1, 1, 2, 2, 2, 4, 5, 6, 7, 7, 7),
    };
    const extended = extendToStart(spline);
    for (const time of [0, 0.2, 0.5, 0.9, 1]) {
      valueAt(extended, time).forEach((value, c) => {
        expect(value).toBeCloseTo([1, 2, 3][c], 12);
      });
    }
    for (const time of [1.1, 1.6, 2]) expect(valueAt(extended, time)).toEqual(valueAt(spline, time));
  });
});

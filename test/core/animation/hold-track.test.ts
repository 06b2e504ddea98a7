import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { holdUntil } from '../../../src/core/animation/hold-track.ts';
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

describe('holdUntil', () => {
  it('adds one key that has the value of the last, and leaves the old track alone', () => {
    const held = holdUntil(move, 2);
    expect(held).toMatchObject({ target: 3, path: 'translation', interpolation: 'LINEAR' });
    expect([...held.times]).toEqual([0, 0.5, 2]);
    expect([...held.values]).toEqual([1, 2, 3, 4, 5, 6, 4, 5, 6]);
    expect(move.times.length).toBe(2);
  });

  it('keeps times and values that only float64 can tell', () => {
    const held = holdUntil(
      { ...move, times: Float64Array.of(0, 0.1), values: Float64Array.of(0, 0, 0, 0.1, 0, 0) },
      0.3,
    );
    expect([...held.times]).toEqual([0, 0.1, 0.3]);
    expect(held.values[6]).toBe(0.1);
  });

  it('holds the last value of a STEP track and of a rotation', () => {
    const turn: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'STEP',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, 0.6, 0, 0, 0.8),
    };
    const held = holdUntil(turn, 4);
    expect(valueAt(held, 3)).toEqual(valueAt(turn, 1));
    expect(valueAt(held, 0.5)).toEqual([0, 0, 0, 1]);
  });

  it('holds a spline flat: what its last out-tangent was must not show', () => {
    const spline: Track = {
      ...move,
      interpolation: 'CUBICSPLINE',
      // In-tangent, value, out-tangent of two keys.
      values: Float32Array.of(9, 9, 9, 1, 2, 3, 1, 1, 1, 2, 2, 2, 4, 5, 6, 7, 7, 7),
    };
    const held = holdUntil(spline, 1.5);
    for (const time of [0, 0.1, 0.3, 0.5]) expect(valueAt(held, time)).toEqual(valueAt(spline, time));
    for (const time of [0.6, 1, 1.2, 1.5, 9]) {
      valueAt(held, time).forEach((value, c) => {
        expect(value).toBeCloseTo([4, 5, 6][c], 12);
      });
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { timeRange, trimClip } from '../../../src/core/animation/trim-clip.ts';
import { validateClip } from '../../support/validate-clip.ts';

const times = new Float32Array([0, 1, 2]);
const CLIP: Clip = {
  name: 'run',
  duration: 4,
  tracks: [
    {
      target: 0,
      path: 'translation',
      interpolation: 'LINEAR',
      times,
      values: new Float32Array([0, 0, 0, 1, 1, 1, 2, 2, 2]),
    },
    { target: 1, path: 'scale', interpolation: 'STEP', times, values: new Float32Array([1, 1, 1, 2, 2, 2, 3, 3, 3]) },
  ],
};

describe('timeRange', () => {
  it('defaults to the start and the end of the clip, and clamps to the end', () => {
    expect(timeRange(4, undefined, undefined)).toEqual({ from: 0, to: 4 });
    expect(timeRange(4, 1, undefined)).toEqual({ from: 1, to: 4 });
    expect(timeRange(4, undefined, 3)).toEqual({ from: 0, to: 3 });
    expect(timeRange(4, 1, 9)).toEqual({ from: 1, to: 4 });
    expect(timeRange(0, undefined, 9)).toEqual({ from: 0, to: 0 });
  });

  it('rounds to float32, as key times in files', () => {
    expect(timeRange(4, 0.3, 0.7)).toEqual({ from: Math.fround(0.3), to: Math.fround(0.7) });
  });

  it.each([
    [-1, 2],
    [Number.NaN, 2],
    [0, Number.NaN],
    [0, -1],
    [2, 1],
    [2, 2],
    [0, 0],
    [4, undefined],
    [4, 5],
    [Number.POSITIVE_INFINITY, undefined],
  ])('throws a helpful RangeError for the cut from %s to %s of 4 s', (from, to) => {
    expect(() => timeRange(4, from, to)).toThrow(RangeError);
    expect(() => timeRange(4, from, to)).toThrow(/expected|Choose an earlier start/);
  });
});

describe('trimClip', () => {
  it('starts at 0, has the duration of the cut, and is valid', () => {
    const part = trimClip(CLIP, 0.5, 1.5);
    expect(part.duration).toBe(1);
    expect(part.name).toBe('run');
    expect(Array.from(part.tracks[0].times)).toEqual([0, 0.5, 1]);
    expect(Array.from(part.tracks[0].values)).toEqual([0.5, 0.5, 0.5, 1, 1, 1, 1.5, 1.5, 1.5]);
    expect(Array.from(part.tracks[1].values)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2]);
    expect(validateClip(part, 2).reasons).toEqual([]);
  });

  it('returns the same clip without a cut', () => {
    expect(trimClip(CLIP)).toBe(CLIP);
    expect(trimClip(CLIP, 0, 4)).toBe(CLIP);
  });

  it('keeps the duration where the motion is constant at its end', () => {
    const part = trimClip(CLIP, 1, 3.5);
    expect(part.duration).toBe(2.5);
    expect(Array.from(part.tracks[0].times)).toEqual([0, 1, 2.5]);
    expect(trimClip(CLIP, 2.5, 3.5).tracks.map((track) => Array.from(track.values))).toEqual([
      [2, 2, 2, 2, 2, 2],
      [3, 3, 3],
    ]);
  });

  it('keeps times shared between tracks', () => {
    const { tracks } = trimClip(CLIP, 0.5, 1.5);
    expect(tracks[1].times).toBe(tracks[0].times);
  });
});

import { expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { mirrorClip } from '../../../src/core/animation/mirror-clip.ts';

it('mirrorClip: negates x of translations and y and z of rotations, including tangents', () => {
  const times = new Float32Array([0, 1]);
  const clip: Clip = {
    name: 'wave',
    duration: 1,
    tracks: [
      {
        target: 0,
        path: 'translation',
        interpolation: 'CUBICSPLINE',
        times,
        values: Float32Array.from({ length: 18 }, (_, k) => k + 1),
      },
      {
        target: 0,
        path: 'rotation',
        interpolation: 'LINEAR',
        times,
        values: new Float32Array([0.1, 0.2, 0.3, 0.9, 0.5, 0.5, 0.5, 0.5]),
      },
      { target: 0, path: 'scale', interpolation: 'STEP', times, values: new Float32Array([1, 2, 3, 4, 5, 6]) },
    ],
  };
  const { tracks } = mirrorClip(clip);
  expect(Array.from(tracks[0].values)).toEqual([-1, 2, 3, -4, 5, 6, -7, 8, 9, -10, 11, 12, -13, 14, 15, -16, 17, 18]);
  expect(tracks[1].values).toEqual(new Float32Array([0.1, -0.2, -0.3, 0.9, 0.5, -0.5, -0.5, 0.5]));
  expect(tracks[2]).toBe(clip.tracks[2]);
  expect(tracks[0].times).toBe(times);
  expect(clip.tracks[0].values[0]).toBe(1);
});

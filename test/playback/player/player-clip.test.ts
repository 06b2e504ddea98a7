import { AnimationClip, AnimationUtils, QuaternionKeyframeTrack, VectorKeyframeTrack } from 'three';
import { expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { createAdditiveClip } from '../../../src/playback/player/player-clip.ts';
import { EXACT, FLOAT32_POSE } from '../../support/tolerances.ts';

const s = Math.SQRT1_2;
const times = new Float64Array([0, 1]);
const clip: Clip = {
  name: 'nod',
  duration: 1,
  tracks: [
    { target: 0, path: 'rotation', interpolation: 'LINEAR', times, values: new Float64Array([s, 0, 0, s, 0, s, 0, s]) },
    { target: 0, path: 'translation', interpolation: 'LINEAR', times, values: new Float64Array([1, 2, 3, 4, 6, 8]) },
  ],
};

it('createAdditiveClip: equals makeClipAdditive of three.js, relative to the first frame', () => {
  const first = new Float64Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
  sampleClip(clip, 0, first);
  const additive = createAdditiveClip(clip, first);
  const inThree = new AnimationClip('nod', 1, [
    new QuaternionKeyframeTrack('a.quaternion', [0, 1], [...clip.tracks[0].values]),
    new VectorKeyframeTrack('a.position', [0, 1], [...clip.tracks[1].values]),
  ]);
  AnimationUtils.makeClipAdditive(inThree);
  additive.tracks.forEach(({ values }, k) => {
    const theirs = inThree.tracks[k].values;
    expect(Math.max(...Array.from(values, (value, i) => Math.abs(value - theirs[i])))).toBeLessThan(FLOAT32_POSE);
  });
  expect(additive.tracks[0].values.slice(0, 4).every((value, c) => Math.abs(value - (c === 3 ? 1 : 0)) < EXACT)).toBe(
    true,
  );
});

it('createAdditiveClip: keeps the tangents of splines', () => {
  const spline: Clip = {
    name: '',
    duration: 1,
    tracks: [
      {
        target: 0,
        path: 'scale',
        interpolation: 'CUBICSPLINE',
        times: new Float64Array([0]),
        values: new Float64Array([1, 1, 1, 5, 5, 5, 2, 2, 2]),
      },
    ],
  };
  const reference = new Float64Array([0, 0, 0, 0, 0, 0, 1, 2, 2, 2]);
  expect([...createAdditiveClip(spline, reference).tracks[0].values]).toEqual([1, 1, 1, 3, 3, 3, 2, 2, 2]);
});

it('createAdditiveClip: throws for a node that the pose lacks', () => {
  const other = { ...clip, tracks: [{ ...clip.tracks[0], target: 3 }] };
  expect(() => createAdditiveClip(other, new Float64Array(10))).toThrow(/node 3, but the reference pose has 1 nodes/);
});

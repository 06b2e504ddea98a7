import { describe, expect, it } from 'vitest';
import { changeClipSpace } from '../../../src/core/animation/change-clip-space.ts';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { changeSpace, type SpaceChange } from '../../../src/core/skeleton/change-space.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { between, randomRotation } from '../../../src/demo/random.ts';
import { largest, law } from '../../laws/law.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { expectNear } from '../../support/near.ts';
import { angle, apart, product, rotated, times, type WorldPose, worldPose } from '../../support/reference/plain.ts';
import { LAW_F64 } from '../../support/tolerances.ts';

function worldAt({ parents, rest }: Skeleton, clip: Clip, time: number): WorldPose {
  const local = Float64Array.from(rest);
  sampleClip(clip, time, local);
  return worldPose(parents, local);
}

/** float32 rounding of numbers up to 1. */
const STORED = 2 ** -24;
const PARENTS = Int32Array.of(-1, 0);
const CHANGE: SpaceChange = { rotation: [0, 1, 0, 0], scale: 0.01 };

function trackOf(target: number, path: Track['path'], values: readonly number[], keys = 1): Track {
  const isCubic = values.length > keys * 4;
  return {
    target,
    path,
    interpolation: isCubic ? 'CUBICSPLINE' : 'LINEAR',
    times: Float32Array.from({ length: keys }, (_, key) => key),
    values: Float32Array.from(values),
  };
}

describe('changeClipSpace', () => {
  law(
    'plays the same motion in the changed space, at any time and with any interpolation',
    LAW_F64,
    (random) => {
      const { humanoid } = randomRig(random);
      const { skeleton } = humanoid;
      const clip = randomClip(random, humanoid, { others: true, stretch: true });
      const rotation = randomRotation(random);
      const change = { rotation, scale: between(random, 0.01, 3) };
      const changed = changeClipSpace(clip, skeleton.parents, change);
      const changedSkeleton = changeSpace(skeleton, change);
      const errors: number[] = [];
      for (const part of [0, between(random, 0, 1), 1]) {
        const before = worldAt(skeleton, clip, part * clip.duration);
        const after = worldAt(changedSkeleton, changed, part * clip.duration);
        before.rotations.forEach((turn, node) => {
          const place = times(rotated(rotation, before.positions[node]), change.scale);
          const size = 1 + Math.hypot(...place);
          errors.push(angle(product(rotation, turn), after.rotations[node]));
          errors.push(apart(place, after.positions[node]) / size);
        });
      }
      return largest(...errors);
    },
    300,
  );

  it('keeps times, interpolation and array type, and reuses unchanged tracks', () => {
    const root = trackOf(0, 'translation', [100, 200, 300]);
    const turn = trackOf(1, 'rotation', [0, 0, 0, 1]);
    const size = trackOf(0, 'scale', [2, 2, 2]);
    const clip: Clip = { name: 'walk', duration: 3, tracks: [root, turn, size] };
    const changed = changeClipSpace(clip, PARENTS, CHANGE);
    expect([changed.name, changed.duration]).toEqual(['walk', 3]);
    expect(changed.tracks[0]).toEqual({ ...root, values: Float32Array.of(-1, 2, -3) });
    expect(changed.tracks[0].times).toBe(root.times);
    expect(changed.tracks[1]).toBe(turn);
    expect(changed.tracks[2]).toBe(size);
    expect(root.values[0]).toBe(100);
  });

  it('rotates values and tangents of roots only', () => {
    const spline = [1, 0, 0, 0, 0, 100, 0, 0, -1, 0, 2, 0, 100, 0, 0, 5, 5, 5];
    const clip: Clip = {
      name: '',
      duration: 1,
      tracks: [trackOf(0, 'translation', spline, 2), trackOf(1, 'translation', spline, 2)],
    };
    const { tracks } = changeClipSpace(clip, PARENTS, CHANGE);
    const scaled = spline.map((x) => x / 100);
    const signs = [-1, 1, -1];
    expectNear(
      tracks[0].values,
      scaled.map((x, k) => signs[k % 3] * x),
      STORED,
    );
    expectNear(tracks[1].values, scaled, STORED);
  });

  it('throws for tracks of missing nodes, and for an invalid change of space', () => {
    const clip: Clip = { name: '', duration: 0, tracks: [trackOf(2, 'rotation', [0, 0, 0, 1])] };
    expect(() => changeClipSpace(clip, PARENTS, CHANGE)).toThrow(/node 2.*2 nodes/);
    expect(() => changeClipSpace({ ...clip, tracks: [] }, PARENTS, { ...CHANGE, scale: 0 })).toThrow(RangeError);
  });
});

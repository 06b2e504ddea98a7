import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../src/core/animation/clip.ts';
import { mapRotationTracks, type RotationMapper } from '../../src/core/retarget/map-keys.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { makeRandom } from '../../src/demo/random.ts';
import { createLazyRotationMapper, createRotationMapper } from '../../src/kernels/map-keys.ts';
import { lawRuns } from '../law-runs.ts';
import { randomClip } from '../make/random-clip.ts';
import { randomRig } from '../make/random-rig.ts';

const mapper = createRotationMapper() as RotationMapper;

const anyFloat = fc.float({ noNaN: true, min: -4, max: 4 });
const anyDouble = fc.double({ noNaN: true, min: -4, max: 4 });

function trackOf(values: Track['values']): Track {
  return { target: 0, path: 'rotation', interpolation: 'LINEAR', times: new Float32Array(values.length / 4), values };
}

describe('createRotationMapper', () => {
  it('gives the values of mapRotationTracks to the last bit', () => {
    const list = fc
      .array(anyFloat, { maxLength: 60 })
      .map((values) => Float32Array.from(values.slice(0, values.length & ~3)));
    const property = fc.property(
      fc.array(list, { maxLength: 6 }),
      fc.array(anyDouble, { minLength: 96, maxLength: 96 }),
      (lists, numbers) => {
        const tracks = lists.map(trackOf);
        const matrices = Float64Array.from(numbers.slice(0, 16 * tracks.length));
        expect(mapper(tracks, matrices)).toEqual(mapRotationTracks(tracks, matrices));
      },
    );
    fc.assert(property, { seed: 8, numRuns: lawRuns(500) });
  });

  it('grows its memory for long clips, and maps float64 keys', () => {
    const values = Float32Array.from({ length: 400_000 }, (_, i) => Math.sin(i));
    const matrices = Float64Array.from({ length: 32 }, (_, i) => Math.cos(i));
    const tracks = [trackOf(values), trackOf(values.subarray(0, 40))];
    expect(mapper(tracks, matrices)).toEqual(mapRotationTracks(tracks, matrices));
    const doubles = [trackOf(Float64Array.of(1, 2, 3, 4)), tracks[1]];
    expect(mapper(doubles, matrices)).toEqual(mapRotationTracks(doubles, matrices));
  });

  it('retargets clips to the same bytes', () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = makeRandom(seed);
      const [source, target] = [randomRig(random).humanoid, randomRig(random).humanoid];
      const plan = planRetarget(source, target);
      const clip = randomClip(random, source, { style: 'smooth', isShort: true });
      const tracks = clip.tracks.map((track) => ({ ...track, values: Float32Array.from(track.values) }));
      const single = { ...clip, tracks };
      expect(retargetClip(plan, single, { mapRotations: mapper })).toEqual(retargetClip(plan, single));
    }
  });
});

describe('createLazyRotationMapper', () => {
  it('gives the same values before and after it has compiled the kernel', () => {
    const lazy = createLazyRotationMapper();
    const matrices = Float64Array.from({ length: 16 }, (_, i) => Math.cos(i));
    const tracks = [trackOf(Float32Array.from({ length: 120_000 }, (_, i) => Math.sin(i)))];
    const expected = mapRotationTracks(tracks, matrices);
    for (let round = 0; round < 3; round++) expect(lazy(tracks, matrices)).toEqual(expected);
  });
});

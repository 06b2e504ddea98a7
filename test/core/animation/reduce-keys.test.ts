import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Clip, lastKeyTime, type Track } from '../../../src/core/animation/clip.ts';
import { reduceKeys } from '../../../src/core/animation/reduce-keys.ts';
import { resampleClip } from '../../../src/core/animation/resample-clip.ts';
import { POSE_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { between, makeRandom, pick, type Random } from '../../../src/demo/random.ts';
import { readBvhFile } from '../../../src/formats/bvh/index.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, lawRuns, sampledCases } from '../../support/law-runs.ts';
import { randomClip } from '../../support/make/random-clip.ts';
import { randomRig } from '../../support/make/random-rig.ts';
import { bareSkeleton } from '../../support/make/rig-text.ts';
import { tipError } from '../../support/reference/tip-error.ts';
import { validateClip } from '../../support/validate-clip.ts';

function keyCount({ tracks }: Clip): number {
  return tracks.reduce((sum, { times }) => sum + times.length, 0);
}

/** Converts LINEAR tracks to splines with the same keys, with central differences as tangents. */
function splined(clip: Clip): Clip {
  const tracks = clip.tracks.map((track): Track => {
    if (track.interpolation !== 'LINEAR' || track.times.length < 2) return track;
    const width = track.path === 'rotation' ? 4 : 3;
    const { times, values } = track;
    const last = times.length - 1;
    const out: number[] = [];
    for (let key = 0; key <= last; key++) {
      const [before, after] = [Math.max(0, key - 1), Math.min(last, key + 1)];
      const slope = Array.from(
        { length: width },
        (_, c) => (values[after * width + c] - values[before * width + c]) / (times[after] - times[before]),
      );
      out.push(...slope, ...values.subarray(key * width, (key + 1) * width), ...slope);
    }
    return { ...track, interpolation: 'CUBICSPLINE', values: Float64Array.from(out) };
  });
  return { ...clip, tracks };
}

/** Returns a clip with few keys, or with many like motion capture, LINEAR or splines. */
function anyClip(random: Random, humanoid: Parameters<typeof randomClip>[1]): Clip {
  const clip = randomClip(random, humanoid, { others: random() < 0.3 });
  const uniform = { ...clip, tracks: clip.tracks.filter(({ path }) => path !== 'scale') };
  const kind = pick(random, ['few', 'many', 'splines']);
  if (kind === 'few') return uniform;
  const many = resampleClip(uniform, pick(random, [24, 60]));
  return kind === 'many' ? many : splined(many);
}

describe('reduceKeys', () => {
  it('keeps every tip within the tolerance at any time, without adding keys, on any rig', () => {
    let before = 0;
    let after = 0;
    const property = fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
      const random = makeRandom(seed);
      const { humanoid } = randomRig(random, { bones: pick(random, ['random', 'all']) });
      const clip = anyClip(random, humanoid);
      const degrees = pick(random, [0.1, 0.5, 1, 5]);
      const reduced = reduceKeys(humanoid.skeleton, clip, degrees);
      expect(validateClip(reduced, humanoid.skeleton.names.length).reasons).toEqual([]);
      expect(keyCount(reduced)).toBeLessThanOrEqual(keyCount(clip));
      expect([reduced.duration, lastKeyTime(reduced.tracks)]).toEqual([clip.duration, lastKeyTime(clip.tracks)]);
      before += keyCount(clip);
      after += keyCount(reduced);
      const times = clip.tracks.flatMap((track) => Array.from(track.times));
      const checkTimes = [
        ...Array.from({ length: 20 }, () => pick(random, times)),
        ...Array.from({ length: 40 }, () => between(random, 0, clip.duration)),
      ];
      expect(tipError(humanoid.skeleton, clip, reduced, degrees, checkTimes)).toBeLessThanOrEqual(1);
    });
    fc.assert(property, { seed: 11, numRuns: lawRuns(60) });
    // Keeping all keys would pass the test above, too.
    expect(after).toBeLessThan(0.6 * before);
  });

  it('keeps one key of constant tracks, and the last key time on one of them', () => {
    const skeleton = bareSkeleton(['a', 'b'], [-1, 0]);
    const still = (target: number): Track => ({
      target,
      path: 'translation',
      interpolation: 'LINEAR',
      times: new Float32Array([0, 1, 2]),
      values: new Float32Array(9).fill(target),
    });
    const { tracks, duration } = reduceKeys(skeleton, { name: '', duration: 2, tracks: [still(0), still(1)] }, 1);
    expect(duration).toBe(2);
    expect(tracks.map(({ times }) => Array.from(times))).toEqual([[0, 2], [0]]);
    expect(Array.from(tracks[1].values)).toEqual([1, 1, 1]);
  });

  it.each([0, -1, Number.NaN, 45, Number.POSITIVE_INFINITY])('throws for the tolerance %s°', (degrees) => {
    const clip: Clip = { name: '', duration: 0, tracks: [] };
    expect(() => reduceKeys(bareSkeleton(['a'], [-1]), clip, degrees)).toThrow(RangeError);
    expect(() => reduceKeys(bareSkeleton(['a'], [-1]), clip, degrees)).toThrow('expected an angle');
  });

  // Takes seconds, as any clip of this size.
  it.runIf(IS_FULL_RUN)('stays within the tolerance of clips with too many check times', () => {
    // 20 s of a chain of 12 joints with 500 keys per second, different times for each joint, and 88 fingers: 12 million node checks.
    const count = 10_000;
    const joints = 12;
    const names = Array.from({ length: 100 }, (_, k) => `joint ${k}`);
    const skeleton = bareSkeleton(
      names,
      names.map((_, k) => Math.min(k, joints) - 1),
    );
    for (let node = 1; node < names.length; node++) skeleton.rest[POSE_STRIDE * node + 1] = 0.1;
    const tracks = names.slice(0, joints).map((_, target): Track => {
      const times = Float64Array.from({ length: count }, (_, k) => (k + target / joints) / 500);
      const values = new Float64Array(4 * count);
      for (let key = 0; key < count; key++) {
        const angle = 0.2 * Math.sin(times[key] * (1 + target)) + 1e-4 * Math.sin(1e3 * key * (1 + target));
        values[4 * key + 2] = Math.sin(angle);
        values[4 * key + 3] = Math.cos(angle);
      }
      return { target, path: 'rotation', interpolation: 'LINEAR', times, values };
    });
    const clip: Clip = { name: '', duration: lastKeyTime(tracks), tracks };
    const reduced = reduceKeys(skeleton, clip, 1);
    expect(keyCount(reduced)).toBeLessThan(0.1 * keyCount(clip));
    const checkTimes = Array.from({ length: 25 }, (_, k) => (k * clip.duration) / 24.3);
    expect(tipError(skeleton, clip, reduced, 1, checkTimes)).toBeLessThanOrEqual(1);
  });
});

describe.skipIf(!HAS_ASSETS)('reduceKeys on motion capture', () => {
  it.each(sampledCases(assetFiles('assets/bvh', 'bvh')))('%s: stays within half a degree with fewer keys', (path) => {
    const { skeletons, clips } = readBvhFile(readFileSync(path)).asset;
    const [{ skeleton }] = skeletons;
    const clip = clips[0].clips[0];
    const reduced = reduceKeys(skeleton, clip, 0.5);
    const checkTimes = Array.from({ length: 40 }, (_, k) => (k * clip.duration) / 39.7);
    expect(tipError(skeleton, clip, reduced, 0.5, checkTimes)).toBeLessThanOrEqual(1);
    if (clip.duration > 0.1) expect(keyCount(reduced)).toBeLessThan(0.55 * keyCount(clip));
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip, sampleTrack } from '../../../src/core/animation/sample.ts';
import { bytesPerCall } from '../../allocation/bytes-per-call.ts';
import { real, track } from '../../support/arbitraries.ts';
import { IS_FULL_RUN, lawRuns } from '../../support/law-runs.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { babylonPlayer, threePlayer } from '../../support/players.ts';
import { referenceSample } from '../../support/reference/interpolation.ts';
import { BOXED_NUMBER, EXACT, SECOND_OPINION } from '../../support/tolerances.ts';
import { clip } from './sample.probe.ts';

const runs = { seed: 20, numRuns: lawRuns(500) };
/** Times from before the first key to after the last one. */
const anyTime = real(5).map((t) => t + 4);

function at(one: Track, time: number): number[] {
  const out = new Float64Array(one.path === 'rotation' ? 4 : 3);
  sampleTrack(one, time, out, 0);
  return [...out];
}

function stepTrack(interpolation: Track['interpolation'], values: number[]): Track {
  return {
    target: 0,
    path: 'translation',
    interpolation,
    times: Float32Array.of(1, 2, 4),
    values: Float64Array.from(values),
  };
}

describe('sampleTrack', () => {
  it('matches the formulas of glTF 2.0, Appendix C', () => {
    const property = fc.property(track(), anyTime, (one, time) => {
      expectNear(at(one, time), referenceSample(one, time), EXACT);
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(2000) });
  });

  it('returns the stored value at every key, and clamps outside of the keys', () => {
    const property = fc.property(track(), (one) => {
      const width = one.path === 'rotation' ? 4 : 3;
      const [stride, first] = one.interpolation === 'CUBICSPLINE' ? [3 * width, width] : [width, 0];
      const stored = (key: number): number[] =>
        Array.from(one.values.subarray(key * stride + first, key * stride + first + width));
      const last = one.times.length - 1;
      one.times.forEach((time, key) => {
        expect(at(one, time)).toEqual(stored(key));
      });
      for (const time of [-1, one.times[0] - 1e-9, Number.NEGATIVE_INFINITY, Number.NaN])
        expect(at(one, time)).toEqual(stored(0));
      for (const time of [one.times[last] + 1e-9, 1e9, Number.POSITIVE_INFINITY])
        expect(at(one, time)).toEqual(stored(last));
    });
    fc.assert(property, runs);
  });

  it('interpolates STEP, LINEAR and CUBICSPLINE', () => {
    const values = [0, 0, 0, 1, 2, 3, 5, 6, 7];
    expect(at(stepTrack('STEP', values), 1.99)).toEqual([0, 0, 0]);
    expectNear(at(stepTrack('LINEAR', values), 3), [3, 4, 5], EXACT);
    // Values 0 and 1 with slope 0 give 3t² − 2t³; with slope 1, a straight line.
    const zero = [0, 0, 0];
    const flat = [...zero, ...zero, ...zero, ...zero, 1, 1, 1, ...zero, ...zero, 1, 1, 1, ...zero];
    expectNear(at(stepTrack('CUBICSPLINE', flat), 1.25), Array(3).fill(3 / 16 - 2 / 64), EXACT);
    const one = [1, 1, 1];
    const line = [...one, ...one, ...one, ...one, 2, 2, 2, ...one, ...one, 4, 4, 4, ...one];
    expectNear(at(stepTrack('CUBICSPLINE', line), 3.3), Array(3).fill(3.3), EXACT);
  });

  it('interpolates rotations at constant speed', () => {
    const half = Math.PI / 8;
    const turn: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 3),
      values: Float64Array.of(0, 0, 0, 1, 0, -Math.sin(half * 3), 0, -Math.cos(half * 3)),
    };
    expectNear(at(turn, 1), [0, Math.sin(half), 0, Math.cos(half)], EXACT);
    expectNear(at(turn, 2), [0, Math.sin(2 * half), 0, Math.cos(2 * half)], EXACT);
  });

  it('keeps the signs of spline quaternions, and returns the left key where the spline is zero', () => {
    const values = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0];
    const through: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'CUBICSPLINE',
      times: Float32Array.of(0, 1),
      values: Float64Array.from(values),
    };
    expect(at(through, 0.25)).toEqual([0, 0, 0, 1]);
    expect(at(through, 0.75)).toEqual([0, 0, 0, -1]);
    expect(at(through, 0.5)).toEqual([0, 0, 0, 1]);
  });

  it('finds the key for any cursor', () => {
    const property = fc.property(track(), anyTime, fc.integer({ min: -3, max: 20 }), (one, time, cursor) => {
      const out = new Float64Array(6);
      const key = sampleTrack(one, time, out, 1, cursor);
      expectNear(out.subarray(1, 1 + at(one, time).length), at(one, time), 0);
      expect(key).toBe(Math.max(0, one.times.filter((t) => t <= time).length - 1));
    });
    fc.assert(property, runs);
  });

  it('keeps the output without keys, and accepts one key', () => {
    const none: Track = { ...stepTrack('LINEAR', []), times: new Float32Array(0) };
    const out = Float64Array.of(7, 8, 9);
    expect(sampleTrack(none, 1, out, 0)).toBe(0);
    expect([...out]).toEqual([7, 8, 9]);
    const single: Track = { ...stepTrack('LINEAR', [1, 2, 3]), times: Float32Array.of(2) };
    for (const time of [0, 2, 9]) expect(at(single, time)).toEqual([1, 2, 3]);
    const cubic: Track = { ...stepTrack('CUBICSPLINE', [0, 0, 0, 1, 2, 3, 0, 0, 0]), times: Float32Array.of(2) };
    for (const time of [0, 2, 9]) expect(at(cubic, time)).toEqual([1, 2, 3]);
  });
});

describe('sampleClip', () => {
  it('overwrites animated values only, with the same result for playback and jumps', () => {
    const clip = fc
      .array(track(), { minLength: 1, maxLength: 6 })
      .map((tracks): Clip => ({ name: 'c', duration: 9, tracks: tracks.map((one, target) => ({ ...one, target })) }));
    const property = fc.property(clip, (some) => {
      const cursors = new Int32Array(some.tracks.length);
      for (const time of [0, 0.1, 0.4, 0.45, 2, 5, 9, 3, 3.1]) {
        const pose = new Float64Array(60).fill(-7);
        const expected = pose.slice();
        sampleClip(some, time, pose, cursors);
        some.tracks.forEach((one, target) => {
          const offset = { translation: 0, rotation: 3, scale: 7 }[one.path];
          expected.set(at(one, time), 10 * target + offset);
        });
        expectNear(pose, expected, 0);
        const jumped = new Float64Array(60).fill(-7);
        sampleClip(some, time, jumped);
        expectNear(jumped, expected, 0);
      }
    });
    fc.assert(property, { ...runs, numRuns: lawRuns(100) });
  });
});

describe('sampleTrack and other players', () => {
  const cases = fc.sample(track(), { seed: 21, numRuns: 24 });

  // Before the first key of a spline Babylon.js extrapolates, where glTF 3.11 clamps to the first value.
  it.each([
    ['three.js', threePlayer, -1],
    ['Babylon.js', babylonPlayer, 0],
  ])('matches %s', async (_, player, firstStep) => {
    for (const one of cases) {
      const play = await player(one);
      const last = one.times[one.times.length - 1];
      for (let step = firstStep; step <= 41; step++) {
        const time = one.times[0] + (step / 40) * (last - one.times[0]);
        // At the jump of a STEP track a frame-based player may round to either side.
        if (one.interpolation === 'STEP' && one.times.some((key) => Math.abs(key - time) < 1e-6)) continue;
        if (one.path === 'rotation') expectSameRotation(play(time), at(one, time), SECOND_OPINION);
        else expectNear(play(time), at(one, time), SECOND_OPINION);
      }
    }
  });
});

it.runIf(IS_FULL_RUN)('sampleClip: allocates no object per track, at most a boxed number', async () => {
  const most = 1.1 * BOXED_NUMBER * clip.tracks.length;
  expect(await bytesPerCall(new URL('sample.probe.ts', import.meta.url), most)).toBeLessThan(most);
});

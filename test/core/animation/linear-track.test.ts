import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { linearTrack, linearTracks } from '../../../src/core/animation/linear-track.ts';
import { resampleCubic } from '../../../src/core/animation/resample-cubic.ts';
import { ROTATION_TOLERANCE } from '../../../src/core/animation/resample-tolerance.ts';
import { sampleClip, sampleTrack } from '../../../src/core/animation/sample.ts';
import { validateClip } from '../../../src/core/animation/validate-clip.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { POSE_STRIDE, type Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { track } from '../../arbitraries.ts';
import { lawRuns } from '../../law-runs.ts';
import { angle, apart } from '../../reference/plain.ts';
import { LAW_F64, LINEAR_WORLD_RADIANS } from '../../tolerances.ts';

function valueAt(one: Track, time: number): number[] {
  const out = new Float64Array(one.path === 'rotation' ? 4 : 3);
  sampleTrack(one, time, out, 0);
  return Array.from(out);
}

describe('linearTrack', () => {
  it('returns LINEAR tracks unchanged', () => {
    const [one] = fc.sample(track(['rotation'], ['LINEAR']), { seed: 3, numRuns: 1 });
    expect(linearTrack(one, 0.1)).toBe(one);
  });

  it('limits the keys of a spline that no number of keys follows', () => {
    const times = Float32Array.from({ length: 40 }, (_, key) => key);
    const values = new Float64Array(9 * times.length).fill(1e12);
    const wild: Track = { target: 0, path: 'translation', interpolation: 'CUBICSPLINE', times, values };
    expect(linearTrack(wild, 1e-9).times.length).toBeLessThan(5000);
  });

  it('stays within the tolerance of splines with less than a full rotation between keys', () => {
    const smooth = track(['translation', 'rotation'], ['CUBICSPLINE']).filter(
      (one) => one.path !== 'rotation' || one.times.every((_, key) => key === 0 || dots(one, key) > 0.5),
    );
    const property = fc.property(smooth, (one) => {
      const made = linearTrack(one, 0.01);
      expect(made.interpolation).toBe('LINEAR');
      expect(validateClip({ name: '', duration: 10, tracks: [made] }, 1).reasons).toEqual([]);
      expect(made.times.at(-1)).toBe(Math.fround(one.times.at(-1)!));
      for (let part = 0; part <= 40; part++) {
        const time = one.times[0] + (part / 40) * (one.times.at(-1)! - one.times[0]);
        const [a, b] = [valueAt(one, time), valueAt(made, time)];
        expect(one.path === 'rotation' ? angle(a, b) : apart(a, b)).toBeLessThan(0.01 + LAW_F64);
      }
    });
    fc.assert(property, { seed: 5, numRuns: lawRuns(60) });
  });

  it('preserves the jumps of STEP tracks', () => {
    const property = fc.property(track(['translation', 'rotation'], ['STEP']), (one) => {
      const made = linearTrack(one, 1e-4);
      expect(made.interpolation).toBe('LINEAR');
      one.times.forEach((time, key) => {
        const before = key === 0 ? time : time - 1e-4;
        for (const at of [time, before]) {
          const [a, b] = [valueAt(one, at), valueAt(made, at)];
          expect(one.path === 'rotation' ? angle(a, b) : apart(a, b)).toBeLessThan(1e-4 + LAW_F64);
        }
      });
    });
    fc.assert(property, { seed: 6, numRuns: lawRuns(60) });
  });

  it('keeps a single key', () => {
    const one: Track = {
      target: 4,
      path: 'rotation',
      interpolation: 'STEP',
      times: Float32Array.of(0),
      values: Float64Array.of(0, 0.6, 0, 0.8),
    };
    expect(linearTrack(one, 0.1)).toEqual({ ...one, interpolation: 'LINEAR' });
  });

  it('throws for a tolerance that is not above 0', () => {
    const [one] = fc.sample(track(['rotation'], ['STEP']), { seed: 3, numRuns: 1 });
    for (const tolerance of [0, -1, Number.NaN]) expect(() => linearTrack(one, tolerance)).toThrow(RangeError);
  });
});

/** Returns the cosine of half the angle between a key of a rotation spline and the previous one. */
function dots({ values }: Track, key: number): number {
  let dot = 0;
  for (let c = 4; c < 8; c++) dot += values[12 * key + c] * values[12 * (key - 1) + c];
  return dot;
}

const COUNT = 10;
/** A chain of ten joints. */
const CHAIN: Skeleton = {
  name: 'chain',
  names: Array.from({ length: COUNT }, (_, joint) => `joint ${joint}`),
  parents: Int32Array.from({ length: COUNT }, (_, joint) => joint - 1),
  joints: new Uint8Array(COUNT).fill(1),
  rest: Float32Array.from({ length: COUNT * POSE_STRIDE }, (_, k) => [0, 1, 0, 0, 0, 0, 1, 1, 1, 1][k % POSE_STRIDE]),
  bind: null,
};
const FRAMES = Float64Array.from({ length: 31 }, (_, frame) => frame / 30);

/** A spline that rotates a joint about z by an angle that is a function of time. */
function swinging(target: number, swing: (time: number) => number): Track {
  const keys = resampleCubic({
    width: 4,
    isRotation: true,
    keyTimes: FRAMES,
    tolerance: 1e-6,
    evaluate: (time, out, o) => quat.set(out, o, 0, 0, Math.sin(swing(time) / 2), Math.cos(swing(time) / 2)),
  });
  return { target, path: 'rotation', ...keys };
}

/** Returns the greatest difference in world rotation, radians. */
function worldError(exact: readonly Track[], linear: readonly Track[]): number {
  let worst = 0;
  for (let k = 0; k <= 997; k++) {
    const [a, b] = [exact, linear].map((tracks) => {
      const local = restPose(CHAIN);
      const rotations = new Float64Array(4 * COUNT);
      sampleClip({ name: '', duration: 1, tracks }, k / 997, local);
      localToModelRotations(rotations, CHAIN.parents, local);
      return rotations;
    });
    for (let node = 0; node < COUNT; node++) worst = Math.max(worst, quat.angleBetween(a, 4 * node, b, 4 * node));
  }
  return worst;
}

describe('linearTracks', () => {
  it('keeps world rotations within 0.01° where the errors of all joints of a chain add up', () => {
    const wave = Array.from({ length: COUNT }, (_, joint) => swinging(joint, (t) => 0.3 * Math.sin(8 * t)));
    const linear = linearTracks(CHAIN, wave, 1);
    expect(linear.every(({ interpolation }) => interpolation === 'LINEAR')).toBe(true);
    expect(worldError(wave, linear)).toBeLessThan(LINEAR_WORLD_RADIANS);
    // With 0.005° for each joint alone, the errors add up to more.
    const each = wave.map((track) => linearTrack(track, ROTATION_TOLERANCE));
    expect(worldError(wave, each)).toBeGreaterThan(LINEAR_WORLD_RADIANS);
  });

  it('adds no more keys where 0.005° per joint is enough', () => {
    const track = swinging(9, (t) => 0.3 * Math.sin(8 * t));
    expect(linearTracks(CHAIN, [track], 1)).toEqual([linearTrack(track, ROTATION_TOLERANCE)]);
  });

  it('adds no more keys to joints above one that has as many as it may and is still inaccurate', () => {
    const count = 2000;
    const values = Array.from({ length: count }, (_, key) => {
      const half = key % 2 === 0 ? 0.5 : -0.5;
      return [
        [0, 0, 0, 0],
        [Math.sin(half), 0, 0, Math.cos(half)],
        [0, 0, 0, 0],
      ].flat();
    });
    const trembling: Track = {
      target: COUNT - 1,
      path: 'rotation',
      interpolation: 'CUBICSPLINE',
      times: Float32Array.from({ length: count }, (_, key) => key / count),
      values: Float64Array.from(values.flat()),
    };
    const calm = swinging(0, (t) => 0.3 * Math.sin(8 * t));
    const [first, second] = linearTracks(CHAIN, [calm, trembling], 1);
    expect(first).toEqual(linearTrack(calm, ROTATION_TOLERANCE));
    expect(second.times.length).toBeLessThan(6 * count);
  });

  it('returns LINEAR tracks as they are, and STEP tracks with a key before every jump', () => {
    const linear: Track = {
      target: 0,
      path: 'rotation',
      interpolation: 'LINEAR',
      times: Float32Array.of(0),
      values: Float32Array.of(0, 0, 0, 1),
    };
    const step: Track = {
      target: 1,
      path: 'translation',
      interpolation: 'STEP',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, 0, 0),
    };
    const [same, jump] = linearTracks(CHAIN, [linear, step], 1);
    expect(same).toBe(linear);
    expect([jump.interpolation, jump.times.length]).toEqual(['LINEAR', 3]);
  });
});

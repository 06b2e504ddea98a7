import { describe, expect, it } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import { linearKeys } from '../../../src/core/animation/linear-keys.ts';
import { resampleCubic } from '../../../src/core/animation/resample-cubic.ts';
import { EXACT_TOLERANCE, LINEAR_TOLERANCE } from '../../../src/core/animation/resample-tolerance.ts';
import { sampleClip, sampleTrack } from '../../../src/core/animation/sample.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { LINEAR_WORLD_RADIANS } from '../../support/tolerances.ts';

const COUNT = 10;
/** A chain of ten joints, one unit apart. */
const CHAIN: Skeleton = {
  name: 'chain',
  names: Array.from({ length: COUNT }, (_, joint) => `joint ${joint}`),
  parents: Int32Array.from({ length: COUNT }, (_, joint) => joint - 1),
  joints: new Uint8Array(COUNT).fill(1),
  rest: Float32Array.from({ length: COUNT * POSE_STRIDE }, (_, k) => [0, 1, 0, 0, 0, 0, 1, 1, 1, 1][k % POSE_STRIDE]),
  bind: null,
};
const FRAMES = Float32Array.from({ length: 31 }, (_, frame) => frame / 30);
const EXACT = { tolerance: EXACT_TOLERANCE, size: COUNT, converts: ['STEP', 'CUBICSPLINE'] } as const;
const DEFAULT = { tolerance: LINEAR_TOLERANCE, size: COUNT, converts: ['CUBICSPLINE'] } as const;

/** Returns a spline that rotates a joint about z by an angle that is a function of time. */
function swinging(target: number, swing: (time: number) => number, keyTimes: ArrayLike<number> = FRAMES): Track {
  const keys = resampleCubic({
    width: 4,
    isRotation: true,
    keyTimes: Float64Array.from(keyTimes),
    tolerance: 1e-6,
    evaluate: (time, out, o) => quat.set(out, o, 0, 0, Math.sin(swing(time) / 2), Math.cos(swing(time) / 2)),
  });
  return { target, path: 'rotation', ...keys };
}

const WAVE = Array.from({ length: COUNT }, (_, joint) => swinging(joint, (t) => 0.3 * Math.sin(8 * t)));

/** Returns the greatest difference in world rotation (radians) and world position. */
function worldErrors(exact: readonly Track[], linear: readonly Track[]): { angle: number; distance: number } {
  let [angle, distance] = [0, 0];
  for (let k = 0; k <= 997; k++) {
    const [a, b] = [exact, linear].map((tracks) => {
      const local = restPose(CHAIN);
      const rotations = new Float64Array(4 * COUNT);
      const matrices = new Float64Array(MATRIX_STRIDE * COUNT);
      sampleClip({ name: '', duration: 1, tracks }, k / 997, local);
      localToModelRotations(rotations, CHAIN.parents, local);
      localToModelMatrices(matrices, CHAIN.parents, local);
      return { rotations, matrices };
    });
    for (let node = 0; node < COUNT; node++) {
      angle = Math.max(angle, quat.angleBetween(a.rotations, 4 * node, b.rotations, 4 * node));
      const off = [12, 13, 14].map((c) => a.matrices[MATRIX_STRIDE * node + c] - b.matrices[MATRIX_STRIDE * node + c]);
      distance = Math.max(distance, Math.hypot(...off));
    }
  }
  return { angle, distance };
}

describe('linearKeys', () => {
  it('keeps world rotations within 0.01° of exact keys where the errors of all joints of a chain add up', () => {
    const linear = linearKeys(CHAIN, WAVE, EXACT);
    expect(linear.every(({ interpolation }) => interpolation === 'LINEAR')).toBe(true);
    expect(worldErrors(WAVE, linear).angle).toBeLessThan(LINEAR_WORLD_RADIANS);
  });

  it('keeps world rotations of a chain within 0.2° with default keys', () => {
    const linear = linearKeys(CHAIN, WAVE, DEFAULT);
    expect(worldErrors(WAVE, linear).angle).toBeLessThan((0.2 * Math.PI) / 180);
    const count = (tracks: readonly Track[]): number => tracks.reduce((sum, { times }) => sum + times.length, 0);
    expect(count(linear)).toBeLessThan(count(linearKeys(CHAIN, WAVE, EXACT)) / 2);
  });

  it.each([
    ['of a hundredth', [0.01, 0.01, 0.01], []],
    ['that is small along one axis', [0.01, 1, 1], []],
    ['that is almost nothing until the clip undoes it', [1e-4, 1e-4, 1e-4], [1, 1, 1]],
  ])('keeps translations within the tolerance in model space below a scale %s', (_, scale, shown) => {
    const rest = Float32Array.from(CHAIN.rest);
    rest.set(scale, POSE_STRIDE - 3);
    const skeleton = { ...CHAIN, rest };
    const moving = resampleCubic({
      width: 3,
      isRotation: false,
      keyTimes: Float64Array.from(FRAMES),
      tolerance: 1e-9,
      evaluate: (time, out, o) => out.set([0, Math.sin(8 * time), 0], o),
    });
    const undone: Track = {
      target: 0,
      path: 'scale',
      interpolation: 'STEP',
      times: Float32Array.of(0),
      values: Float32Array.from(shown),
    };
    const tracks: Track[] = [{ target: 1, path: 'translation', ...moving }, ...(shown.length > 0 ? [undone] : [])];
    const [linear] = linearKeys(skeleton, tracks, EXACT);
    const unit = Math.max(...(shown.length > 0 ? shown : scale));
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    let off = 0;
    for (let k = 0; k <= 997; k++) {
      sampleTrack(tracks[0], k / 997, a, 0);
      sampleTrack(linear, k / 997, b, 0);
      off = Math.max(off, unit * Math.abs(a[1] - b[1]));
    }
    expect(off).toBeGreaterThan(0);
    expect(off).toBeLessThan(1.01 * EXACT_TOLERANCE.translation * COUNT);
  });

  it('keeps the tip of a chain where it stands still, although its joints rotate', () => {
    // Two joints turn in opposite directions at different speeds of their parts: the tip stays.
    const bend = (t: number): number => 0.02 * Math.sin(20 * t);
    const still = [swinging(0, bend), swinging(1, (t) => -2 * bend(t)), swinging(2, bend)];
    const loose = { ...LINEAR_TOLERANCE, position: 1, delay: 1 };
    const within = (tolerance: typeof LINEAR_TOLERANCE): number =>
      worldErrors(still, linearKeys(CHAIN, still, { ...DEFAULT, tolerance })).distance;
    expect(within(loose)).toBeGreaterThan(5e-3);
    expect(within({ ...LINEAR_TOLERANCE, delay: 0 })).toBeLessThan(1e-4 * COUNT);
  });

  it('has keys at key times of the motion and at equal parts of the time between them', () => {
    const fine = Float32Array.from({ length: 121 }, (_, key) => key / 120);
    const [slow] = linearKeys(CHAIN, [swinging(9, (t) => t / 4, fine)], { ...DEFAULT, keyTimes: FRAMES });
    expect(Array.from(slow.times)).toEqual([0, 1]);
    const [fast] = linearKeys(CHAIN, [swinging(9, (t) => 0.3 * Math.sin(8 * t), fine)], {
      ...DEFAULT,
      keyTimes: FRAMES,
    });
    expect(fast.times.length).toBeLessThan(FRAMES.length);
    for (const time of fast.times) expect(Math.abs(time * 240 - Math.round(time * 240))).toBeLessThan(1e-4);
    const shared = { ...DEFAULT, keyTimes: FRAMES, sharesTimes: true };
    const [coarse] = linearKeys(CHAIN, [swinging(9, (t) => 0.3 * Math.sin(8 * t), fine)], shared);
    for (const time of coarse.times) expect(Math.abs(time * 120 - Math.round(time * 120))).toBeLessThan(1e-4);
  });

  it('has the first and the last value of the exact track', () => {
    const wave = swinging(9, (t) => 0.3 * Math.sin(8 * t + 1));
    const [linear] = linearKeys(CHAIN, [wave], DEFAULT);
    for (const time of [0, 1]) {
      const [a, b] = [new Float64Array(4), new Float64Array(4)];
      sampleTrack(wave, time, a, 0);
      sampleTrack(linear, time, b, 0);
      expect(quat.angleBetween(a, 0, b, 0)).toBeLessThan(1e-9);
    }
  });

  it('returns splines that need not be converted, and LINEAR keys at the times of the motion, as they are', () => {
    const spline = swinging(3, (t) => t);
    const [linear] = linearKeys(CHAIN, [spline], DEFAULT);
    const options = { ...DEFAULT, converts: [], keyTimes: FRAMES };
    const tracks = [spline, { ...linear, target: 4 }];
    expect(linearKeys(CHAIN, tracks, options)).toEqual(tracks);
  });

  it('fits LINEAR tracks with more keys than the motion to their own keys, within the tolerance between these too', () => {
    const dense = Float64Array.from({ length: 61 }, (_, frame) => Math.fround(frame / 60));
    const bent = WAVE.map((track): Track => {
      const values = new Float64Array(4 * dense.length);
      for (const [key, time] of dense.entries()) sampleTrack(track, time, values, 4 * key);
      return { target: track.target, path: 'rotation', interpolation: 'LINEAR', times: dense, values };
    });
    const fitted = linearKeys(CHAIN, bent, { ...DEFAULT, keyTimes: FRAMES });
    const errors = worldErrors(bent, fitted);
    expect(errors.angle).toBeGreaterThan(LINEAR_TOLERANCE.rotation);
    expect(errors.angle).toBeLessThan(LINEAR_TOLERANCE.worldRotation);
    const keys = fitted.flatMap(({ times }) => [...times]);
    expect(keys.length).toBeLessThan(COUNT * dense.length);
    expect(keys.every((time) => dense.includes(time))).toBe(true);
    // At key times of the motion, where tracks of other bones are exact, less is allowed.
    const [a, b] = [new Float64Array(4), new Float64Array(4)];
    for (const [k, track] of bent.entries()) {
      for (const time of FRAMES) {
        sampleTrack(track, time, a, 0);
        sampleTrack(fitted[k], time, b, 0);
        expect(quat.angleBetween(a, 0, b, 0)).toBeLessThan(LINEAR_TOLERANCE.rotation / 3);
      }
    }
  });

  it('keeps nodes that one or two tracks move within the tolerance', () => {
    for (const count of [1, 2]) {
      const moving = WAVE.slice(0, count);
      const { angle, distance } = worldErrors(moving, linearKeys(CHAIN, moving, DEFAULT));
      expect(angle).toBeGreaterThan(0.5 * LINEAR_TOLERANCE.rotation);
      expect(angle).toBeLessThan(LINEAR_TOLERANCE.worldRotation);
      // The tip moves by up to 24 units per second.
      expect(distance).toBeLessThan((LINEAR_TOLERANCE.position + 2.4 * LINEAR_TOLERANCE.delay) * COUNT);
    }
  });

  it.each([1, 0.1, 0.01])('keeps what is below a node whose scale changes around %f within the tolerance', (size) => {
    const rest = Float32Array.from([0, 0, 0, 0, 0, 0, 1, size, size, size, 0, 1 / size, 0, 0, 0, 0, 1, 1, 1, 1]);
    const pair: Skeleton = {
      name: '',
      names: ['', ''],
      parents: Int32Array.of(-1, 0),
      joints: new Uint8Array(2),
      rest,
      bind: null,
    };
    const times = Float64Array.from({ length: 121 }, (_, frame) => frame / 120);
    const values = Float64Array.from(
      { length: 363 },
      (_, k) => size * (1 + 0.2 * Math.sin(8 * times[Math.floor(k / 3)])),
    );
    const track: Track = { target: 0, path: 'scale', interpolation: 'LINEAR', times, values };
    const [scaled] = linearKeys(pair, [track], { ...DEFAULT, size: 1, isBaked: true });
    expect(scaled.times.length).toBeLessThan(times.length);
    const [a, b] = [new Float64Array(3), new Float64Array(3)];
    for (const time of times) {
      sampleTrack(track, time, a, 0);
      sampleTrack(scaled, time, b, 0);
      // The point is one unit away and moves by up to 1.6 units per second.
      expect(Math.abs(a[1] - b[1]) / size).toBeLessThan(LINEAR_TOLERANCE.position + 1.6 * LINEAR_TOLERANCE.delay);
    }
  });

  it('leaves out frames of a recording that lie between others', () => {
    const times = Float64Array.from({ length: 101 }, (_, frame) => frame / 100);
    const values = Float64Array.from(
      { length: 404 },
      (_, k) => [0, 0, Math.sin(k / 4 < 50 ? 0 : (k >> 2) / 400), 1][k % 4],
    );
    for (let k = 0; k < 404; k += 4) quat.normalize(values, k, values, k);
    const track: Track = { target: 2, path: 'rotation', interpolation: 'LINEAR', times, values };
    const [kept] = linearKeys(CHAIN, [track], { ...DEFAULT, keyTimes: times, isBaked: true });
    expect(kept.times.length).toBeLessThan(20);
    expect(worldErrors([track], [kept]).angle).toBeLessThan(LINEAR_TOLERANCE.rotation);
  });

  it('adds no keys to joints above one that has as many as it may and is still inaccurate', () => {
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
    const [first, second] = linearKeys(CHAIN, [calm, trembling], EXACT);
    expect(first.times.length).toBeLessThan(1.5 * linearKeys(CHAIN, [calm], EXACT)[0].times.length);
    expect(second.times.length).toBeLessThan(12 * count);
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
    const [same, jump] = linearKeys(CHAIN, [linear, step], EXACT);
    expect(same).toBe(linear);
    expect([jump.interpolation, jump.times.length]).toEqual(['LINEAR', 3]);
  });
});

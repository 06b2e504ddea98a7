import { describe, expect, test } from 'vitest';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { constantTrack, resampleTrack } from '../../../src/core/retarget/target-track.ts';
import { createTrackTable } from '../../../src/core/retarget/track-table.ts';
import { clipOf, tinyHumanoid, track } from '../../support/make/tiny-humanoid.ts';
import { aboutAxis } from '../../support/reference/plain.ts';

const humanoid = tinyHumanoid({ name: 'hips', at: [0, 1, 0] }, { name: 'spine', parent: 'hips', at: [0, 0.2, 0] });
const plan = planRetarget(humanoid, humanoid);

describe('constantTrack', () => {
  test('returns a STEP track with one key at 0', () => {
    const value = Float64Array.from(aboutAxis([1, 0, 0], 1));
    expect(constantTrack(1, 'rotation', value, plan, false)).toEqual([
      { target: 1, path: 'rotation', interpolation: 'STEP', times: Float32Array.of(0), values: value },
    ]);
  });

  test('returns nothing for a rest value without a source track', () => {
    const rest = Float64Array.of(0, 0.2, 0);
    expect(constantTrack(1, 'translation', rest, plan, false)).toEqual([]);
    expect(constantTrack(1, 'translation', rest, plan, true)).toHaveLength(1);
    expect(constantTrack(1, 'rotation', Float64Array.of(0, 0, 0, -1), plan, false)).toEqual([]);
    expect(constantTrack(1, 'scale', Float64Array.of(1, 1, 1), plan, false)).toEqual([]);
  });
});

describe('resampleTrack', () => {
  /** An accelerating rotation about z, alternately as q and −q. */
  const spin = {
    path: 'rotation' as const,
    tracks: [track(humanoid, 'spine', 'rotation', 'LINEAR', [0, 1], [[0, 0, 0, 1], aboutAxis([0, 0, 1], 3)])],
    tolerance: 1e-3,
    evaluate: (time: number, out: Float32Array | Float64Array, o: number): void => {
      const sign = Math.round(time * 4) % 2 === 0 ? 1 : -1;
      out.set(
        aboutAxis([0, 0, 1], 3 * time * time).map((c) => sign * c),
        o,
      );
    },
  };

  test('returns neighboring quaternions in one hemisphere, with and without fps', () => {
    for (const fps of [undefined, 4]) {
      const { values, times } = resampleTrack(1, spin, 1, fps);
      expect(times.length).toBeGreaterThan(2);
      for (let key = 1; key < times.length; key++) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += values[4 * key + c] * values[4 * key - 4 + c];
        expect(dot).toBeGreaterThan(0);
      }
    }
  });
});

describe('resampleTrack of splines', () => {
  const frames = Array.from({ length: 31 }, (_, frame) => frame / 30);
  const still = [0, 0, 0, 0];
  const spline = (interpolation: 'LINEAR' | 'CUBICSPLINE') =>
    track(
      humanoid,
      'spine',
      'rotation',
      interpolation,
      frames,
      frames.flatMap(() => (interpolation === 'LINEAR' ? [[0, 0, 0, 1]] : [still, [0, 0, 0, 1], still])),
    );
  const swing = {
    path: 'rotation' as const,
    tolerance: 1e-4,
    evaluate: (time: number, out: Float32Array | Float64Array, o: number): void =>
      out.set(aboutAxis([0, 0, 1], Math.sin(9 * time)), o),
  };

  test('is LINEAR with keys between those of the source where it bends', () => {
    const [linear, cubic] = (['LINEAR', 'CUBICSPLINE'] as const).map((interpolation) =>
      resampleTrack(1, { ...swing, tracks: [spline(interpolation)] }, 1, undefined),
    );
    expect(cubic).toEqual(linear);
    expect(linear.interpolation).toBe('LINEAR');
    expect(linear.times.length).toBeGreaterThan(90);
    expect(frames.every((time) => linear.times.includes(Math.fround(time)))).toBe(true);
  });

  test('has the keys of the source where they suffice, and those of a grid with fps', () => {
    const slow = {
      ...swing,
      tracks: [spline('CUBICSPLINE')],
      evaluate: (time: number, out: Float32Array | Float64Array, o: number): void =>
        out.set(aboutAxis([0, 0, 1], time), o),
    };
    const found = [undefined, 10].map((fps) => resampleTrack(1, slow, 1, fps));
    expect(found.map(({ interpolation, times }) => [interpolation, times.length])).toEqual([
      ['LINEAR', 31],
      ['LINEAR', 11],
    ]);
  });
});

describe('createTrackTable', () => {
  test('finds the tracks of a clip by path and node', () => {
    const rotation = track(humanoid, 'spine', 'rotation', 'STEP', [0], [[0, 0, 0, 1]]);
    const translation = track(humanoid, 'hips', 'translation', 'STEP', [0], [[0, 1, 0]]);
    const table = createTrackTable(clipOf(rotation, translation), 2);
    expect(table.rotation[1]).toBe(rotation);
    expect(table.translation[0]).toBe(translation);
    expect([table.rotation[0], table.scale[0]]).toEqual([undefined, undefined]);
  });
});

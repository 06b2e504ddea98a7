import { describe, expect, test } from 'vitest';
import { planRetarget } from '../../../src/core/retarget/plan.ts';
import { constantTrack, resampled } from '../../../src/core/retarget/target-track.ts';
import { tableOf } from '../../../src/core/retarget/track-table.ts';
import { clipOf, tinyHumanoid, track } from '../../make/tiny-humanoid.ts';
import { aboutAxis } from '../../reference/plain.ts';

const body = tinyHumanoid({ name: 'hips', at: [0, 1, 0] }, { name: 'spine', parent: 'hips', at: [0, 0.2, 0] });
const plan = planRetarget(body, body);

describe('constantTrack', () => {
  test('is one STEP key at 0', () => {
    const value = Float64Array.from(aboutAxis([1, 0, 0], 1));
    expect(constantTrack(1, 'rotation', value, plan, false)).toEqual([
      { target: 1, path: 'rotation', interpolation: 'STEP', times: Float32Array.of(0), values: value },
    ]);
  });

  test('is left out where the value is the rest and the motion says nothing about it', () => {
    const rest = Float64Array.of(0, 0.2, 0);
    expect(constantTrack(1, 'translation', rest, plan, false)).toEqual([]);
    expect(constantTrack(1, 'translation', rest, plan, true)).toHaveLength(1);
    expect(constantTrack(1, 'rotation', Float64Array.of(0, 0, 0, -1), plan, false)).toEqual([]);
    expect(constantTrack(1, 'scale', Float64Array.of(1, 1, 1), plan, false)).toEqual([]);
  });
});

describe('resampled', () => {
  /** A turn about z that gets faster, written as q and −q by turns. */
  const spin = {
    path: 'rotation' as const,
    tracks: [track(body, 'spine', 'rotation', 'LINEAR', [0, 1], [[0, 0, 0, 1], aboutAxis([0, 0, 1], 3)])],
    tolerance: 1e-3,
    evaluate: (time: number, out: Float32Array | Float64Array, o: number): void => {
      const sign = Math.round(time * 4) % 2 === 0 ? 1 : -1;
      out.set(
        aboutAxis([0, 0, 1], 3 * time * time).map((c) => sign * c),
        o,
      );
    },
  };

  test('has neighboring quaternions in one hemisphere, on a grid and without', () => {
    for (const fps of [undefined, 4]) {
      const { values, times } = resampled(1, spin, 1, fps);
      expect(times.length).toBeGreaterThan(2);
      for (let key = 1; key < times.length; key++) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += values[4 * key + c] * values[4 * key - 4 + c];
        expect(dot).toBeGreaterThan(0);
      }
    }
  });
});

describe('tableOf', () => {
  test('finds the tracks of a clip by path and node', () => {
    const turn = track(body, 'spine', 'rotation', 'STEP', [0], [[0, 0, 0, 1]]);
    const move = track(body, 'hips', 'translation', 'STEP', [0], [[0, 1, 0]]);
    const table = tableOf(clipOf(turn, move), 2);
    expect(table.rotation[1]).toBe(turn);
    expect(table.translation[0]).toBe(move);
    expect([table.rotation[0], table.scale[0]]).toEqual([undefined, undefined]);
  });
});

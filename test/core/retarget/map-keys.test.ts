import { describe, expect, test } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import type { Floats } from '../../../src/core/math/floats.ts';
import {
  allocateKeys,
  mapRotationKeys,
  mapRotationTracks,
  mapVectorKeys,
  sandwichMatrix,
} from '../../../src/core/retarget/map-keys.ts';
import { makeRandom, randomRotation } from '../../../src/demo/random.ts';
import { expectNear } from '../../near.ts';
import { inverse, product } from '../../reference/plain.ts';
import { EXACT } from '../../tolerances.ts';

const random = makeRandom(1);
const A = randomRotation(random);
const B = randomRotation(random);

function rotations(values: readonly number[]): Track {
  return {
    target: 0,
    path: 'rotation',
    interpolation: 'LINEAR',
    times: new Float32Array(1),
    values: Float64Array.from(values),
  };
}

describe('sandwichMatrix and mapRotationKeys', () => {
  test('map q to A · q · B, also tangents, which are not unit quaternions', () => {
    const q = randomRotation(random).map((c) => 3.5 * c);
    const matrix = new Float64Array(16);
    const out = new Float64Array(4);
    sandwichMatrix(matrix, 0, A, 0, B, 0, false);
    mapRotationKeys(out, 0, rotations(q), matrix, 0);
    expectNear(out, product(A, q, B), EXACT);
  });

  test('map q to A · q⁻¹ · B with inverted', () => {
    const q = randomRotation(random);
    const matrix = new Float64Array(16);
    const out = new Float64Array(4);
    sandwichMatrix(matrix, 0, A, 0, B, 0, true);
    mapRotationKeys(out, 0, rotations(q), matrix, 0);
    expectNear(out, product(A, inverse(q), B), EXACT);
  });
});

describe('mapVectorKeys', () => {
  const map = (track: Track, linear: Float64Array, offset: readonly number[]): Floats => {
    const out = new Float64Array(track.values.length);
    mapVectorKeys(out, track, linear, offset);
    return out;
  };
  const twice = Float64Array.of(2, 0, 0, 0, 2, 0, 0, 0, 2);
  const offset = [10, 20, 30];

  test('applies the linear part and the offset to values', () => {
    const track: Track = {
      target: 0,
      path: 'translation',
      interpolation: 'STEP',
      times: new Float32Array(2),
      values: Float64Array.of(1, 2, 3, 4, 5, 6),
    };
    expect(map(track, twice, offset)).toEqual(Float64Array.of(12, 24, 36, 18, 30, 42));
  });

  test('applies only the linear part to tangents', () => {
    const values = Float64Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3);
    const track: Track = {
      target: 0,
      path: 'translation',
      interpolation: 'CUBICSPLINE',
      times: new Float32Array(1),
      values,
    };
    expect(map(track, twice, offset)).toEqual(Float64Array.of(2, 2, 2, 14, 24, 34, 6, 6, 6));
  });

  test('reads the matrix by columns: x of the input multiplies the first three numbers', () => {
    const values = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const track: Track = {
      target: 0,
      path: 'translation',
      interpolation: 'LINEAR',
      times: new Float32Array(3),
      values,
    };
    const linear = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    expect(map(track, linear, [0, 0, 0])).toEqual(linear);
  });
});

describe('allocateKeys and mapRotationTracks', () => {
  const tracks = (...values: readonly Track['values'][]): Track[] =>
    values.map((list) => ({ ...rotations([]), values: list }));

  test('allocateKeys: one block for all values and the spare, float32 if all tracks are float32, else float64', () => {
    expect(allocateKeys([...tracks(new Float32Array(4)), undefined], 3)).toEqual(new Float32Array(7));
    expect(allocateKeys(tracks(new Float32Array(4), new Float64Array(8)), 0)).toEqual(new Float64Array(12));
    expect(allocateKeys([], 0)).toEqual(new Float32Array(0));
  });

  test('mapRotationTracks: the values of the tracks follow each other, each by its own matrix, undefined entries are skipped', () => {
    const matrices = new Float64Array(48);
    for (const [k, factor] of [2, 5, 3].entries()) {
      for (let c = 0; c < 4; c++) matrices[16 * k + 5 * c] = factor;
    }
    const [one, two] = tracks(Float32Array.of(1, 2, 3, 4), Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0));
    const list = [one, undefined, two];
    const out = allocateKeys(list, 1);
    mapRotationTracks(out, list, matrices);
    expect([...out]).toEqual([2, 4, 6, 8, 3, 0, 0, 0, 0, 3, 0, 0, 0]);
  });
});

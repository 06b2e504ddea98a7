import { describe, expect, test } from 'vitest';
import type { Track } from '../../../src/core/animation/clip.ts';
import type { Floats } from '../../../src/core/math/floats.ts';
import { mapRotationKeys, mapVectorKeys, sandwichMatrix } from '../../../src/core/retarget/map-keys.ts';
import { makeRandom, randomRotation } from '../../../src/demo/random.ts';
import { expectNear } from '../../support/near.ts';
import { inverse, product } from '../../support/reference/plain.ts';
import { EXACT } from '../../support/tolerances.ts';

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
    mapRotationKeys(out, rotations(q), matrix, 0);
    expectNear(out, product(A, q, B), EXACT);
  });

  test('map q to A · q⁻¹ · B with inverted', () => {
    const q = randomRotation(random);
    const matrix = new Float64Array(16);
    const out = new Float64Array(4);
    sandwichMatrix(matrix, 0, A, 0, B, 0, true);
    mapRotationKeys(out, rotations(q), matrix, 0);
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

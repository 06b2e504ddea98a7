import { describe, expect, it } from 'vitest';
import { jointIndices } from '../../../src/core/deform/influences.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { bakeDirections, bakeOffsets, bakePoints, blendMatrices } from '../../../src/core/normalize/bake-vertices.ts';
import { between, makeRandom, type Random, randomRotation } from '../../../src/demo/random.ts';
import { largest, law } from '../../laws/law.ts';
import { expectNear } from '../../support/near.ts';
import { EXACT, EXACT_CHAIN } from '../../support/tolerances.ts';

const JOINTS = 3;
const VERTICES = 5;

function matrices(random: Random): Float64Array {
  const out = new Float64Array(16 * JOINTS);
  for (let joint = 0; joint < JOINTS; joint++) {
    const at = [0, 1, 2].map(() => between(random, -2, 2));
    mat4.compose(out, 16 * joint, [...at, ...randomRotation(random), 1, 1.2, 0.8], 0);
  }
  return out;
}

/** Σ w · (M · v), joint by joint. */
function plainly(
  all: Float64Array,
  joints: readonly number[],
  weights: readonly number[],
  v: readonly number[],
): number[] {
  const out = [0, 0, 0];
  joints.forEach((joint, k) => {
    const moved = new Float64Array(3);
    mat4.transformPoint(moved, 0, all, 16 * joint, v, 0);
    for (let c = 0; c < 3; c++) out[c] += weights[k] * moved[c];
  });
  return out;
}

function skinned(random: Random) {
  const all = matrices(random);
  const joints = Array.from({ length: 2 * VERTICES }, () => Math.floor(random() * JOINTS));
  const weights = Array.from({ length: VERTICES }, () => random()).flatMap((w) => [w, 1 - w]);
  const points = Float64Array.from({ length: 3 * VERTICES }, () => between(random, -1, 1));
  const influences = {
    kind: 'vertex' as const,
    jointsPerVertex: 2,
    indices: jointIndices(joints),
    weights: Float64Array.from(weights),
  };
  const own = (v: number, point: readonly number[]): number[] => {
    return plainly(all, joints.slice(2 * v, 2 * v + 2), weights.slice(2 * v, 2 * v + 2), point);
  };
  return { blended: blendMatrices(influences, VERTICES, all), points, own };
}

describe('bakePoints, bakeOffsets and bakeDirections', () => {
  law(
    'bakePoints gives the positions of linear blend skinning',
    EXACT_CHAIN,
    (random) => {
      const { blended, points, own } = skinned(random);
      const baked = bakePoints(blended, points);
      return largest(
        ...Array.from({ length: VERTICES }, (_, v) => {
          const shown = own(v, [...points.subarray(3 * v, 3 * v + 3)]);
          return Math.hypot(...shown.map((x, c) => x - baked[3 * v + c]));
        }),
      );
    },
    100,
  );

  law(
    'bakeOffsets gives the morphed positions of linear blend skinning for all or some vertices',
    EXACT_CHAIN,
    (random) => {
      const { blended, points, own } = skinned(random);
      const vertices = [1, 4];
      const offsets = Float64Array.from({ length: 6 }, () => between(random, -1, 1));
      const baked = bakePoints(blended, points);
      const moved = bakeOffsets(blended, offsets, vertices);
      return largest(
        ...vertices.map((v, i) => {
          const morphed = [0, 1, 2].map((c) => points[3 * v + c] + offsets[3 * i + c]);
          return Math.hypot(...own(v, morphed).map((x, c) => x - baked[3 * v + c] - moved[3 * i + c]));
        }),
      );
    },
    100,
  );

  it('bakeDirections returns unit directions, handedness and the lengths for their offsets', () => {
    const { blended } = skinned(makeRandom(5));
    const tangents = Float64Array.from({ length: 4 * VERTICES }, (_, i) => [1, 0, 0, i % 8 < 4 ? 1 : -1][i % 4]);
    const lengths = new Float64Array(VERTICES);
    const baked = bakeDirections(blended, tangents, 4, lengths);
    for (let v = 0; v < VERTICES; v++) {
      expect(Math.hypot(baked[4 * v], baked[4 * v + 1], baked[4 * v + 2])).toBeCloseTo(1, 12);
      expect(baked[4 * v + 3]).toBe(tangents[4 * v + 3]);
      const column = [0, 1, 2].map((c) => blended[12 * v + c] / lengths[v]);
      expectNear(baked.subarray(4 * v, 4 * v + 3), column, EXACT);
    }
  });

  it('bakeDirections keeps a zero direction', () => {
    const { blended } = skinned(makeRandom(6));
    const lengths = new Float64Array(VERTICES);
    expect(bakeDirections(blended, new Float64Array(3 * VERTICES), 3, lengths)).toEqual(new Float64Array(3 * VERTICES));
    expect(lengths).toEqual(new Float64Array(VERTICES).fill(1));
  });
});

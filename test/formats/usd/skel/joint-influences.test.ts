import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expandConstantInfluences,
  normalizeInfluences,
  resizeInfluences,
  sortInfluences,
} from '../../../../src/core/deform/edit-influences.ts';
import type { Influences } from '../../../../src/core/deform/influences.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import {
  createInfluences,
  declareInfluences,
  flattenPrimvar,
  influenceMismatch,
} from '../../../../src/formats/usd/skel/joint-influences.ts';
import { rotation, vector } from '../../../support/arbitraries.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { expectNear } from '../../../support/near.ts';
import { EXACT_CHAIN } from '../../../support/tolerances.ts';

const constant = (elementSize = 1): { interpolation: string; elementSize: number } => ({
  interpolation: 'constant',
  elementSize,
});
const vertex = (elementSize = 1): { interpolation: string; elementSize: number } => ({
  interpolation: 'vertex',
  elementSize,
});

describe('declareInfluences and createInfluences (testUsdSkelSkinningQuery)', () => {
  it.each([
    [constant(), vertex(), 'jointIndices is constant, jointWeights vertex; author the same for both'],
    [
      { ...constant(), interpolation: 'uniform' },
      { ...constant(), interpolation: 'uniform' },
      'joint influences are uniform, expected constant or vertex',
    ],
    [
      { ...constant(), interpolation: 'varying' },
      { ...constant(), interpolation: 'varying' },
      'joint influences are varying, expected constant or vertex',
    ],
    [constant(3), constant(4), 'jointIndices has element size 3, jointWeights 4; author the same for both'],
    [constant(-1), constant(-1), 'jointIndices has element size -1, expected a positive integer'],
  ])('reject declarations %j and %j', (indices, weights, reason) => {
    expect(declareInfluences(indices, weights)).toEqual({
      hasInfluences: false,
      isRigid: true,
      jointsPerVertex: 1,
      reason,
    });
  });

  it('reject arrays of other sizes than declared', () => {
    expect(createInfluences(declareInfluences(vertex(2), vertex(2)), [1, 2, 3], [1, 1, 1])).toEqual({
      influences: null,
      reason: 'there are 3 influences, expected a multiple of the element size 2',
    });
    expect(createInfluences(declareInfluences(constant(2), constant(2)), [1, 2, 3, 4], [1, 1, 1, 1])).toEqual({
      influences: null,
      reason: 'there are 4 constant influences, expected the element size 2',
    });
    expect(createInfluences(declareInfluences(constant(), constant()), [1, 2, 3], [1])).toEqual({
      influences: null,
      reason: 'there are 3 joint indices and 1 weights; author as many indices as weights',
    });
  });

  it('create rigid influences, and one set per point otherwise', () => {
    const declared = declareInfluences(constant(3), constant(3));
    expect(declared).toEqual({ hasInfluences: true, isRigid: true, jointsPerVertex: 3, reason: null });
    const { influences } = createInfluences(declared, [1, 2, 3], [5, 6, 7]);
    const expanded = expandConstantInfluences(influences as Influences, 3);
    expect([...expanded.indices]).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect([...expanded.weights]).toEqual([5, 6, 7, 5, 6, 7, 5, 6, 7]);
    const own = createInfluences(declareInfluences(vertex(2), vertex(2)), [1, 2, 3, 4], [5, 6, 7, 8]).influences;
    expect([own?.kind, own?.jointsPerVertex, [...(own?.indices ?? [])], [...(own?.weights ?? [])]]).toEqual([
      'vertex',
      2,
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]);
  });

  it('a single array counts as no influences, without a reason', () => {
    expect(declareInfluences(vertex(), null).reason).toBeNull();
    expect(createInfluences(declareInfluences(null, vertex()), [], [1])).toEqual({ influences: null, reason: null });
  });
});

function influences(weights: number[], jointsPerVertex: number, indices: number[] = weights.map(() => 0)): Influences {
  return { kind: 'vertex', jointsPerVertex, indices: Int32Array.from(indices), weights: Float32Array.from(weights) };
}

/** The functions of UsdSkel stand in core/deform; here are the numbers of its own test. */
describe('testUsdSkelUtils', () => {
  it('normalizeInfluences: gives a point without weight to its first joint, unlike UsdSkel', () => {
    const { weights } = normalizeInfluences(influences([3, 1, 1, 0, 4, 3, 2, 1, 40, 30, 20, 10, 0, 0, 0, 0], 4));
    const expected = [0.6, 0.2, 0.2, 0, 0.4, 0.3, 0.2, 0.1, 0.4, 0.3, 0.2, 0.1, 1, 0, 0, 0];
    expect(weights).toEqual(Float32Array.from(expected));
    expect(normalizeInfluences(influences([], 4)).weights.length).toBe(0);
    expect(() => normalizeInfluences(influences([1], 4))).toThrow(RangeError);
    expect(() => normalizeInfluences(influences([1], 0))).toThrow(RangeError);
  });

  it('sortInfluences: sorts by weight', () => {
    const sorted = sortInfluences(
      influences([3, 1, 4, 2, 1, 2, 3, 4, 4, 3, 2, 1], 4, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    );
    expect([...sorted.indices]).toEqual([3, 1, 4, 2, 8, 7, 6, 5, 9, 10, 11, 12]);
    expect([...sorted.weights]).toEqual([4, 3, 2, 1, 4, 3, 2, 1, 4, 3, 2, 1]);
    const single = influences([3, 1, 4, 2], 1, [1, 2, 3, 4]);
    expect(sortInfluences(single)).toEqual(single);
  });

  it('resizeInfluences: keeps and normalizes the first ones; holes are 0', () => {
    const eight = [1, 2, 3, 4, 5, 6, 7, 8];
    expect([...resizeInfluences(influences(eight, 4, eight), 2).indices]).toEqual([1, 2, 5, 6]);
    expect([...resizeInfluences(influences(eight, 2, eight), 4).indices]).toEqual([
      1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 0, 0,
    ]);
    const cut = resizeInfluences(influences([3, 1, 1, 5, 6, 1, 1, 3, 7, 8, 1, 3, 1, 9, 10], 5), 3);
    expect(cut.weights).toEqual(Float32Array.of(0.6, 0.2, 0.2, 0.2, 0.2, 0.6, 0.2, 0.6, 0.2));
    const grown = resizeInfluences(influences([1, 2, 3, 4, 5, 6, 7, 8, 9], 3), 5);
    expect([...grown.weights]).toEqual([1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 7, 8, 9, 0, 0]);
    expect(resizeInfluences(influences([], 10), 4).weights.length).toBe(0);
    expect(resizeInfluences(influences([], 4), 10).weights.length).toBe(0);
    expect(() => resizeInfluences(influences([1], 3), 2)).toThrow(RangeError);
    expect(() => resizeInfluences(influences([1], 3), 0)).toThrow(RangeError);
    expect(() => resizeInfluences(influences([1, 2, 3], 3), 0)).toThrow(RangeError);
  });

  it('expandConstantInfluences: writes them per point, also for no points', () => {
    const five: Influences = { ...influences([1, 2, 3, 4, 5], 5, [1, 2, 3, 4, 5]), kind: 'constant' };
    expect([...expandConstantInfluences(five, 3).weights]).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
    expect([...expandConstantInfluences(five, 3).indices]).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
    expect(expandConstantInfluences(five, 0).weights.length).toBe(0);
    expect(expandConstantInfluences(five, 0).indices.length).toBe(0);
    const none: Influences = { ...influences([], 5), kind: 'constant' };
    expect(expandConstantInfluences(none, 3).weights.length).toBe(0);
  });

  it('composes and decomposes a hundred transforms, some of them mirrored', () => {
    const signs = fc.constantFrom(1, -1);
    const components = fc.sample(fc.tuple(vector(100), rotation(), fc.tuple(signs, signs, signs)), {
      seed: 73,
      numRuns: lawRuns(100),
    });
    for (const [translation, turn, scale] of components) {
      const one = new Float64Array(16);
      mat4.compose(one, 0, [...translation, ...turn, ...scale], 0);
      const trs = new Float64Array(10);
      expect(mat4.decompose(trs, 0, one, 0)).toBe(true);
      expectNear(trs.subarray(0, 3), translation, 0);
      const again = new Float64Array(16);
      mat4.compose(again, 0, trs, 0);
      expectNear(again, one, EXACT_CHAIN);
    }
  });

  it('decomposes singular matrices, which OpenUSD refuses: scales of 0 compose to the same matrix', () => {
    const trs = new Float64Array(10);
    expect(mat4.decompose(trs, 0, new Float64Array(16), 0)).toBe(true);
    expect([...trs.subarray(7)]).toEqual([0, 0, 0]);
    expect(trs.every(Number.isFinite)).toBe(true);
  });
});

describe('influences of a mesh', () => {
  it('influenceMismatch: checks the count and all joint indices, also with weight 0', () => {
    const two = influences([1, 0, 1, 0], 2, [0, 5, 1, 0]);
    expect(influenceMismatch(two, 2, 6)).toBeNull();
    expect(influenceMismatch(two, 3, 6)).toBe('there are 4 influences; expected 6, 2 for each of 3 points');
    expect(influenceMismatch(two, 2, 5)).toBe('an influence has joint index 5; expected 0…4');
    expect(influenceMismatch(influences([Number.NaN], 1), 1, 1)).toBe(
      'a joint weight is NaN; expected a finite number',
    );
    expect(influenceMismatch({ ...influences([1], 1), kind: 'constant' }, 99, 1)).toBeNull();
  });

  it('flattenPrimvar: flattens indexed influences', () => {
    expect([...(flattenPrimvar([1, 2, 3, 4], [1, 0, 1], 2) ?? [])]).toEqual([3, 4, 1, 2, 3, 4]);
    expect(flattenPrimvar([1, 2, 3, 4], [2], 2)).toBeNull();
    expect(flattenPrimvar([1, 2, 3, 4], [-1], 2)).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expandConstantInfluences,
  gatherInfluences,
  mergeRepeatedJoints,
  normalizeInfluences,
  resizeInfluences,
  sortInfluences,
} from '../../../src/core/deform/edit-influences.ts';
import type { Influences } from '../../../src/core/deform/influences.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { validateInfluences } from '../../support/reference/validate-influences.ts';

function influences(indices: number[], weights: number[], jointsPerVertex = 2): Influences {
  return { kind: 'vertex', jointsPerVertex, indices: Uint16Array.from(indices), weights: Float32Array.from(weights) };
}

/** Arbitrary influences with 3 joints per vertex, some with weight 0. */
const any = fc
  .array(fc.tuple(fc.nat(9), fc.integer({ min: 0, max: 1000 })), { minLength: 3, maxLength: 30 })
  .map((pairs) => pairs.slice(0, pairs.length - (pairs.length % 3)))
  .map((pairs) =>
    influences(
      pairs.map(([joint]) => joint),
      pairs.map(([, weight]) => weight / 997),
      3,
    ),
  );

describe('influences', () => {
  it('gatherInfluences: copies the run of each point to its vertices, and expands constant influences', () => {
    const points = influences([0, 1, 2, 3, 4, 5], [0.5, 0.5, 1, 0, 0.25, 0.75]);
    const vertices = gatherInfluences(points, Int32Array.of(2, 0, 2, 1));
    expect([...vertices.indices]).toEqual([4, 5, 0, 1, 4, 5, 2, 3]);
    expect([...vertices.weights]).toEqual([0.25, 0.75, 0.5, 0.5, 0.25, 0.75, 1, 0]);
    const constant = { ...influences([3, 7], [0.25, 0.75]), kind: 'constant' as const };
    expect(gatherInfluences(constant, Int32Array.of(9, 4))).toEqual(expandConstantInfluences(constant, 2));
  });

  it('normalizeInfluences: divides by the sum; a vertex without weights gets its first joint', () => {
    const { weights } = normalizeInfluences(influences([1, 2, 3, 4], [1, 3, 0, 0]));
    expect(weights).toEqual(Float32Array.of(0.25, 0.75, 1, 0));
  });

  it('normalizeInfluences: keeps the exact weights where their sum is 1 within the rounding of float32', () => {
    const near = influences([1, 2, 3, 4], [0.1, 0.9 - 2e-7, 0.1, 0.9 - 6e-7]);
    const { weights } = normalizeInfluences(near);
    expect(weights.subarray(0, 2)).toEqual(near.weights.subarray(0, 2));
    expect(weights[3]).not.toBe(near.weights[3]);
    expect(weights[2] + weights[3]).toBeCloseTo(1, 7);
  });

  it('mergeRepeatedJoints and normalizeInfluences: make any influences valid', () => {
    const property = fc.property(any, (sample) => {
      const repaired = normalizeInfluences(mergeRepeatedJoints(sample));
      expect(validateInfluences(repaired, sample.indices.length / 3, 10)).toEqual({ valid: true, reasons: [] });
    });
    fc.assert(property, { seed: 44, numRuns: lawRuns(300) });
  });

  it('sortInfluences: sorts by descending weight, then by descending joint, and keeps all influences', () => {
    expect(sortInfluences(influences([1, 5, 2, 3], [0.25, 0.25, 0.5, 0], 4))).toEqual(
      influences([2, 5, 1, 3], [0.5, 0.25, 0.25, 0], 4),
    );
    const property = fc.property(any, (sample) => {
      const { indices, weights } = sortInfluences(sample);
      for (let start = 0; start < indices.length; start += 3) {
        const pairs = (list: Influences): string[] =>
          [0, 1, 2].map((k) => `${list.indices[start + k]} ${list.weights[start + k]}`);
        expect(pairs({ ...sample, indices, weights }).sort()).toEqual(pairs(sample).sort());
        expect(weights[start] >= weights[start + 1] && weights[start + 1] >= weights[start + 2]).toBe(true);
      }
    });
    fc.assert(property, { seed: 45, numRuns: lawRuns(100) });
  });

  it('resizeInfluences: pads with weight 0, or truncates and normalizes', () => {
    const two = influences([1, 2, 3, 4], [0.75, 0.25, 1, 0]);
    expect(resizeInfluences(two, 3)).toEqual(influences([1, 2, 0, 3, 4, 0], [0.75, 0.25, 0, 1, 0, 0], 3));
    expect(resizeInfluences(two, 1)).toEqual(influences([1, 3], [1, 1], 1));
    expect(resizeInfluences(two, 2)).toBe(two);
    expect(resizeInfluences({ ...two, weights: Float64Array.of(0.1, 0.3, 1, 0) }, 1).weights).toEqual(
      Float64Array.of(1, 1),
    );
    expect(() => resizeInfluences(two, 0)).toThrow(RangeError);
    expect(() => resizeInfluences(two, 1.5)).toThrow(RangeError);
  });

  it('edits throw for incomplete runs and for different numbers of joints and weights', () => {
    for (const edit of [
      normalizeInfluences,
      sortInfluences,
      (incomplete: Influences) => resizeInfluences(incomplete, 4),
    ]) {
      expect(() => edit(influences([1, 2, 3], [1, 0, 1]))).toThrow('3 joint indices and 3 weights with 2 joints');
      expect(() => edit(influences([1, 2], [1, 0, 1, 0]))).toThrow(RangeError);
      expect(() => edit(influences([1], [1], 0))).toThrow(RangeError);
    }
  });

  it('mergeRepeatedJoints: adds up the weights of a repeated joint', () => {
    expect(mergeRepeatedJoints(influences([4, 4, 2, 4], [0.25, 0.25, 0.25, 0.25], 4))).toEqual(
      influences([4, 0, 2, 0], [0.75, 0, 0.25, 0], 4),
    );
    // A joint with weight 0 is not a repetition.
    expect(mergeRepeatedJoints(influences([4, 4], [1, 0]))).toEqual(influences([4, 4], [1, 0]));
  });

  it('expandConstantInfluences: repeats constant influences for every vertex', () => {
    const constant: Influences = { ...influences([3, 7], [0.25, 0.75]), kind: 'constant' };
    expect(expandConstantInfluences(constant, 2)).toEqual(influences([3, 7, 3, 7], [0.25, 0.75, 0.25, 0.75]));
    expect(expandConstantInfluences(constant, 0)).toEqual(influences([], []));
    const vertex = influences([3, 7], [1, 0]);
    expect(expandConstantInfluences(vertex, 1)).toBe(vertex);
  });
});

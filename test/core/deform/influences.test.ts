import { describe, expect, it } from 'vitest';
import {
  countInfluenceRuns,
  type Influences,
  joinInfluenceSets,
  jointIndices,
} from '../../../src/core/deform/influences.ts';
import { validateInfluences } from '../../support/reference/validate-influences.ts';

function influences(indices: number[], weights: number[], jointsPerVertex = 2): Influences {
  return { kind: 'vertex', jointsPerVertex, indices: Int32Array.from(indices), weights: Float32Array.from(weights) };
}

describe('jointIndices', () => {
  it('returns Uint16Array where all indices fit, and keeps indices that are out of range', () => {
    expect(jointIndices([0, 65_535])).toEqual(Uint16Array.of(0, 65_535));
    expect(jointIndices([0, 65_536])).toEqual(Int32Array.of(0, 65_536));
    expect(jointIndices([0, -1])).toEqual(Int32Array.of(0, -1));
  });
});

describe('joinInfluenceSets', () => {
  it('joins sets vertex by vertex, the first set first', () => {
    const sets = [
      { indices: [1, 2, 3, 4, 5, 6, 7, 8], weights: [0.1, 0.2, 0.3, 0.1, 1, 0, 0, 0] },
      { indices: Uint8Array.of(11, 12, 13, 14, 15, 16, 17, 18), weights: [0.3, 0, 0, 0, 0, 0, 0, 0] },
    ];
    const joined = joinInfluenceSets(sets);
    expect(joined.jointsPerVertex).toBe(8);
    expect(countInfluenceRuns(joined)).toBe(2);
    expect([...joined.indices]).toEqual([1, 2, 3, 4, 11, 12, 13, 14, 5, 6, 7, 8, 15, 16, 17, 18]);
    expect(joined.weights).toEqual(Float32Array.of(0.1, 0.2, 0.3, 0.1, 0.3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0));
    expect(joinInfluenceSets([{ indices: [3, 4], weights: [1, 1] }], 1)).toMatchObject({ jointsPerVertex: 1 });
  });

  it('throws for no sets, different sizes and incomplete vertices', () => {
    expect(() => joinInfluenceSets([])).toThrow(RangeError);
    const four = { indices: [0, 0, 0, 0], weights: [1, 0, 0, 0] };
    expect(() => joinInfluenceSets([four, { indices: [0, 0, 0, 0], weights: [1] }])).toThrow(
      'Set 1 has 4 joints and 1',
    );
    expect(() => joinInfluenceSets([{ indices: [0], weights: [1] }])).toThrow(RangeError);
  });
});

describe('validateInfluences', () => {
  it('accepts valid influences of both kinds', () => {
    expect(validateInfluences(influences([0, 1, 2, 0], [0.25, 0.75, 1, 0]), 2, 3)).toEqual({
      valid: true,
      reasons: [],
    });
    const constant: Influences = { ...influences([0, 1], [0.5, 0.5]), kind: 'constant' };
    expect(validateInfluences(constant, 100, 2).valid).toBe(true);
  });

  it.each([
    ['a joint out of range', [0, 3, 0, -1], [1, 0, 1, 0], ['2 joint indices are outside 0…2 (first: 3 at vertex 0)']],
    ['a negative weight', [0, 1, 0, 1], [1.5, -0.5, 1, 0], ['1 weights are negative (first: -0.5 at vertex 0)']],
    ['a weight of NaN', [0, 1, 0, 1], [1, 0, Number.NaN, 1], ['1 weights are not finite (first: NaN at vertex 1)']],
    [
      'a repeated joint',
      [0, 0, 1, 1],
      [0.5, 0.5, 1, 0],
      ['1 joints have two weights at one vertex; merge them (first: 0 at vertex 0)'],
    ],
    [
      'sums other than 1',
      [0, 1, 0, 1],
      [0.5, 0.25, 0, 0],
      ['2 vertices have weights that do not add up to 1; normalize them (first: 0.75 at vertex 0)'],
    ],
  ])('reports %s', (_, indices, weights, reasons) => {
    expect(validateInfluences(influences(indices, weights), 2, 3)).toEqual({ valid: false, reasons });
  });

  it('accepts sums within the limit of the glTF validator', () => {
    expect(validateInfluences(influences([0, 1], [0.5, 0.5 + 3e-7]), 1, 2).valid).toBe(true);
    expect(validateInfluences(influences([0, 1], [0.5, 0.5 + 6e-7]), 1, 2).valid).toBe(false);
  });

  it('reports wrong numbers of joints and weights', () => {
    expect(validateInfluences(influences([0, 1], [1, 0]), 2, 2).reasons[0]).toContain(
      '2 vertices with 2 joints per vertex need 4',
    );
    expect(validateInfluences({ ...influences([0, 1], [1, 0]), kind: 'constant' }, 9, 2).valid).toBe(true);
    expect(validateInfluences(influences([], [], 0), 0, 2).reasons[0]).toContain('0 joints per vertex');
  });
});

import { describe, expect, it } from 'vitest';
import type { Influences } from '../../../src/core/deform/influences.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';

const two: Influences = {
  kind: 'vertex',
  jointsPerVertex: 2,
  indices: Uint16Array.of(1, 0, 0, 1, 2, 9, 0, 1),
  weights: Float64Array.of(0.75, 0.25, 0.25, 0.75, 1, 0, 0.5, 0.5),
};

describe('planSkin', () => {
  it('sorts the influences of each vertex by joint, and drops those with weight 0', () => {
    expect(planSkin(two, 4, 3)).toEqual({
      vertexCount: 4,
      jointCount: 3,
      starts: Int32Array.of(0, 2, 4, 5, 7),
      joints: Int32Array.of(0, 1, 0, 1, 2, 0, 1),
      weights: Float64Array.of(0.25, 0.75, 0.25, 0.75, 1, 0.5, 0.5),
    });
  });

  it('gives every vertex the constant influences', () => {
    const plan = planSkin(
      { ...two, kind: 'constant', indices: Uint16Array.of(1, 0), weights: Float32Array.of(0.25, 0.75) },
      2,
      2,
    );
    expect([...plan.joints]).toEqual([0, 1, 0, 1]);
    expect([...plan.weights]).toEqual([0.75, 0.25, 0.75, 0.25]);
  });

  it('plans a mesh without vertices', () => {
    const none = { ...two, indices: new Uint16Array(0), weights: new Float32Array(0) };
    expect([...planSkin(none, 0, 3).starts]).toEqual([0]);
  });

  it('throws for a wrong number of influences, joints out of range and weights that are not finite', () => {
    expect(() => planSkin(two, 5, 3)).toThrow('expected 10 for 5 vertices');
    expect(() => planSkin(two, 4, 2)).toThrow('Vertex 2 is skinned to joint 2; expected one of 0…1.');
    expect(() => planSkin({ ...two, weights: two.weights.map(() => Number.NaN) }, 4, 3)).toThrow(RangeError);
    expect(() => planSkin({ ...two, weights: new Float32Array(3) }, 4, 3)).toThrow(RangeError);
  });
});

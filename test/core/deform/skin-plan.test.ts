import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Influences } from '../../../src/core/deform/influences.ts';
import { planSkin } from '../../../src/core/deform/skin-plan.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { packInfluences, skin } from './skins.ts';

const two: Influences = {
  kind: 'vertex',
  jointsPerVertex: 2,
  indices: Uint16Array.of(1, 0, 0, 1, 2, 9, 0, 1),
  weights: Float64Array.of(0.75, 0.25, 0.25, 0.75, 1, 0, 0.5, 0.5),
};

describe('planSkin', () => {
  it('bundles vertices with the same influences in any order, and drops joints with weight 0', () => {
    expect(planSkin(two, 4, 3)).toEqual({
      vertexCount: 4,
      jointCount: 3,
      starts: Int32Array.of(0, 2, 4, 6),
      joints: Int32Array.of(2, 2, 0, 1, 0, 1),
      weights: Float64Array.of(1, 0, 0.25, 0.75, 0.5, 0.5),
      heaviest: Int32Array.of(0, 3, 4),
      sameJointsEnds: Int32Array.of(1, 3, 3),
      vertexStarts: Int32Array.of(0, 1, 3, 4),
      vertices: Int32Array.of(2, 0, 1, 3),
      bundles: Int32Array.of(0, 1, 1, 2),
    });
  });

  it('returns one bundle for constant influences', () => {
    const plan = planSkin(
      { ...two, kind: 'constant', indices: Uint16Array.of(0, 1), weights: Float32Array.of(0.5, 0.5) },
      5,
      2,
    );
    expect([...plan.vertexStarts]).toEqual([0, 5]);
    expect([...plan.vertices]).toEqual([0, 1, 2, 3, 4]);
  });

  it('contains every vertex once, with its own influences', () => {
    const property = fc.property(skin('rigid'), ({ influences, joints }) => {
      const {
        starts,
        joints: planned,
        weights,
        vertexStarts,
        vertices,
      } = planSkin(packInfluences(influences), influences.length, joints.length);
      expect([...vertices].sort((a, b) => a - b)).toEqual(Array.from(influences.keys()));
      for (let bundle = 0; bundle + 1 < starts.length; bundle++) {
        expect([1, 3]).not.toContain(starts[bundle + 1] - starts[bundle]);
        for (const vertex of vertices.subarray(vertexStarts[bundle], vertexStarts[bundle + 1])) {
          const own = Array.from(planned.subarray(starts[bundle], starts[bundle + 1]), (joint, i) => [
            joint,
            weights[starts[bundle] + i],
          ]);
          const sorted = influences[vertex].map(([joint, weight]) => [joint, weight]).sort((a, b) => a[0] - b[0]);
          expect(own.filter(([, weight]) => weight !== 0)).toEqual(sorted);
        }
      }
    });
    fc.assert(property, { seed: 46, numRuns: lawRuns(200) });
  });

  it('plans a mesh without vertices', () => {
    const none = { ...two, indices: new Uint16Array(0), weights: new Float32Array(0) };
    expect([...planSkin(none, 0, 3).vertexStarts]).toEqual([0]);
  });

  it('throws for a wrong number of influences, joints out of range and weights that are not finite', () => {
    expect(() => planSkin(two, 5, 3)).toThrow('expected 10 for 5 vertices');
    expect(() => planSkin(two, 4, 2)).toThrow('Vertex 2 is skinned to joint 2; expected one of 0…1.');
    expect(() => planSkin({ ...two, weights: two.weights.map(() => Number.NaN) }, 4, 3)).toThrow(RangeError);
    expect(() => planSkin({ ...two, weights: new Float32Array(3) }, 4, 3)).toThrow(RangeError);
  });
});

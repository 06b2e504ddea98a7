import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Influences, jointIndices } from '../../../../src/core/deform/influences.ts';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { storeInfluences } from '../../../../src/formats/gltf/meshes/write-influences.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { WEIGHT_SUM } from '../../../support/tolerances.ts';

function influences(jointsPerVertex: number, indices: number[], weights: number[]): Influences {
  return { kind: 'vertex', jointsPerVertex, indices: jointIndices(indices), weights: Float32Array.from(weights) };
}

function store(given: Influences, vertexCount: number, jointCount: number) {
  const repairs: IssueTally = new Map();
  return { sets: storeInfluences(given, vertexCount, jointCount, repairs), repairs: [...repairs] };
}

/** Weight by joint of a vertex. */
function weightsOf(sets: ReturnType<typeof storeInfluences>, vertex: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const { joints, weights } of sets) {
    for (let i = 4 * vertex; i < 4 * vertex + 4; i++) if (weights[i] > 0) found.set(joints[i], weights[i]);
  }
  return found;
}

describe('storeInfluences', () => {
  it('keeps the order of up to four influences and pads with joint 0', () => {
    const { sets, repairs } = store(influences(2, [3, 5, 1, 0], [0.25, 0.75, 1, 0]), 2, 6);
    expect(sets).toHaveLength(1);
    expect(Array.from(sets[0].joints)).toEqual([3, 5, 0, 0, 1, 0, 0, 0]);
    expect(Array.from(sets[0].weights)).toEqual([0.25, 0.75, 0, 0, 1, 0, 0, 0]);
    expect(sets[0].joints).toBeInstanceOf(Uint8Array);
    expect(repairs).toEqual([]);
  });

  it('sorts more than four influences by weight, the strongest in the first set', () => {
    const given = influences(6, [1, 2, 3, 4, 5, 6], [0.0625, 0.25, 0.125, 0.3125, 0.0625, 0.1875]);
    const { sets } = store(given, 1, 7);
    expect(sets).toHaveLength(2);
    expect(Array.from(sets[0].joints)).toEqual([4, 2, 6, 3]);
    expect(Array.from(sets[1].joints)).toEqual([5, 1, 0, 0]);
  });

  it('writes one set where further influences have no weight', () => {
    const { sets } = store(influences(8, [9, 0, 0, 0, 0, 0, 0, 2], [0.5, 0, 0, 0, 0, 0, 0, 0.5]), 1, 10);
    expect(sets).toHaveLength(1);
    expect(weightsOf(sets, 0)).toEqual(
      new Map([
        [9, 0.5],
        [2, 0.5],
      ]),
    );
  });

  it('uses 16 bits for joints above 255', () => {
    const { sets } = store(influences(1, [256], [1]), 1, 300);
    expect(sets[0].joints).toBeInstanceOf(Uint16Array);
  });

  it('expands constant influences', () => {
    const { sets } = store({ ...influences(1, [2], [1]), kind: 'constant' }, 3, 4);
    expect(Array.from(sets[0].joints)).toEqual([2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
  });

  it('repairs and counts invalid influences', () => {
    const given = influences(
      3,
      [0, 7, 1, 2, 2, 1, 1, 0, 0, 1, 2, 0],
      [0.5, 0.5, 0, 0.25, 0.25, 0.5, -1, Number.NaN, 0, 2, 2, 0],
    );
    const { sets, repairs } = store(given, 4, 3);
    expect([0, 1, 2, 3].map((vertex) => weightsOf(sets, vertex))).toEqual([
      new Map([[0, 1]]),
      new Map([
        [2, 0.5],
        [1, 0.5],
      ]),
      new Map([[0, 1]]),
      new Map([
        [1, 0.5],
        [2, 0.5],
      ]),
    ]);
    expect(repairs.map(([, count]) => count)).toEqual([3, 1, 2]);
  });

  it('keeps every influence, with weights of sum 1 and without repeated joints', () => {
    const weight = fc.integer({ min: 0, max: 1000 });
    const vertex = fc.array(fc.tuple(fc.nat(19), weight), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(vertex, { minLength: 1, maxLength: 5 }), (vertices) => {
        const flat = vertices.flat();
        const given = influences(
          9,
          flat.map(([joint]) => joint),
          flat.map(([, w]) => w),
        );
        const { sets } = store(given, vertices.length, 20);
        vertices.forEach((list, v) => {
          const found = weightsOf(sets, v);
          const sum = list.reduce((all, [, w]) => all + w, 0);
          const total = [...found.values()].reduce((all, w) => all + w, 0);
          expect(Math.abs(total - 1)).toBeLessThanOrEqual(WEIGHT_SUM * Math.max(1, found.size));
          for (const [joint] of list) {
            const wanted = list.reduce((all, [other, w]) => (other === joint ? all + w : all), 0) / sum;
            if (sum > 0 && wanted > 0) expect(found.get(joint)).toBeCloseTo(wanted, 6);
          }
        });
        const firsts = sets.map(({ weights }) => weights[0]);
        expect([...firsts].sort((a, b) => b - a)).toEqual(firsts);
      }),
      { seed: 5, numRuns: lawRuns(100) },
    );
  });
});

import { describe, expect, test } from 'vitest';
import { collectBoundVertices } from '../../../src/core/asset/collect-bound-vertices.ts';
import { TINY_PART, tinyGeometry } from '../../support/make/tiny-geometry.ts';
import { expectNear } from '../../support/near.ts';

describe('collectBoundVertices', () => {
  test('puts vertices of a skin in the space of the joint that has the largest weight', () => {
    const influences = {
      kind: 'vertex',
      jointsPerVertex: 2,
      indices: Uint16Array.of(0, 1, 0, 1),
      weights: Float32Array.of(0.6, 0.4, 0.3, 0.7),
    } as const;
    const points = collectBoundVertices(
      tinyGeometry({ node: 2, mesh: 0, skin: 0, morphWeights: null }, { influences }),
      TINY_PART,
    );
    expect(Array.from(points!.nodes)).toEqual([0, 1]);
    expectNear(points!.positions, [0, 0, 0, 0, 0.5, 0], 1e-7);
  });

  test('marks the nodes that move a vertex, however little', () => {
    const weights = [Float32Array.of(0.6, 0.4, 1, 0), Float32Array.of(1, 0, 1, 0), Float32Array.of(0, 1, 0, 1)];
    const moves = weights.map((list) => {
      const influences = {
        kind: 'vertex',
        jointsPerVertex: 2,
        indices: Uint16Array.of(0, 1, 0, 1),
        weights: list,
      } as const;
      const instance = { node: 2, mesh: 0, skin: 0, morphWeights: null };
      return Array.from(collectBoundVertices(tinyGeometry(instance, { influences }), TINY_PART)!.moves).slice(0, 2);
    });
    expect(moves).toEqual([
      [1, 1],
      [1, 0],
      [0, 1],
    ]);
  });

  test('lets a rigid mesh move with the nearest node above it that is of the skeleton', () => {
    const points = collectBoundVertices(
      tinyGeometry({ node: 2, mesh: 0, skin: -1, morphWeights: null }, {}),
      TINY_PART,
    );
    expect(Array.from(points!.nodes)).toEqual([1, 1]);
    expectNear(points!.positions, [0, 1, 0, 0, 4, 0], 1e-7);
  });

  test('takes what is hidden only where nothing is shown', () => {
    const [shown, hidden] = [1, 2].map((node) => ({
      node,
      mesh: 0,
      skin: -1,
      morphWeights: null,
      isHidden: node === 2,
    }));
    const geometry = tinyGeometry(hidden, {});
    expect(Array.from(collectBoundVertices(geometry, TINY_PART)!.nodes)).toEqual([1, 1]);
    const both = { ...geometry, instances: [hidden, shown] };
    expectNear(collectBoundVertices(both, TINY_PART)!.positions, [0, 0, 0, 0, 1.5, 0], 1e-7);
    // The skin of a body that is switched off is still the body, not the sword in its hand.
    const skin = { node: 0, mesh: 0, skin: 0, morphWeights: null, isHidden: true };
    expect(collectBoundVertices({ ...geometry, instances: [skin, shown] }, TINY_PART)!.nodes).toHaveLength(4);
  });

  test('is null where nothing moves with the skeleton', () => {
    const elsewhere = { ...TINY_PART, sourceNodes: Int32Array.of(1, 2) };
    expect(
      collectBoundVertices(tinyGeometry({ node: 2, mesh: 0, skin: -1, morphWeights: null }, {}), elsewhere),
    ).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createNodeTree,
  isDescendant,
  isInSubtree,
  lowestCommonAncestor,
} from '../../../../src/core/humanoid/mapping/node-tree.ts';
import { commonAncestor, isAncestor } from '../../../../src/core/skeleton/topology.ts';
import { lawRuns } from '../../../support/law-runs.ts';

/** Any forest, parents first. */
const forest = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
  .map((picks) => Int32Array.from(picks, (pick, node) => Math.floor(pick * (node + 1)) - 1));

describe('createNodeTree', () => {
  it('agrees with walking up the parents', () => {
    fc.assert(
      fc.property(forest, (parents) => {
        const tree = createNodeTree(parents);
        for (let a = 0; a < parents.length; a++) {
          for (let b = 0; b < parents.length; b++) {
            expect(isDescendant(tree, b, a)).toBe(isAncestor(parents, a, b));
            expect(isInSubtree(tree, b, a)).toBe(a === b || isAncestor(parents, a, b));
            expect(lowestCommonAncestor(tree, [a, b])).toBe(commonAncestor(parents, a, b));
          }
        }
      }),
      { seed: 21, numRuns: lawRuns(60) },
    );
  });

  it('lowestCommonAncestor: accepts any number of nodes', () => {
    const tree = createNodeTree(Int32Array.from([-1, 0, 1, 1, 0]));
    expect(lowestCommonAncestor(tree, [2, 3])).toBe(1);
    expect(lowestCommonAncestor(tree, [2, 3, 4])).toBe(0);
    expect(lowestCommonAncestor(tree, [])).toBe(-1);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBelow, isWithin, lowestAbove, nodeTree } from '../../../../src/core/humanoid/mapping/node-tree.ts';
import { commonAncestor, isAncestor } from '../../../../src/core/skeleton/topology.ts';

/** Any forest, parents first. */
const forest = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
  .map((picks) => Int32Array.from(picks, (pick, node) => Math.floor(pick * (node + 1)) - 1));

describe('a node tree', () => {
  it('answers as climbing the parents does', () => {
    fc.assert(
      fc.property(forest, (parents) => {
        const tree = nodeTree(parents);
        for (let a = 0; a < parents.length; a++) {
          for (let b = 0; b < parents.length; b++) {
            expect(isBelow(tree, b, a)).toBe(isAncestor(parents, a, b));
            expect(isWithin(tree, b, a)).toBe(a === b || isAncestor(parents, a, b));
            expect(lowestAbove(tree, [a, b])).toBe(commonAncestor(parents, a, b));
          }
        }
      }),
      { seed: 21, numRuns: 60 },
    );
  });

  it('finds what is above many nodes, and nothing above none', () => {
    const tree = nodeTree(Int32Array.from([-1, 0, 1, 1, 0]));
    expect(lowestAbove(tree, [2, 3])).toBe(1);
    expect(lowestAbove(tree, [2, 3, 4])).toBe(0);
    expect(lowestAbove(tree, [])).toBe(-1);
  });
});

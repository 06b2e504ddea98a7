import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  childRanges,
  commonAncestor,
  depths,
  isAncestor,
  parentsAmong,
  parentsFromPaths,
  sortParentsFirst,
  validateTopology,
} from '../../../src/core/skeleton/topology.ts';
import { lawRuns } from '../../support/law-runs.ts';

const runs = { seed: 10, numRuns: lawRuns(300) };

/** Random forests with parents before children. */
const forest: fc.Arbitrary<number[]> = fc
  .array(fc.nat(), { minLength: 1, maxLength: 40 })
  .map((numbers) => numbers.map((n, node) => (n % (node + 1)) - 1));

/** Returns the ancestors of a node, nearest first. */
function above(parents: readonly number[], node: number): number[] {
  return parents[node] < 0 ? [] : [parents[node], ...above(parents, parents[node])];
}

describe('validateTopology', () => {
  it('accepts forests with parents before children', () => {
    expect(validateTopology([])).toEqual({ valid: true, reasons: [] });
    fc.assert(
      fc.property(forest, (parents) => validateTopology(Int32Array.from(parents)).valid),
      runs,
    );
  });

  it.each([
    [[0], /node 0 is its own parent/],
    [[-1, 2, 0], /node 1 comes before its parent 2/],
    [[-1, 7], /node 1 has parent 7; expected −1 or a node index from 0 to 1/],
    [[-2], /node 0 has parent -2/],
    [[-1, 0.5], /node 1 has parent 0.5/],
    [[Number.NaN], /node 0 has parent NaN/],
  ])('reports why %j is invalid', (parents, reason) => {
    const { valid, reasons } = validateTopology(parents);
    expect(valid).toBe(false);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(reason);
  });

  it('requires one name per node when names are passed', () => {
    expect(validateTopology([-1, 0], ['a', 'b']).valid).toBe(true);
    expect(validateTopology([-1, 0], ['a']).reasons).toEqual([
      'there are 1 names for 2 parents; expected one name and one parent per node',
    ]);
  });
});

describe('sortParentsFirst', () => {
  it('keeps a sorted hierarchy as it is', () => {
    const property = fc.property(forest, (parents) => {
      const sorted = sortParentsFirst(parents);
      expect([...sorted.parents]).toEqual(parents);
      expect([...sorted.order]).toEqual(parents.map((_, node) => node));
      expect(sorted.cyclic).toHaveLength(0);
    });
    fc.assert(property, runs);
  });

  it('sorts a forest in any order and preserves every edge', () => {
    const shuffled = forest.chain((parents) =>
      fc
        .shuffledSubarray(
          parents.map((_, node) => node),
          { minLength: parents.length },
        )
        .map((order) => order.map((node) => (parents[node] < 0 ? -1 : order.indexOf(parents[node])))),
    );
    const property = fc.property(shuffled, (parents) => {
      const { parents: sorted, order, cyclic } = sortParentsFirst(parents);
      expect(validateTopology(sorted).valid).toBe(true);
      expect(cyclic).toHaveLength(0);
      expect([...order].sort((a, b) => a - b)).toEqual(parents.map((_, node) => node));
      sorted.forEach((parent, node) => {
        expect(parent < 0 ? -1 : order[parent]).toBe(parents[order[node]]);
      });
    });
    fc.assert(property, runs);
  });

  it('leaves out nodes on and below cycles, and returns them', () => {
    // 1 → 2 → 3 → 1 is a cycle; 0 is below it, 5 is below 4.
    const sorted = sortParentsFirst([3, 3, 1, 2, -1, 4, 0]);
    expect([...sorted.cyclic]).toEqual([0, 1, 2, 3, 6]);
    expect([...sorted.order]).toEqual([4, 5]);
    expect([...sorted.parents]).toEqual([-1, 0]);
    expect([...sortParentsFirst([0]).cyclic]).toEqual([0]);
  });

  it('throws for parents that are not node indices', () => {
    expect(() => sortParentsFirst([-1, 5])).toThrow(RangeError);
    expect(() => sortParentsFirst([-3])).toThrow('Node 0 has parent -3');
  });

  it('accepts a chain of 100,000 nodes, reversed or as a ring', () => {
    const count = 100_000;
    const upsideDown = Int32Array.from({ length: count }, (_, node) => (node + 1 < count ? node + 1 : -1));
    expect(sortParentsFirst(upsideDown).order[0]).toBe(count - 1);
    const ring = Int32Array.from({ length: count }, (_, node) => (node + 1) % count);
    expect(sortParentsFirst(ring).cyclic).toHaveLength(count);
  });
});

describe('parentsFromPaths', () => {
  it('returns the nearest ancestor in the list', () => {
    expect([...parentsFromPaths(['A', 'A/B', 'C', 'C/D/E'])]).toEqual([-1, 0, -1, 2]);
    expect([...parentsFromPaths(['A/B/C/D/E', 'A', 'A/B/C'])]).toEqual([2, -1, 1]);
  });

  it('distinguishes longer names from children, and relative from absolute paths', () => {
    expect([...parentsFromPaths(['Arm', 'Arm_1', 'Arm1/B', 'Arm/B', '/Arm/B', '/Arm'])]).toEqual([
      -1, -1, -1, 0, 5, -1,
    ]);
  });

  it('returns invalid prim paths as roots', () => {
    expect([...parentsFromPaths(['', '/', '..', 'A', 'A.p', 'A//B', 'A/', 'A/1', '../A', 'A-b'])]).toEqual(
      Array(10).fill(-1),
    );
  });

  it('accepts names beyond ASCII', () => {
    expect([...parentsFromPaths(['骨', '骨/首'])]).toEqual([-1, 0]);
  });

  it('uses the last of equal paths as the parent', () => {
    expect([...parentsFromPaths(['A', 'A', 'A/B', 'A'])]).toEqual([-1, -1, 3, -1]);
  });

  it('matches a search over all ancestors of every path', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'B'), { minLength: 1, maxLength: 5 });
    const list = fc.array(
      path.map((names) => names.join('/')),
      { maxLength: 30 },
    );
    const property = fc.property(list, (paths) => {
      const expected = paths.map((text) => {
        for (let end = text.lastIndexOf('/'); end > 0; end = text.lastIndexOf('/', end - 1)) {
          const found = paths.lastIndexOf(text.slice(0, end));
          if (found >= 0) return found;
        }
        return -1;
      });
      expect([...parentsFromPaths(paths)]).toEqual(expected);
    });
    fc.assert(property, runs);
  });

  it('accepts a path of a million names', () => {
    expect([...parentsFromPaths([`${'a/'.repeat(1_000_000)}b`, 'a'])]).toEqual([1, -1]);
  });
});

describe('isAncestor, commonAncestor, childRanges and depths', () => {
  it('match walks up the tree', () => {
    const property = fc.property(forest, fc.nat(), fc.nat(), (parents, n, m) => {
      const [a, b] = [n % parents.length, m % parents.length];
      const [aboveA, aboveB] = [above(parents, a), above(parents, b)];
      expect(isAncestor(parents, a, b)).toBe(aboveB.includes(a));
      expect(commonAncestor(parents, a, b)).toBe([a, ...aboveA].find((node) => [b, ...aboveB].includes(node)) ?? -1);
      expect(depths(parents)[a]).toBe(aboveA.length);
      const { starts, children } = childRanges(parents);
      const expected = parents.flatMap((parent, node) => (parent === a ? [node] : []));
      expect([...children.subarray(starts[a], starts[a + 1])]).toEqual(expected);
      expect(children).toHaveLength(parents.filter((parent) => parent >= 0).length);
    });
    fc.assert(property, runs);
  });

  it('return −1 for nodes of different trees; a node is not its own ancestor', () => {
    expect(commonAncestor([-1, 0, -1, 2], 1, 3)).toBe(-1);
    expect(commonAncestor([-1, 0, 0], 1, 1)).toBe(1);
    expect(isAncestor([-1, 0], 1, 1)).toBe(false);
    expect(isAncestor([-1, 0], -1, 1)).toBe(false);
  });
});

it('parentsAmong: returns the nearest ancestor within a subset in any order', () => {
  expect([...parentsAmong([-1, 0, 1, 2, -1], [3, 1, 4])]).toEqual([1, -1, -1]);
  const property = fc.property(forest, fc.infiniteStream(fc.boolean()), (parents, picks) => {
    const nodes = [...parents.keys()].filter(() => picks.next().value).reverse();
    const expected = nodes.map((node) => nodes.indexOf(above(parents, node).find((a) => nodes.includes(a)) ?? -1));
    expect([...parentsAmong(parents, nodes)]).toEqual(expected);
  });
  fc.assert(property, runs);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { FormatError } from '../../../../src/core/report/format-error.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { readNodes } from '../../../../src/formats/gltf/read/read-nodes.ts';
import { lawRuns } from '../../../support/law-runs.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { EXACT } from '../../../support/tolerances.ts';
import { codesOf } from '../small-file.ts';

function read(nodes: unknown, issues: Issue[] = []) {
  return readNodes(documentOf({ nodes }), issues);
}

function errorOf(nodes: unknown): FormatError {
  try {
    read(nodes);
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('readNodes', () => {
  it('sorts nodes depth first, with roots and children in the order of the file', () => {
    const forest = read([{ name: 'b', children: [4, 3] }, { name: 'c' }, { name: 'a', children: [0] }, {}, {}]);
    expect(Array.from(forest.sourceNodes)).toEqual([1, 2, 0, 4, 3]);
    expect(Array.from(forest.nodesBySource)).toEqual([2, 0, 1, 4, 3]);
    expect(Array.from(forest.parents)).toEqual([-1, -1, 1, 2, 2]);
    expect(Array.from(forest.ends)).toEqual([1, 5, 5, 4, 5]);
    expect(forest.names).toEqual(['c', 'a', 'b', '', '']);
  });

  it('returns an empty forest for a file without nodes', () => {
    expect(readNodes(documentOf({}), []).parents).toHaveLength(0);
  });

  it('fills in missing transform properties', () => {
    expect(Array.from(read([{}]).rest)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(Array.from(read([{ translation: [1, 2, 3], scale: [4, 5, 6] }]).rest)).toEqual([
      1, 2, 3, 0, 0, 0, 1, 4, 5, 6,
    ]);
  });

  it('decomposes matrices', () => {
    const trs = [1, 2, 3, 0.5, -0.5, 0.5, 0.5, 2, 3, 4];
    const matrix = new Float64Array(16);
    mat4.compose(matrix, 0, trs, 0);
    const issues: Issue[] = [];
    const { rest } = read([{ matrix: Array.from(matrix) }], issues);
    trs.forEach((value, c) => {
      expect(rest[c]).toBeCloseTo(value, 12);
    });
    expect(issues).toEqual([]);
  });

  it('reports a matrix with shear and a matrix that is not affine', () => {
    const issues: Issue[] = [];
    read(
      [
        { matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
        { matrix: [1, 0, 0, 0.1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
      ],
      issues,
    );
    expect(codesOf(issues)).toEqual(['NODE_TRANSFORM_REPAIRED']);
    expect(issues[0].message).toContain('2 nodes');
  });

  it('normalizes rotations and reports those far from unit length', () => {
    const issues: Issue[] = [];
    const { rest } = read(
      [{ rotation: [0, 0, 3, 4] }, { rotation: [0, 0, 0, 1.0001] }, { rotation: [0, 0, 0, 0] }],
      issues,
    );
    expect(rest[5]).toBeCloseTo(0.6, 15);
    expect(rest[6]).toBeCloseTo(0.8, 15);
    expect(rest[16]).toBe(1);
    expect(Array.from(rest.subarray(23, 27))).toEqual([0, 0, 0, 1]);
    expect(issues.map(({ where }) => where.pointer)).toEqual(['/nodes/0']);
  });

  it.each([
    ['a node that is its own child', [{ children: [0] }]],
    ['a cycle', [{ children: [1] }, { children: [2] }, { children: [0] }]],
    ['a cycle beside a tree', [{}, { children: [2] }, { children: [1] }]],
    ['two parents', [{ children: [2] }, { children: [2] }, {}]],
    ['a repeated child', [{ children: [1, 1] }, {}]],
  ])('throws for %s', (_, nodes) => {
    expect(errorOf(nodes).code).toBe('GLTF_NODE_TREE');
  });

  it.each([
    ['a child that does not exist', [{ children: [1] }], 'GLTF_REFERENCE'],
    ['a negative child', [{ children: [-1] }], 'GLTF_SCHEMA'],
    ['a node that is null', [null], 'GLTF_SCHEMA'],
    ['a name that is a number', [{ name: 1 }], 'GLTF_SCHEMA'],
    ['a matrix of one number', [{ matrix: [1] }], 'GLTF_SCHEMA'],
    ['a translation with text', [{ translation: ['0', 0, 0] }], 'GLTF_SCHEMA'],
    ['a number past float32', [{ scale: [1, 1e300, 1] }], 'GLTF_SCHEMA'],
    ['children that are an object', [{ children: {} }], 'GLTF_SCHEMA'],
  ])('throws for %s with its JSON pointer', (_, nodes, code) => {
    const error = errorOf(nodes);
    expect(error.code).toBe(code);
    expect(error.where.pointer).toMatch(/^\/nodes\/0/);
  });

  it('reads a chain of 100,000 nodes', () => {
    const count = 100_000;
    const forest = read(Array.from({ length: count }, (_, i) => (i + 1 < count ? { children: [i + 1] } : {})));
    expect(forest.parents[count - 1]).toBe(count - 2);
    expect(forest.ends[0]).toBe(count);
    expect(errorOf(Array.from({ length: count }, (_, i) => ({ children: [(i + 1) % count] }))).code).toBe(
      'GLTF_NODE_TREE',
    );
  });

  it('keeps the local matrix of every node, in matrix or TRS form', () => {
    const part = fc.double({ min: -4, max: 4, noNaN: true });
    const size = fc.double({ min: 0.1, max: 4, noNaN: true });
    const node = fc.record({
      t: fc.tuple(part, part, part),
      q: fc.tuple(part, part, part, part).filter((q) => Math.hypot(...q) > 0.1),
      s: fc.tuple(size, size, size),
    });
    fc.assert(
      fc.property(node, ({ t, q, s }) => {
        const unit = q.map((c) => c / Math.hypot(...q));
        const expected = new Float64Array(16);
        mat4.compose(expected, 0, [...t, ...unit, ...s], 0);
        const { rest } = read([{ matrix: Array.from(expected) }, { translation: t, rotation: unit, scale: s }]);
        const found = new Float64Array(32);
        mat4.compose(found, 0, rest, 0);
        mat4.compose(found, 16, rest, 10);
        for (let c = 0; c < 32; c++) expect(Math.abs(found[c] - expected[c % 16])).toBeLessThan(EXACT);
      }),
      { seed: 11, numRuns: lawRuns(200) },
    );
  });
});

import { describe, expect, test } from 'vitest';
import {
  addPathToTree,
  createPathTree,
  flattenPathTree,
  pathCount,
} from '../../../../src/formats/usd/crate/path-tree.ts';

/** Flattens a tree of paths, with the elements as texts. */
function columnsOf(paths: readonly string[]): { indexes: number[]; elements: string[]; jumps: number[] } {
  const tree = createPathTree();
  for (const path of paths) addPathToTree(tree, path);
  const tokens: string[] = [''];
  const { indexes, elements, jumps } = flattenPathTree(tree, (token) => (token === '' ? 0 : tokens.push(token) - 1));
  const names = [...elements].map((element) => (element < 0 ? '.' : '') + tokens[Math.abs(element)]);
  return { indexes: [...indexes], elements: names, jumps: [...jumps] };
}

describe('path tree', () => {
  test('flattenPathTree: marks leaves, children and siblings by jumps', () => {
    expect(columnsOf(['/A/B', '/A.x', '/C', '/C/D/E'])).toEqual({
      indexes: [0, 1, 2, 3, 4, 5, 6],
      elements: ['', 'A', 'B', '.x', 'C', 'D', 'E'],
      jumps: [-1, 3, 0, -2, -1, -1, -2],
    });
  });

  test('addPathToTree: splits variants, targets and their attributes', () => {
    expect(columnsOf(['/A{look=red}B.x']).elements).toEqual(['', 'A', '{look=red}', 'B', '.x']);
    expect(columnsOf(['/A{look=}', '/A{look=a.b|c}{shade=x}']).elements).toEqual([
      '',
      'A',
      '{look=}',
      '{look=a.b|c}',
      '{shade=x}',
    ]);
    const relation = columnsOf(['/A.skel:rel[/B/C.x[/D]].weight']);
    expect(relation.elements).toEqual(['', 'A', '.skel:rel', '[/B/C.x[/D]]', '.weight']);
    expect(columnsOf(['/A.x.mapper[/B.y]']).elements).toEqual(['', 'A', '.x', '.mapper[/B.y]']);
  });

  test('addPathToTree: gives the empty path an index but no node', () => {
    const tree = createPathTree();
    expect([
      addPathToTree(tree, '/A'),
      addPathToTree(tree, ''),
      addPathToTree(tree, '/B'),
      addPathToTree(tree, ''),
    ]).toEqual([1, 2, 3, 2]);
    expect(pathCount(tree)).toBe(4);
    expect(flattenPathTree(tree, () => 0).indexes).toEqual(Int32Array.of(0, 1, 3));
  });

  test('addPathToTree: throws for relative paths', () => {
    for (const path of ['A', '../A', '.x', 'A/B.x']) {
      expect(() => addPathToTree(createPathTree(), path)).toThrow(RangeError);
    }
  });

  test('flattenPathTree: handles deep trees without recursion', () => {
    const tree = createPathTree();
    addPathToTree(tree, '/A'.repeat(20_000));
    expect(flattenPathTree(tree, () => 1).jumps.subarray(-3)).toEqual(Int32Array.of(-1, -1, -2));
  });
});

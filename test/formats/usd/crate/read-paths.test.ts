import { describe, expect, test } from 'vitest';
import { createByteReader } from '../../../../src/formats/usd/crate/byte-reader.ts';
import { createMemoryBudget } from '../../../../src/formats/usd/crate/crate-limits.ts';
import { compressInts } from '../../../../src/formats/usd/crate/integer-coding.ts';
import {
  addPathToTree,
  createPathTree,
  flattenPathTree,
  pathCount,
} from '../../../../src/formats/usd/crate/path-tree.ts';
import { readPaths } from '../../../../src/formats/usd/crate/read-paths.ts';

const TOKENS = ['', 'A', 'B', 'x', '{look=red}', '[/B/C]', '.weight', 'C'];

function read(minor: number, patch: number, bytes: readonly number[], tokens: readonly string[] = TOKENS): string[] {
  const source = createByteReader(Uint8Array.from(bytes));
  const reading = { source, sections: new Map([['PATHS', 0]]), minor, budget: createMemoryBudget(1000) };
  return readPaths(reading, { major: 0, minor, patch }, tokens);
}

const int64 = (value: number): number[] => [...new Uint8Array(BigInt64Array.of(BigInt(value)).buffer)];
const int32 = (value: number): number[] => [...new Uint8Array(Int32Array.of(value).buffer)];

/** The section of compressed paths. */
function columns(total: number, indexes: number[], elements: number[], jumps: number[]): number[] {
  const coded = [indexes, elements, jumps].flatMap((column) => {
    const bytes = compressInts(Int32Array.from(column));
    return [...int64(bytes.length), ...bytes];
  });
  return [...int64(total), ...int64(indexes.length), ...coded];
}

/** A path of files before 0.4: index, token, bits, and what is next to it. */
const node = (index: number, token: number, bits: number, sibling?: number): number[] => [
  ...int32(index),
  ...int32(token),
  bits,
  0,
  0,
  0,
  ...(sibling === undefined ? [] : int64(sibling)),
];
const CHILD = 1;
const SIBLING = 2;
const PROPERTY = 4;

describe('readPaths', () => {
  test('reads trees with children, siblings and both', () => {
    const section = columns(5, [0, 1, 2, 3, 4], [0, 1, 2, -3, 7], [-1, 3, 0, -2, -2]);
    expect(read(8, 0, section)).toEqual(['/', '/A', '/A/B', '/A.x', '/C']);
  });

  test.each([
    ['property', -2],
    ['prim', 2],
  ])('throws for a %s below a property', (_, element) => {
    const section = columns(4, [0, 1, 2, 3], [0, 1, -3, element], [-1, -1, -1, -2]);
    expect(() => read(8, 0, section)).toThrow('Found "B" below the property /A.x, expected only targets there');
  });

  test('joins variants, targets and target attributes', () => {
    const section = columns(7, [0, 1, 2, 3, 4, 5, 6], [0, 1, 4, 2, -3, 5, 6], [-1, -1, -1, -1, -1, -1, -2]);
    expect(read(8, 0, section).slice(2)).toEqual([
      '/A{look=red}',
      '/A{look=red}B',
      '/A{look=red}B.x',
      '/A{look=red}B.x[/B/C]',
      '/A{look=red}B.x[/B/C].weight',
    ]);
  });

  test('returns empty strings for the empty path and paths outside the tree', () => {
    expect(read(8, 0, columns(4, [0, 2], [0, 1], [-1, -2]))).toEqual(['/', '', '/A', '']);
    expect(read(8, 0, columns(1, [], [], []))).toEqual(['']);
  });

  test('reads the nodes of versions before 0.4, with sibling offsets', () => {
    const start = 8 + 12 + 20 + 12;
    const bytes = [
      ...int64(4),
      ...node(0, 0, CHILD),
      ...node(1, 1, CHILD + SIBLING, start),
      ...node(2, 3, PROPERTY),
      ...node(3, 7, 0),
    ];
    expect(read(1, 0, bytes)).toEqual(['/', '/A', '/A.x', '/C']);
    expect(read(2, 0, bytes)).toEqual(['/', '/A', '/A.x', '/C']);
  });

  test('skips four bytes before each node of version 0.0.1', () => {
    const bytes = [
      ...int64(3),
      ...int32(9),
      ...node(0, 0, CHILD),
      ...int32(9),
      ...node(2, 1, SIBLING),
      ...int32(9),
      ...node(1, 2, 0),
    ];
    expect(read(0, 1, bytes)).toEqual(['/', '/B', '/A']);
  });

  test('throws for cycles, nodes outside the table, and missing tokens and paths', () => {
    const circle = [...int64(3), ...node(0, 0, CHILD), ...node(1, 1, CHILD + SIBLING, 8), ...node(2, 3, 0)];
    expect(() => read(1, 0, circle)).toThrow(/cycle/);
    expect(() => read(1, 0, [...int64(3), ...node(0, 0, CHILD + SIBLING, 2 ** 40), ...node(1, 1, 0)])).toThrow(
      /offset 1099511627776, which is outside/,
    );
    expect(() => read(8, 0, columns(3, [0, 1], [0, 1], [-1, -1]))).toThrow(/outside its table/);
    expect(() => read(8, 0, columns(3, [0, 1], [0, 1], [-1, 1]))).toThrow(/outside its table|cycle/);
    expect(() => read(8, 0, columns(2, [0, 1], [0, 99], [-1, -2]))).toThrow(/token 99, but the file has 8/);
    expect(() => read(8, 0, columns(2, [0, 9], [0, 1], [-1, -2]))).toThrow(/contains path 9, but the file has 2/);
    expect(() => read(8, 0, columns(1, [0, 1], [0, 1], [-1, -2]))).toThrow(/has 2 paths, more than the total of 1/);
  });

  test('throws for paths that are too deep or need far more memory than the file size', () => {
    const deep = (count: number): number[] => {
      const all = Array.from({ length: count }, (_, i) => i);
      return columns(count, all, Array(count).fill(1), [...Array(count - 1).fill(-1), -2]);
    };
    expect(read(8, 0, deep(2000))).toHaveLength(2000);
    expect(() => read(8, 0, deep(5000))).toThrow(/more than 4096 levels deep/);
    const long = [...TOKENS.slice(0, 1), 'long'.repeat(10_000)];
    expect(() => read(8, 0, deep(2000), long)).toThrow(/far more/);
  });

  test('inverts flattenPathTree', () => {
    const paths = ['/A/B.x', '/A{look=red}C', '', '/A.x[/B/C].weight', '/C', '/A/B/C'];
    const tree = createPathTree();
    const indexes = paths.map((path) => addPathToTree(tree, path));
    const tokens: string[] = ['not a property'];
    const laid = flattenPathTree(tree, (token) => tokens.push(token) - 1);
    const section = columns(pathCount(tree), [...laid.indexes], [...laid.elements], [...laid.jumps]);
    const out = read(8, 0, section, tokens);
    expect(indexes.map((index) => out[index])).toEqual(paths);
  });
});

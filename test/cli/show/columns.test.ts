import { expect, it } from 'vitest';
import { columns } from '../../../src/cli/show/columns.ts';

it('columns: aligns cells, numbers to the right, without trailing spaces', () => {
  const rows = [
    ['bone', 'node', 'name'],
    ['hips', '1', 'Hips'],
    ['leftHand', '120', ''],
  ];
  expect(columns(rows, [1])).toEqual(['bone      node  name', 'hips         1  Hips', 'leftHand   120']);
});

it('columns: accepts rows of different lengths, and no rows', () => {
  expect(columns([['a', 'b'], ['long'], ['x', 'y', 'z']])).toEqual(['a     b', 'long', 'x     y  z']);
  expect(columns([])).toEqual([]);
});

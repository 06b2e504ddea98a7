import { expect, it } from 'vitest';
import { columns } from '../../../src/cli/show/columns.ts';

it('aligns cells, numbers to the right, and leaves no blanks at the end', () => {
  const rows = [
    ['bone', 'node', 'name'],
    ['hips', '1', 'Hips'],
    ['leftHand', '120', ''],
  ];
  expect(columns(rows, [1])).toEqual(['bone      node  name', 'hips         1  Hips', 'leftHand   120']);
});

it('takes rows of different lengths, and none', () => {
  expect(columns([['a', 'b'], ['long'], ['x', 'y', 'z']])).toEqual(['a     b', 'long', 'x     y  z']);
  expect(columns([])).toEqual([]);
});

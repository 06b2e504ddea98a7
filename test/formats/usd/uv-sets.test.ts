import { expect, it } from 'vitest';
import { uvSetName, uvSetOrder } from '../../../src/formats/usd/uv-sets.ts';

it('uvSetOrder: puts st first, then sorts unique names', () => {
  expect(uvSetOrder(['st2', 'UVMap', 'st1', 'st', 'st1'])).toEqual(['st', 'UVMap', 'st1', 'st2']);
  expect(uvSetOrder(['map1', 'UVMap'])).toEqual(['UVMap', 'map1']);
  expect(uvSetOrder([])).toEqual([]);
});

it('uvSetOrder: keeps the numbers of written names', () => {
  const names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(uvSetName);
  expect(uvSetOrder([...names].reverse())).toEqual(names);
});

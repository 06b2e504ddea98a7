import { expect, it } from 'vitest';
import { gatherCornerValues } from '../../../src/core/asset/corner-values.ts';

it('gatherCornerValues: gathers values by corner, 0 for a corner without a value', () => {
  const layer = { width: 2, values: Float32Array.of(1, 2, 3, 4), indices: Int32Array.of(1, -1, 0) };
  expect([...gatherCornerValues(layer, Int32Array.of(0, 1, 2))]).toEqual([3, 4, 0, 0, 1, 2]);
  expect([...gatherCornerValues(layer, [2, 2, 0])]).toEqual([1, 2, 1, 2, 3, 4]);
});

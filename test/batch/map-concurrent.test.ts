import { expect, it } from 'vitest';
import { mapConcurrent } from '../../src/batch/map-concurrent.ts';

it('mapConcurrent: keeps the order of the items, and runs at most so many calls at the same time', async () => {
  let [running, most] = [0, 0];
  const results = await mapConcurrent([5, 1, 4, 2, 3], 2, async (ticks) => {
    most = Math.max(most, ++running);
    for (let k = 0; k < ticks; k++) await Promise.resolve();
    running--;
    return 10 * ticks;
  });
  expect([results, most]).toEqual([[50, 10, 40, 20, 30], 2]);
  expect(await mapConcurrent([], 4, async () => 1)).toEqual([]);
});

it('mapConcurrent: starts no further call after one has failed', async () => {
  const started: number[] = [];
  const run = mapConcurrent([1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item);
    if (item === 2) throw new RangeError('two');
  });
  await expect(run).rejects.toThrow('two');
  expect(started.length).toBeLessThan(5);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { shardTasks } from '../../../src/batch/plan/shard-tasks.ts';
import { lawRuns } from '../../support/law-runs.ts';

const sizes = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 40 });

it('shardTasks: gives every task to exactly one shard, whatever the order of the tasks', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 9 }), (bytes, count) => {
      const motions = bytes.map((_, k) => `m${k}.bvh`);
      const { tasks } = planBatch({ motions, characters: ['a.glb', 'b.glb'] });
      const byPath = new Map(motions.map((path, k) => [path, bytes[k]]));
      const idsOf = (all: typeof tasks, index: number): string[] =>
        shardTasks(all, byPath, index, count).map(({ id }) => id);
      const shards = Array.from({ length: count }, (_, k) => idsOf(tasks, k + 1));
      expect(shards.flat().sort()).toEqual(tasks.map(({ id }) => id).sort());
      expect(idsOf([...tasks].reverse(), 1).sort()).toEqual([...shards[0]].sort());
    }),
    { numRuns: lawRuns(50) },
  );
});

it('shardTasks: balances bytes, up to the size of one task', () => {
  const motions = Array.from({ length: 60 }, (_, k) => `m${k}.bvh`);
  const byPath = new Map(motions.map((path, k) => [path, 10_000 * (k + 1) ** 2]));
  const { tasks } = planBatch({ motions, characters: ['a.glb'] });
  const loads = Array.from({ length: 4 }, (_, k) =>
    shardTasks(tasks, byPath, k + 1, 4).reduce((sum, task) => sum + (byPath.get(task.motions[0]) ?? 0), 0),
  );
  expect(Math.max(...loads) / Math.min(...loads)).toBeLessThan(1.05);
});

it('shardTasks: refuses a shard outside of 1…N', () => {
  for (const [index, count] of [
    [0, 3],
    [4, 3],
    [1.5, 3],
    [1, 0],
  ])
    expect(() => shardTasks([], new Map(), index, count)).toThrow(/The shard is .*expected whole numbers I\/N/);
});

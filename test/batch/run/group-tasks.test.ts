import { describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { groupTasks } from '../../../src/batch/run/group-tasks.ts';

const motions = ['a.bvh', 'b.bvh', 'c.bvh', 'd.bvh'];
const characters = ['x.glb', 'y.glb'];
const { tasks } = planBatch({ motions, characters });
const MEGABYTE = 1e6;

function grouped(sizes: Record<string, number>, workers: number, wanted = tasks): string[][] {
  const groups = groupTasks(wanted, (task) => task, new Map(Object.entries(sizes)), workers);
  return groups.map((group) => group.map(({ id }) => id));
}

describe('groupTasks', () => {
  const many = planBatch({ motions: Array.from({ length: 40 }, (_, k) => `m${k}.bvh`), characters }).tasks;

  it('groups the tasks of a motion where all characters can be kept', () => {
    expect(grouped({}, 1, many).slice(0, 2)).toEqual([
      ['x/m0', 'y/m0'],
      ['x/m1', 'y/m1'],
    ]);
  });

  it('groups the tasks of a character and of a block of motions where not all characters can be kept', () => {
    const large = { 'x.glb': 60 * MEGABYTE, 'y.glb': 60 * MEGABYTE };
    const sizes = { ...large, ...Object.fromEntries(many.map(({ motions: [name] }) => [name, MEGABYTE / 2])) };
    expect(grouped(sizes, 1, many).slice(0, 3)).toEqual([
      ['x/m0', 'x/m1', 'x/m2', 'x/m3'],
      ['y/m0', 'y/m1', 'y/m2', 'y/m3'],
      ['x/m4', 'x/m5', 'x/m6', 'x/m7'],
    ]);
  });

  it('has every task once, and groups small enough that all workers end at about the same time', () => {
    for (const workers of [1, 2, 100]) {
      const groups = grouped({}, workers);
      expect(groups.flat().sort()).toEqual(tasks.map(({ id }) => id).sort());
      expect(groups.every(({ length }) => length === 1)).toBe(true);
    }
    const { tasks: packs } = planBatch({ motions, characters, mode: 'pack' });
    expect(grouped({}, 2, packs).flat()).toEqual(['x', 'y']);
  });
});

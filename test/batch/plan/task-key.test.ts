import { expect, it } from 'vitest';
import { planBatch } from '../../../src/batch/plan/plan-batch.ts';
import { taskKey } from '../../../src/batch/plan/task-key.ts';

it('taskKey: changes with the bytes, the options, the format, the file name and the version, and with nothing else', () => {
  const keyOf = (change: { motion?: string; fps?: number; format?: 'bvh'; hash?: string; version?: string } = {}) => {
    const { motion = 'a/walk.fbx', hash = '1', version = '1.0.0', fps = 30, format } = change;
    const options = { channels: { twist: true, distribute: false }, fps };
    const [task] = planBatch({ motions: [motion], characters: ['c.glb'], options, ...(format && { format }) }).tasks;
    return taskKey(
      task,
      new Map([
        [motion, hash],
        ['c.glb', '2'],
      ]),
      version,
    );
  };
  const same = keyOf();
  expect(keyOf({ motion: 'b/walk.fbx' })).toBe(same);
  const others = [
    { fps: 60 },
    { format: 'bvh' },
    { motion: 'a/run.fbx' },
    { hash: '3' },
    { version: '1.0.1' },
  ] as const;
  const keys = [same, ...others.map(keyOf)];
  expect(new Set(keys).size).toBe(keys.length);
});

it('taskKey: does not depend on the order of options', () => {
  const keyOf = (options: object): string | null => {
    const [task] = planBatch({ motions: ['m.bvh'], characters: ['c.glb'], options }).tasks;
    return taskKey(
      task,
      new Map([
        ['m.bvh', '1'],
        ['c.glb', '2'],
      ]),
      '1',
    );
  };
  expect(keyOf({ fps: 30, face: false })).toBe(keyOf({ face: false, fps: 30 }));
});

it('taskKey: is null when an input cannot be read, but for one of the motions of a pack', () => {
  const hashes = new Map([
    ['m.bvh', null],
    ['c.glb', '2'],
  ]);
  const [pair] = planBatch({ motions: ['m.bvh'], characters: ['c.glb'] }).tasks;
  const [pack] = planBatch({ motions: ['m.bvh'], characters: ['c.glb'], mode: 'pack' }).tasks;
  expect(taskKey(pair, hashes, '1')).toBeNull();
  expect(taskKey(pack, hashes, '1')).toMatch(/^[0-9a-f]{64}$/);
});

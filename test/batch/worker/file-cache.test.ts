import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createFileCache } from '../../../src/batch/worker/file-cache.ts';
import { temporaryFolder, writeDemo } from '../../support/make/demo-files.ts';

const at = temporaryFolder();

it('createFileCache: keeps open files, reads a changed one again, and releases the least recently used', async () => {
  const [turn, wave, giant] = ['turn.bvh', 'wave.vrma', 'giant.glb'].map((name) => writeDemo(at, name));
  const released: string[] = [];
  const cache = createFileCache('motion', 1, (path) => void released.push(path));
  const first = await cache.open(turn, null);
  expect(await cache.open(turn, first.hash)).toBe(first);
  writeDemo(at, 'wave.vrma', 'turn.bvh');
  const changed = await cache.open(turn, 'another hash');
  expect([changed.file.format, released]).toEqual(['gltf', [turn]]);
  await cache.open(wave, null);
  expect(released).toEqual([turn, turn]);
  writeFileSync(giant, 'broken');
  await expect(cache.open(giant, null)).rejects.toThrow(/unknown format/);
  await expect(cache.open(giant, null)).rejects.toThrow(/unknown format/);
});

it('createFileCache: counts what was found out about a file, and releases others for it', async () => {
  const [turn, wave] = ['turn.bvh', 'wave.vrma'].map((name) => writeDemo(at, name, `weighed-${name}`));
  const released: string[] = [];
  const cache = createFileCache('motion', 1e9, (path) => void released.push(path));
  await cache.open(turn, null);
  await cache.open(wave, null);
  expect(released).toEqual([]);
  cache.weigh(turn, 2e9);
  cache.weigh(turn, 0);
  await cache.open(writeDemo(at, 'walk.glb', 'weighed-walk.glb'), null);
  expect(released).toEqual([]);
  cache.weigh(turn, 2e9);
  await cache.open(writeDemo(at, 'turn.bvh', 'weighed-other.bvh'), null);
  expect(released).toEqual([turn]);
});

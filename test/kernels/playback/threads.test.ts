import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { makeRandom } from '../../../src/demo/random.ts';
import {
  createPlaybackMemory,
  loadPlaybackKernel,
  PlaybackGroup,
  type PlaybackKernel,
} from '../../../src/kernels/playback/playback-kernel.ts';
import { type PlaybackThreads, startPlaybackThreads } from '../../../src/kernels/playback/threads.ts';
import { ownCase, type PlaybackCase } from '../../core/runtime/playback/playback-cases.ts';

const CHARACTERS = 11;

const workers = [1, 2].map(() => new Worker(new URL('thread-worker.mjs', import.meta.url)));
const threads = (await startPlaybackThreads(workers)) as PlaybackThreads;
const kernel = (await loadPlaybackKernel()) as PlaybackKernel;

afterAll(async () => {
  threads.stop();
  for (const worker of workers) await worker.terminate();
});

function fill(group: PlaybackGroup, { clip }: PlaybackCase): void {
  group.addClip(clip);
  for (let k = 0; k < CHARACTERS; k++) {
    group.setClip(k, k === 4 ? null : clip);
    group.times[k] = (k / CHARACTERS) * clip.compiled.duration;
  }
}

describe('startPlaybackThreads', () => {
  it('gives the matrices of one thread, for all characters and for a range', () => {
    for (let seed = 0; seed < 12; seed++) {
      const one = ownCase(makeRandom(seed));
      const parallel = new PlaybackGroup(threads.owner, one.plan, CHARACTERS);
      const single = new PlaybackGroup(createPlaybackMemory(kernel), one.plan, CHARACTERS);
      for (const group of [parallel, single]) {
        fill(group, one);
        group.update();
        group.times.fill(0.1);
        group.update(2, 3);
      }
      expect(parallel.matrices).toEqual(single.matrices);
      parallel.dispose();
    }
  });

  it('removes a clip from the characters of all threads', () => {
    const one = ownCase(makeRandom(1));
    const group = new PlaybackGroup(threads.owner, one.plan, CHARACTERS);
    fill(group, one);
    group.removeClip(one.clip);
    group.update();
    expect(group.matrices.every((value) => value === 0)).toBe(true);
    group.dispose();
  });

  it('throws if a worker does not start', async () => {
    const clock = vi.spyOn(performance, 'now');
    let now = 0;
    clock.mockImplementation(() => (now += 6000));
    await expect(startPlaybackThreads([{ postMessage: () => undefined }])).rejects.toThrow(/did not start/);
    clock.mockRestore();
  });
});

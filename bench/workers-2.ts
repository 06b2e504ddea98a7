/**
 * A crowd of 2,000 characters with 67 joints, each at its own time of a walk: two threads with shared memory against one. A run is one frame, after which
 * the worker sleeps. The matrices of both are compared before measuring.
 */
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  createPlaybackMemory,
  loadPlaybackKernel,
  PlaybackGroup,
  type PlaybackMemory,
  startPlaybackThreads,
} from 'anyrig/kernels';
import { compileClip, planPlayback, planPlaybackClip } from 'anyrig/runtime';
import { fullWalkOf, sourceCharacter } from './characters.ts';
import { compare, type Row } from './measure.ts';

const CHARACTERS = 2000;
const PHASE = 0.0137;
/** Milliseconds until the worker has compiled its code. */
const WARM_UP = 200;

/** Measures two threads against one. */
export async function workers2(rounds: number): Promise<Row[]> {
  const character = sourceCharacter();
  const { skeleton } = character;
  const compiled = compileClip(skeleton, fullWalkOf(character));
  const { plan } = planPlayback(skeleton, null);
  const clip = plan && planPlaybackClip(plan, compiled).clip;
  const worker = new Worker(new URL('playback-worker.mjs', import.meta.url));
  const kernel = await loadPlaybackKernel();
  const threads = await startPlaybackThreads([worker]);
  if (plan === null || clip === null || kernel === null || threads === null) {
    throw new Error('The benchmark needs WebAssembly with SIMD and shared memory, which this runtime lacks.');
  }
  const groupIn = (owner: PlaybackMemory): PlaybackGroup => {
    const group = new PlaybackGroup(owner, plan, CHARACTERS);
    group.addClip(clip);
    for (let k = 0; k < CHARACTERS; k++) {
      group.setClip(k, clip);
      group.times[k] = (k * PHASE) % compiled.duration;
    }
    group.update();
    return group;
  };
  const [one, two] = [groupIn(createPlaybackMemory(kernel)), groupIn(threads.owner)];
  if (two.matrices.some((value, i) => value !== one.matrices[i])) throw new Error('The matrices of both differ.');
  for (let k = 0; k < 100; k++) two.update();
  await setTimeout(WARM_UP);
  const own = { name: 'two threads', run: () => two.update() };
  const against = { name: 'one thread', run: () => one.update() };
  const rows = await compare([{ name: 'workers-2', own, against, kind: 'speedup', limit: 1.6 }], rounds, {
    time: 200,
    calls: 20,
  });
  threads.stop();
  await worker.terminate();
  return rows;
}

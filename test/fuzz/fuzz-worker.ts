/** Worker thread of the fuzzer: makes damaged files, runs their jobs and posts the faults. The main thread watches time and memory. */
import { parentPort, workerData } from 'node:worker_threads';
import { findFault } from './find-fault.ts';
import { makeInput } from './mutations/mutate-file.ts';
import { openPartners } from './partners.ts';
import { FUZZ_FORMATS, makeSeeds } from './seeds.ts';

/** What the worker is started with. */
export interface WorkerTask {
  readonly seed: number;
  readonly first: number;
  readonly format: string | null;
  /** Index of the file in work, processor time in ms when it started, then one count per format. */
  readonly progress: Float64Array;
}

/** Offset of the index of the file in work in {@link WorkerTask.progress}. */
export const INDEX = 0;
/** Offset of its start in {@link WorkerTask.progress}: processor time of the process in ms; 0 before the first file. */
export const STARTED = 1;
/** Offset of the counts in {@link WorkerTask.progress}, in the order of `FUZZ_FORMATS`. */
export const COUNTS = 2;

/**
 * Measures the processor time of this process.
 *
 * @returns Milliseconds.
 */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function work({ seed, first, format, progress }: WorkerTask): Promise<void> {
  const all = await makeSeeds();
  const partners = await openPartners();
  const seeds = format === null ? all : all.filter((one) => one.format === format);
  for (let index = first; ; index++) {
    const input = makeInput(seeds, seed, index);
    progress[INDEX] = index;
    progress[STARTED] = processorTime();
    const fault = await findFault(input, partners);
    progress[COUNTS + FUZZ_FORMATS.indexOf(input.format)]++;
    if (fault !== null) parentPort?.postMessage({ index, fault });
  }
}

if (parentPort !== null) await work(workerData as WorkerTask);

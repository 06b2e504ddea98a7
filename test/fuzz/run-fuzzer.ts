/** Runs the fuzzer in a worker thread within limits of time and memory. */
import { Worker } from 'node:worker_threads';
import type { Fault } from './find-fault.ts';
import { COUNTS, INDEX, processorTime, STARTED, type WorkerTask } from './fuzz-worker.ts';
import { FUZZ_FORMATS } from './seeds.ts';

/** Processor time of one file and its job, in ms. */
const TIME_LIMIT = 5000;
/** Memory that a file and its job may add to that of the idle process, in bytes. */
const MEMORY_LIMIT = 2 ** 30;
/** Interval of the checks, in ms. */
const CHECK_INTERVAL = 50;

/** A fault and the file that shows it. */
export interface Finding {
  /** Index of the file: the seed of the run and this number make it again. */
  readonly index: number;
  readonly fault: Fault;
}

/** What to run. */
export interface FuzzRun {
  readonly seed: number;
  readonly seconds: number;
  /** Only files of this format; null for all. */
  readonly format: string | null;
}

/** What was found. */
export interface FuzzResult {
  readonly findings: readonly Finding[];
  /** Number of files per format. */
  readonly counts: readonly number[];
}

/** Runs one worker until it stops by itself or exceeds a limit. Returns the index to continue with. */
async function runWorker(task: WorkerTask, end: number, findings: Finding[]): Promise<number> {
  const worker = new Worker(new URL('./start-worker.mjs', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT / 2 ** 20 },
  });
  const { progress } = task;
  let idle = 0;
  return new Promise((resolve) => {
    const add = (message: string): void => {
      findings.push({ index: progress[INDEX], fault: { job: 'any', message } });
    };
    const stop = (): void => {
      clearInterval(timer);
      void worker.terminate().then(() => resolve(progress[INDEX] + 1));
    };
    const timer = setInterval(() => {
      if (Date.now() >= end) return stop();
      if (progress[STARTED] === 0) return;
      const { rss } = process.memoryUsage();
      if (idle === 0) idle = rss;
      const time = processorTime() - progress[STARTED];
      if (time > TIME_LIMIT) add(`takes more than ${TIME_LIMIT} ms`);
      else if (rss - idle > MEMORY_LIMIT) add('takes more than 1 GiB');
      else return;
      stop();
    }, CHECK_INTERVAL);
    worker.on('message', (finding: Finding) => findings.push(finding));
    worker.on('error', (error) => {
      add(`ends the thread: ${error.message}`);
      stop();
    });
  });
}

/**
 * Runs the fuzzer for a time.
 *
 * @param run Seed, seconds and format.
 * @returns Faults and counts.
 */
export async function runFuzzer({ seed, seconds, format }: FuzzRun): Promise<FuzzResult> {
  const end = Date.now() + 1000 * seconds;
  const findings: Finding[] = [];
  const progress = new Float64Array(new SharedArrayBuffer(8 * (COUNTS + FUZZ_FORMATS.length)));
  for (let first = 0; Date.now() < end; ) {
    progress[STARTED] = 0;
    progress[INDEX] = first - 1;
    first = await runWorker({ seed, first, format, progress }, end, findings);
  }
  return { findings, counts: [...progress.subarray(COUNTS)] };
}

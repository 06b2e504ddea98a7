import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importOptional } from '../import-optional.ts';
import type { TaskRequest } from '../worker/task-request.ts';
import type { TaskOutcome } from './task-outcome.ts';

/** Runs tasks somewhere else: in worker threads, or where a scheduler of the caller puts them. */
export interface TaskPool {
  /** Number of tasks that run at the same time. */
  readonly size: number;
  /**
   * Runs a task.
   *
   * @param request The task.
   * @returns Its result or failure; it does not throw.
   */
  readonly run: (request: TaskRequest) => Promise<TaskOutcome>;
  /** Stops all threads. */
  readonly close: () => Promise<void>;
}

/** Limits of a pool of worker threads. */
export interface WorkerPoolOptions {
  /** Number of threads; all processors by default. */
  readonly jobs?: number;
  /** Most seconds of a task, for `pack` per motion; 300 by default. */
  readonly timeLimit?: number;
  /** Most bytes that a thread may use on its heap, and by which the memory of the process may grow while it runs a task; 2 GB by default. */
  readonly memoryLimit?: number;
}

const DEFAULT_TIME_LIMIT = 300;
export const DEFAULT_MEMORY_LIMIT = 2e9;
/** Longest time of a timer of Node, milliseconds: longer ones end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;
/** Young generation of a thread: with more of it tasks are not faster, and the memory of the process grows over thousands of them. */
const YOUNG_MEGABYTES = 16;

/** The entry of the threads, and how Node loads it: the source needs a loader for TypeScript. */
function workerEntry(): { filename: string; execArgv: string[] } {
  const built = join(import.meta.dirname, '../batch-worker.js');
  const bundled = join(import.meta.dirname, 'batch-worker.js');
  for (const path of [built, bundled]) {
    if (existsSync(path)) return { filename: pathToFileURL(path).href, execArgv: [] };
  }
  const source = join(import.meta.dirname, '../batch-worker.ts');
  const loader = new URL('index.mjs', pathToFileURL(createRequire(source).resolve('tsx/esm/api'))).href;
  const hooks = `data:text/javascript,import { register } from ${JSON.stringify(loader)}; register();`;
  return { filename: pathToFileURL(source).href, execArgv: ['--import', hooks] };
}

function memoryFailure(memoryLimit: number): TaskOutcome {
  const text = `It needed more than ${Math.round(memoryLimit / 1e6)} MB and was stopped; allow more with the option memoryLimit`;
  return { failure: { code: 'MEMORY_LIMIT', message: text } };
}

function crashOf(error: unknown, timeLimit: number, memoryLimit: number, growth: number): TaskOutcome {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' && growth > memoryLimit) return memoryFailure(memoryLimit);
  if (name === 'AbortError') {
    const text = `It took longer than ${timeLimit} s and was stopped; allow more with the option timeLimit`;
    return { failure: { code: 'TIME_LIMIT', message: text } };
  }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return memoryFailure(memoryLimit);
  return { failure: { code: 'WORKER_ENDED', message: `The worker thread ended: ${message}`, isTemporary: true } };
}

/**
 * Starts worker threads, with the optional package `piscina`. A thread that exceeds a limit is replaced; only its task fails.
 *
 * @param options Number and limits of the threads.
 * @returns The pool.
 * @throws OptionError (`jobs`) when `piscina` is not installed.
 */
export async function createWorkerPool({
  jobs = availableParallelism(),
  timeLimit = DEFAULT_TIME_LIMIT,
  memoryLimit = DEFAULT_MEMORY_LIMIT,
}: WorkerPoolOptions = {}): Promise<TaskPool> {
  const { Piscina } = await importOptional('jobs', 'piscina', () => import('piscina'));
  const pool = new Piscina<TaskRequest, TaskOutcome>({
    ...workerEntry(),
    minThreads: jobs,
    maxThreads: jobs,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(memoryLimit / 1e6),
      maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
    },
  });
  // Threads that cannot start would be started again without end.
  pool.on('error', () => void pool.destroy());
  // After a thread that ended while it started, the pool starts others only for new tasks: those that wait end here, and are tried again.
  const endWaiting = (): void => {
    if (pool.threads.length === 0 && pool.queueSize > 0) void pool.destroy();
  };
  pool.on('workerDestroy', () => setImmediate(endWaiting));
  const watch = createMemoryWatch(memoryLimit);
  const run: TaskPool['run'] = async (request) => {
    const task: WatchedTask = { growth: 0, stop: new AbortController() };
    const { stop } = task;
    const limit = timeLimit * request.task.motions.length;
    const timer = setTimeout(() => stop.abort(), Math.min(limit * 1000, LONGEST_TIMER));
    const unwatch = watch(task);
    try {
      return await pool.run(request, { signal: stop.signal });
    } catch (error) {
      return crashOf(error, limit, memoryLimit, task.growth);
    } finally {
      clearTimeout(timer);
      unwatch();
    }
  };
  return { size: jobs, run, close: () => pool.destroy() };
}

/** Milliseconds between two looks at the memory of the process. */
const WATCH_INTERVAL = 100;

export interface WatchedTask {
  /** Bytes by which the process grew meanwhile, in equal parts for all tasks that ran at the time. */
  growth: number;
  readonly stop: AbortController;
}

/**
 * Watches the memory of the process while tasks run: array buffers are not on the heaps that V8 limits, and a thread cannot look at itself while it
 * works. Where several tasks run, growth is divided among them, so a task is stopped at the latest when all together grew by their limits.
 * `memoryLimit`: bytes by which the process may grow for one task.
 */
export function createMemoryWatch(memoryLimit: number): (task: WatchedTask) => () => void {
  const running = new Set<WatchedTask>();
  let [before, timer]: [number, NodeJS.Timeout | undefined] = [0, undefined];
  const look = (): void => {
    const now = process.memoryUsage.rss();
    for (const task of running) {
      task.growth = Math.max(0, task.growth + (now - before) / running.size);
      if (task.growth > memoryLimit) task.stop.abort();
    }
    before = now;
  };
  return (task) => {
    if (running.size > 0) look();
    else {
      before = process.memoryUsage.rss();
      timer = setInterval(look, WATCH_INTERVAL).unref();
    }
    running.add(task);
    return () => {
      running.delete(task);
      if (running.size === 0) clearInterval(timer);
    };
  };
}

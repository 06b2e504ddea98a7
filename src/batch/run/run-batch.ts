/** Runs a batch: makes what is missing or changed, and keeps everything else. */
import { OutputError } from '../../files/outputs/output-error.ts';
import { packageVersion } from '../../files/package-version.ts';
import { checkOutcome } from '../check/check-outcome.ts';
import { mapConcurrent } from '../map-concurrent.ts';
import { type BatchPlan, type BatchTask, inputsOfTask } from '../plan/batch-task.ts';
import { type FileHashes, taskKey } from '../plan/task-key.ts';
import { MOST_REQUESTS } from '../storage/s3-client.ts';
import { createStorageStore } from '../storage/storage-store.ts';
import { isStorageUrl } from '../storage/storage-url.ts';
import { inspectFiles } from '../storage/stored-files.ts';
import { createFolderStore } from './folder-store.ts';
import { groupTasks } from './group-tasks.ts';
import type { ReadyLine } from './journal.ts';
import type { ResultStore } from './result-store.ts';
import { TaskError, type TaskFailure, type TaskOutcome } from './task-outcome.ts';
import { createWorkerPool, DEFAULT_MEMORY_LIMIT, type TaskPool, type WorkerPoolOptions } from './worker-pool.ts';

/** A task after a run. */
export interface BatchEntry {
  /** The task. */
  readonly task: BatchTask;
  /** `made` in this run, `kept` from an earlier one, `failed`, or `open` when the run ended before it, and in dry runs. */
  readonly state: 'made' | 'kept' | 'failed' | 'open';
  /** The result; null for failed and open tasks. Results of this run are read from the journal each time, so that thousands of them need no memory. */
  readonly result: ReadyLine | null;
  /** Why the task failed; null for the others. */
  readonly failure: TaskFailure | null;
}

/** Something that happened during a run. */
export type BatchEvent =
  | {
      /** Kind of event. */
      readonly type: 'planned';
      /** Number of tasks. */
      readonly total: number;
      /** Number of results that are kept. */
      readonly kept: number;
    }
  | {
      /** Kind of event. */
      readonly type: 'started';
      /** The task. */
      readonly task: BatchTask;
    }
  | {
      /** Kind of event. */
      readonly type: 'ended';
      /** What became of it. */
      readonly entry: BatchEntry;
      /** Number of tasks that have ended or were kept. */
      readonly done: number;
      /** Number of tasks that are still to do. */
      readonly open: number;
    };

/** How to run a batch. */
export interface RunBatchOptions extends WorkerPoolOptions {
  /** Folder of the results, created if it is missing; or URL of a folder in S3-compatible storage, such as `s3://bucket/out`. */
  readonly folder: string;
  /** Tasks of this run; all of the plan by default. Those of other shards are left to other runs. */
  readonly tasks?: readonly BatchTask[];
  /** Name of the journal, different for runs at the same time; `main` by default. */
  readonly journal?: string;
  /** Only finds out what would be made. */
  readonly dryRun?: boolean;
  /** Stops at the first task that fails. */
  readonly failFast?: boolean;
  /** Removes results of earlier runs that are not in the plan. */
  readonly prune?: boolean;
  /** Runs the tasks; worker threads by default. The caller closes its own pool. */
  readonly pool?: TaskPool;
  /** Stops the run: no more tasks are started, its own threads end, and it throws the reason of the signal. A later run goes on from there. */
  readonly signal?: AbortSignal;
  /** Receives events. */
  readonly onEvent?: (event: BatchEvent) => void;
}

/** What a run did. */
export interface BatchResult {
  /** The tasks in the order of the plan. */
  readonly entries: readonly BatchEntry[];
  /** Paths of removed files, relative to the output folder. */
  readonly removed: readonly string[];
  /** Why the run ended early, such as a full disk; null when all tasks were tried. */
  readonly failure: TaskFailure | null;
}

/** Attempts of a task that may work when it is tried again. */
const ATTEMPTS = 3;

async function attempt(pool: TaskPool, request: Parameters<TaskPool['run']>[0]): Promise<TaskOutcome> {
  for (let n = 1; ; n++) {
    const outcome = checkOutcome(await pool.run(request), request);
    if (n === ATTEMPTS || !('failure' in outcome) || outcome.failure.isTemporary !== true) return outcome;
  }
}

interface Todo {
  readonly task: BatchTask;
  readonly key: string;
}

/** Finds the results that exist; the others are to do. */
async function findResults(
  tasks: readonly BatchTask[],
  hashes: FileHashes,
  store: ResultStore,
): Promise<{ entries: Map<BatchTask, BatchEntry>; todo: Todo[] }> {
  const version = packageVersion();
  const todo: Todo[] = [];
  const keys = tasks.map((task) => taskKey(task, hashes, version));
  const results = await mapConcurrent([...tasks.keys()], MOST_REQUESTS, async (k) => {
    const key = keys[k];
    return key === null ? null : store.find(tasks[k], key);
  });
  const entries = tasks.map((task, k): BatchEntry => {
    const key = keys[k];
    if (key === null) {
      const missing = inputsOfTask(task).filter((path) => hashes.get(path) === null);
      const message = `${missing.join(', ')} cannot be read; expected a file`;
      return { task, state: 'failed', result: null, failure: { code: 'FILE_NOT_FOUND', message } };
    }
    const result = results[k];
    if (result === null) todo.push({ task, key });
    return { task, state: result === null ? 'open' : 'kept', result, failure: null };
  });
  return { entries: new Map(entries.map((entry) => [entry.task, entry])), todo };
}

function currentResults(entries: Iterable<BatchEntry>): Map<string, ReadyLine> {
  const current = new Map<string, ReadyLine>();
  for (const { task, result } of entries) if (result !== null) current.set(task.id, result);
  return current;
}

/**
 * Runs a batch. Results whose key is unchanged are kept; all others are made in worker threads, written under temporary names and renamed. A task that fails
 * costs only its own result. After a kill at any moment, another run goes on where this one ended.
 *
 * @param plan Result of `planBatch`.
 * @param options Output folder, limits, and what to observe.
 * @returns What became of every task.
 * @throws the reason of `signal` once it is aborted; OutputError when the output folder cannot be written; OptionError (`storage`) when the client of object storage is not installed; an Error with a
 *   message when the storage cannot be used.
 * @example
 * const plan = planBatch({ motions: ['walk.fbx'], characters: ['hero.glb'] });
 * const { entries } = await runBatch(plan, { folder: 'out', jobs: 2 });
 * for (const { task, state, failure } of entries) console.log(task.id, state, failure?.message ?? '');
 */
export async function runBatch(plan: BatchPlan, options: RunBatchOptions): Promise<BatchResult> {
  const { folder, tasks = plan.tasks, failFast = false, signal, onEvent = () => undefined } = options;
  signal?.throwIfAborted();
  const files = await inspectFiles(tasks.flatMap(inputsOfTask));
  const hashes = new Map(Array.from(files, ([path, file]) => [path, file?.hash ?? null]));
  const store = isStorageUrl(folder)
    ? await createStorageStore(folder)
    : createFolderStore(folder, options.journal ?? 'main');
  const { entries, todo } = await findResults(tasks, hashes, store);
  onEvent({
    type: 'planned',
    total: tasks.length,
    kept: [...entries.values()].filter(({ state }) => state === 'kept').length,
  });
  if (options.dryRun === true) return { entries: [...entries.values()], removed: [], failure: null };
  await store.open();
  let failure: TaskFailure | null = null;
  let left = todo.length;

  const end = (entry: BatchEntry): void => {
    entries.set(entry.task, entry);
    left--;
    if (entry.failure !== null && (failFast || entry.failure.isFatal === true)) failure ??= entry.failure;
    onEvent({ type: 'ended', entry, done: tasks.length - left, open: left });
  };
  const make = (pool: TaskPool, { task, key }: Todo): Promise<TaskOutcome> => {
    onEvent({ type: 'started', task });
    return attempt(pool, {
      task,
      hashes: Object.fromEntries(inputsOfTask(task).map((path) => [path, hashes.get(path) ?? null])),
      destination: store.destination(key),
      memoryLimit: options.memoryLimit ?? DEFAULT_MEMORY_LIMIT,
    });
  };
  const finish = async ({ task, key }: Todo, outcome: TaskOutcome): Promise<void> => {
    // A task that was stopped has not failed.
    if (signal?.aborted === true && 'failure' in outcome) return;
    end(await endOf(store, task, key, outcome));
  };
  const pool = todo.length === 0 ? null : (options.pool ?? (await createWorkerPool(options)));
  const stopThreads = (): void => {
    if (pool !== options.pool) void pool?.close();
  };
  signal?.addEventListener('abort', stopThreads);
  try {
    const size = pool?.size ?? 1;
    const sizes = new Map(Array.from(files, ([path, file]) => [path, file?.bytes ?? 0]));
    const groups = groupTasks(todo, ({ task }) => task, sizes, size);
    // A lane has one task at a time: its next one goes to the worker that has become free, which has the files of the group open. Meanwhile, the last result is published.
    const lane = async (): Promise<void> => {
      let publishing = Promise.resolve();
      try {
        for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
          for (const one of group) {
            // A result that cannot be published is a failure too.
            if (failFast) await publishing;
            if (pool === null || failure !== null || signal?.aborted === true) continue;
            const outcome = await make(pool, one);
            await publishing;
            publishing = finish(one, outcome);
            // Awaited with the next task, or at the end.
            publishing.catch(() => undefined);
            // A failed task may end the run.
            if ('failure' in outcome) await publishing;
          }
        }
      } finally {
        await publishing;
      }
    };
    await Promise.all(Array.from({ length: size }, lane));
    signal?.throwIfAborted();
    const pruned = options.prune === true && failure === null;
    const planned = new Set(plan.tasks.map(({ id }) => id));
    const removed = pruned ? await store.prune(planned, currentResults(entries.values())) : [];
    return { entries: [...entries.values()], removed, failure };
  } finally {
    signal?.removeEventListener('abort', stopThreads);
    if (pool !== options.pool) await pool?.close();
    store.close();
  }
}

/** Publishes the result of a task, or records its failure. */
async function endOf(store: ResultStore, task: BatchTask, key: string, outcome: TaskOutcome): Promise<BatchEntry> {
  if ('failure' in outcome) return { task, state: 'failed', result: null, failure: outcome.failure };
  try {
    const read = await store.publish(task.id, key, outcome.made);
    return {
      task,
      state: 'made',
      get result() {
        return read();
      },
      failure: null,
    };
  } catch (error) {
    if (error instanceof TaskError) return { task, state: 'failed', result: null, failure: error.failure };
    if (!(error instanceof OutputError)) throw error;
    const failure: TaskFailure = { code: error.code, message: error.message, isFatal: true };
    return { task, state: 'failed', result: null, failure };
  }
}

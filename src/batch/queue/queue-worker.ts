/** A worker of a queue: takes jobs and runs them in worker threads, so that this thread can renew their locks while they compute. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { cwd } from 'node:process';
import type { Job, Worker } from 'bullmq';
import { checkJob } from '../check/check-job.ts';
import { ShapeError } from '../check/shape.ts';
import { importOptional } from '../import-optional.ts';
import type { TaskOutcome } from '../run/task-outcome.ts';
import { createWorkerPool, DEFAULT_MEMORY_LIMIT, type WorkerPoolOptions } from '../run/worker-pool.ts';
import { createQueueMetrics, type QueueMetrics } from './queue-metrics.ts';
import {
  closeSoon,
  connectionOf,
  LOCK_SECONDS,
  MOST_STALLS,
  QUEUE,
  type QueueConnection,
  type QueueJob,
} from './queue-names.ts';

/** How a worker runs. */
interface QueueWorkerOptions extends QueueConnection, WorkerPoolOptions {
  /** Seconds after which a job is given to another worker when its lock was not renewed; 30 by default, the same for all workers. */
  readonly lockSeconds?: number;
  /**
   * Folders that jobs may read and write, with all below them, and URLs of such folders in object storage (`s3://bucket/folder`; `s3://` for all that the
   * credentials allow). By default the working folder and `s3://`. Links are resolved.
   */
  readonly roots?: readonly string[];
  /** Port of the Prometheus metrics; none by default. 0 takes a free one. */
  readonly metricsPort?: number;
  /** Address that the metrics are served on: `127.0.0.1` by default, `0.0.0.0` for all of this machine. */
  readonly metricsHost?: string;
  /** Receives every job that has ended. */
  readonly onJob?: (id: string, outcome: TaskOutcome) => void;
  /** Receives errors of the connection, which is opened again. */
  readonly onError?: (error: Error) => void;
}

/** A worker that runs. */
interface QueueWorker {
  /** Port of the metrics; null without. */
  readonly metricsPort: number | null;
  /** Takes no more jobs, finishes those that run, and stops; while the server is away, without telling it. */
  readonly close: () => Promise<void>;
}

/** Distinguishes workers: containers have equal process ids. */
const WORKER_ID = randomUUID();

/** Temporary files of a worker start with their job, whose coordinator removes them, and differ between workers. */
function withOwnPrefix(data: QueueJob): QueueJob {
  const { destination } = data;
  if (destination.type === 'storage') return data;
  return { ...data, destination: { ...destination, prefix: `${destination.prefix}-${WORKER_ID}` } };
}

/** The task of a job; of one that no coordinator has written, the id of the job. */
function idOf({ id, data }: Job<unknown, TaskOutcome>): string {
  const { task } = (data ?? {}) as { readonly task?: { readonly id?: unknown } };
  return typeof task?.id === 'string' ? task.id : `job ${id}`;
}

/**
 * Starts a worker. Jobs of workers that end or are cut off go back to the queue.
 *
 * @param options The server, limits, and metrics.
 * @returns The worker.
 * @throws OptionError (`queue`) for a URL that is none, and when BullMQ, or prom-client for metrics, is not installed.
 * @experimental
 */
export async function startQueueWorker(options: QueueWorkerOptions): Promise<QueueWorker> {
  const { lockSeconds = LOCK_SECONDS, onJob, onError, metricsPort, metricsHost = '127.0.0.1' } = options;
  const { roots = [cwd(), 's3://'], memoryLimit = DEFAULT_MEMORY_LIMIT } = options;
  let isClosed = false;
  const connection = connectionOf(options, () => isClosed);
  const { Worker: WorkerClass } = await importOptional('queue', 'bullmq ioredis', () => import('bullmq'));
  const metrics: QueueMetrics | null =
    metricsPort === undefined ? null : await createQueueMetrics(metricsPort, metricsHost);
  const pool = await createWorkerPool(options);
  const running = new Set<Promise<TaskOutcome>>();
  const runChecked = async (data: unknown): Promise<TaskOutcome> => {
    try {
      return await pool.run(withOwnPrefix(checkJob(data, { roots, memoryLimit })));
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return { failure: { code: 'JOB_REFUSED', message: `The job was refused: ${error.message}` } };
    }
  };
  const process = async (job: Job<unknown, TaskOutcome>): Promise<TaskOutcome> => {
    const start = performance.now();
    metrics?.started();
    const run = runChecked(job.data);
    running.add(run);
    const outcome = await run.finally(() => running.delete(run));
    metrics?.ended('made' in outcome ? 'made' : 'failed', (performance.now() - start) / 1000);
    // Errors are tried again by the queue; a file that cannot be read is not.
    if ('failure' in outcome && (outcome.failure.isTemporary === true || outcome.failure.isFatal === true))
      throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
    onJob?.(idOf(job), outcome);
    return outcome;
  };
  const worker: Worker<unknown, TaskOutcome> = new WorkerClass<unknown, TaskOutcome>(QUEUE, process, {
    connection,
    concurrency: pool.size,
    lockDuration: 1000 * lockSeconds,
    stalledInterval: 1000 * lockSeconds,
    maxStalledCount: MOST_STALLS,
  });
  worker.on('error', (error) => onError?.(error));
  worker.on('stalled', () => metrics?.stalled());
  const close = async (): Promise<void> => {
    isClosed = true;
    const closing = worker.close();
    while (running.size > 0) await Promise.allSettled(running);
    await closeSoon(closing, () => worker.disconnect());
    await pool.close();
    metrics?.close();
  };
  return { metricsPort: metrics?.port ?? null, close };
}

/** A worker of a queue: takes jobs and runs them in worker threads, so that this thread can renew their locks while they compute. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Job, Worker } from 'bullmq';
import { importOptional } from '../import-optional.ts';
import type { TaskOutcome } from '../run/task-outcome.ts';
import { createWorkerPool, type WorkerPoolOptions } from '../run/worker-pool.ts';
import { createQueueMetrics, type QueueMetrics } from './queue-metrics.ts';
import { connectionOf, LOCK_SECONDS, MOST_STALLS, QUEUE, type QueueConnection, type QueueJob } from './queue-names.ts';

/** How a worker runs. */
export interface QueueWorkerOptions extends QueueConnection, WorkerPoolOptions {
  /** Seconds after which a job is given to another worker when its lock was not renewed; 30 by default, the same for all workers. */
  readonly lockSeconds?: number;
  /** Port of the Prometheus metrics; none by default. 0 takes a free one. */
  readonly metricsPort?: number;
  /** Receives every job that has ended. */
  readonly onJob?: (id: string, outcome: TaskOutcome) => void;
  /** Receives errors of the connection, which is opened again. */
  readonly onError?: (error: Error) => void;
}

/** A worker that runs. */
export interface QueueWorker {
  /** Port of the metrics; null without. */
  readonly metricsPort: number | null;
  /** Takes no more jobs, finishes those that run, and stops. */
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

/**
 * Starts a worker. Jobs of workers that end or are cut off go back to the queue.
 *
 * @param options The server, limits, and metrics.
 * @returns The worker.
 * @throws OptionError (`queue`) when BullMQ, or prom-client for metrics, is not installed.
 */
export async function startQueueWorker(options: QueueWorkerOptions): Promise<QueueWorker> {
  const { lockSeconds = LOCK_SECONDS, onJob, onError, metricsPort } = options;
  const { Worker: WorkerClass } = await importOptional('queue', 'bullmq ioredis', () => import('bullmq'));
  const metrics: QueueMetrics | null = metricsPort === undefined ? null : await createQueueMetrics(metricsPort);
  const pool = createWorkerPool(options);
  const process = async (job: Job<QueueJob, TaskOutcome>): Promise<TaskOutcome> => {
    const start = performance.now();
    metrics?.started();
    const outcome = await pool.run(withOwnPrefix(job.data));
    metrics?.ended('made' in outcome ? 'made' : 'failed', (performance.now() - start) / 1000);
    // Errors are tried again by the queue; a file that cannot be read is not.
    if ('failure' in outcome && (outcome.failure.isTemporary === true || outcome.failure.isFatal === true))
      throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
    onJob?.(job.data.task.id, outcome);
    return outcome;
  };
  const worker: Worker<QueueJob, TaskOutcome> = new WorkerClass<QueueJob, TaskOutcome>(QUEUE, process, {
    connection: connectionOf(options),
    concurrency: pool.size,
    lockDuration: 1000 * lockSeconds,
    stalledInterval: 1000 * lockSeconds,
    maxStalledCount: MOST_STALLS,
  });
  worker.on('error', (error) => onError?.(error));
  worker.on('stalled', () => metrics?.stalled());
  const close = async (): Promise<void> => {
    await worker.close();
    await pool.close();
    metrics?.close();
  };
  return { metricsPort: metrics?.port ?? null, close };
}

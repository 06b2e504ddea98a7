/**
 * A pool whose tasks run on other machines: each task becomes a job of BullMQ in Redis or Valkey. Workers write results under temporary names into the shared
 * output folder; only this process gives them their final names, so that a job that runs twice has its effect once. In object storage, conditional requests do that.
 */
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import { rigOfUrl } from '../../files/rig-url.ts';
import { checkOutcome, refusedResult } from '../check/check-outcome.ts';
import { importOptional } from '../import-optional.ts';
import { temporaryNames } from '../run/publish.ts';
import type { TaskOutcome } from '../run/task-outcome.ts';
import type { TaskPool } from '../run/worker-pool.ts';
import { sha256 } from '../sha256.ts';
import { StorageError } from '../storage/storage-error.ts';
import { isStorageUrl } from '../storage/storage-url.ts';
import { hasStoredResult } from '../storage/stored-results.ts';
import type { TaskRequest } from '../worker/task-request.ts';
import {
  ATTEMPTS,
  BACKOFF,
  closeSoon,
  connectionOf,
  QUEUE,
  type QueueConnection,
  type QueueJob,
} from './queue-names.ts';

const MOST_JOBS = 1000;
/** Milliseconds between two looks at the jobs. */
const INTERVAL = 300;

/** A pool on a queue. */
interface QueuePoolOptions extends QueueConnection {
  /** Jobs that wait at the same time; 1,000 by default. */
  readonly size?: number;
}

type QueuedJob = Job<QueueJob, TaskOutcome>;

const STOPPED: TaskOutcome = { failure: { code: 'STOPPED', message: 'The batch was stopped; run it again' } };

/** Reasons of workers that other tasks share: a full disk, storage that cannot be used. */
const SHARED_REASON = /^(CANNOT_WRITE|STORAGE_[A-Z]+): (.*)$/s;

function absolute(path: string): string {
  return isStorageUrl(path) || rigOfUrl(path) !== null ? path : resolve(path);
}

/** Makes paths absolute: workers have other working folders. */
function toJob(request: TaskRequest): QueueJob {
  const { task, hashes, destination } = request;
  const { motions, character } = task;
  return {
    ...request,
    task: {
      ...task,
      motions: motions.map(absolute),
      character: character === null ? null : absolute(character),
    },
    hashes: Object.fromEntries(Object.entries(hashes).map(([path, hash]) => [absolute(path), hash])),
    destination:
      destination.type === 'folder'
        ? { ...destination, temporaryFolder: resolve(destination.temporaryFolder) }
        : destination,
  };
}

/** The same task of the same batch has the same job: a batch that was killed finds its jobs again. */
function jobIdOf({ task, hashes, destination }: QueueJob): string {
  const where = destination.type === 'folder' ? destination.temporaryFolder : destination.url;
  return sha256(JSON.stringify([task, hashes, where]));
}

/**
 * Temporary files of a job start with its id, not with the coordinator: the results of a batch that was killed are still there for the next one. Host names have
 * no underscore, so they are never taken for files of an ended process.
 */
function prefixOf(jobId: string): string {
  return `job_${jobId}`;
}

/** Removes what workers that were killed or cut off have left of jobs that have ended. */
function removeLeftOver(temporaryFolder: string, jobIds: ReadonlySet<string>): void {
  const start = prefixOf('').length;
  for (const name of temporaryNames(temporaryFolder)) {
    const jobId = name.slice(start).split('-')[0];
    if (name.startsWith(prefixOf(jobId)) && jobIds.has(jobId)) rmSync(join(temporaryFolder, name), { force: true });
  }
}

/** The outcome of a job that has ended; null while it is open. */
function outcomeOf(job: QueuedJob, data: QueueJob, jobId: string): TaskOutcome | null {
  if (job.finishedOn === undefined || job.finishedOn === null) return null;
  if (job.failedReason) {
    const [, code, reason] = SHARED_REASON.exec(job.failedReason) ?? [];
    if (code !== undefined) return { failure: { code, message: reason, isFatal: true } };
    const message = `It was set aside after ${job.attemptsStarted} attempts: ${job.failedReason}`;
    return { failure: { code: 'POISON_JOB', message } };
  }
  return checkOutcome(job.returnvalue, data, prefixOf(jobId));
}

/** Whether a result is there: temporary files of a batch that was killed are removed after a day, anyone can remove objects, and a worker can lie. */
async function hasFiles(outcome: TaskOutcome, { destination }: QueueJob): Promise<boolean> {
  if ('failure' in outcome) return true;
  if (destination.type === 'folder') return outcome.made.temporary.every((path) => existsSync(path));
  return hasStoredResult(destination, outcome.made.files);
}

function withPrefix(job: QueueJob, jobId: string): QueueJob {
  const { destination } = job;
  return destination.type === 'folder' ? { ...job, destination: { ...destination, prefix: prefixOf(jobId) } } : job;
}

/** Runs one job until it has an outcome. A job that the server has lost is added again. */
async function runJob(
  queue: Queue<QueueJob, TaskOutcome>,
  request: TaskRequest,
  isClosed: () => boolean,
  onEnd: (job: QueueJob, jobId: string) => void,
): Promise<TaskOutcome> {
  const planned = toJob(request);
  const jobId = jobIdOf(planned);
  const data = withPrefix(planned, jobId);
  const add = (): Promise<unknown> =>
    queue.add('task', data, { jobId, attempts: ATTEMPTS, backoff: { type: 'exponential', delay: BACKOFF } });
  const earlier = (await queue.getJob(jobId)) as QueuedJob | undefined;
  // A job that was set aside in an earlier run is tried again.
  if (earlier?.failedReason && earlier.finishedOn) await earlier.remove();
  // Its result belongs to this run now.
  else if (earlier !== undefined && !earlier.finishedOn) await earlier.updateData(data).catch(() => undefined);
  await add();
  let missing = 0;
  while (!isClosed()) {
    await sleep(INTERVAL);
    const job = (await queue.getJob(jobId)) as QueuedJob | undefined;
    if (job === undefined) {
      await add();
      continue;
    }
    const outcome = outcomeOf(job, data, jobId);
    if (outcome === null) continue;
    // A job that was set aside stays in Redis with its reason.
    if (!job.failedReason) await job.remove();
    if (await hasFiles(outcome, data)) {
      onEnd(data, jobId);
      return outcome;
    }
    // On a network, files of another machine can appear late; the files of a worker that lies never do.
    if (++missing === ATTEMPTS) {
      onEnd(data, jobId);
      return refusedResult(planned.task.id, 'its files do not exist');
    }
    await add();
  }
  return STOPPED;
}

/**
 * Connects to a queue. It waits while the server is away.
 *
 * @param options The server.
 * @returns A pool for `runBatch`.
 * @throws OptionError (`queue`) for a URL that is none, and when BullMQ is not installed.
 * @experimental
 */
export async function createQueuePool({ url, size = MOST_JOBS }: QueuePoolOptions): Promise<TaskPool> {
  const { Queue: QueueClass } = await importOptional('queue', 'bullmq ioredis', () => import('bullmq'));
  let isClosed = false;
  const queue = new QueueClass<QueueJob, TaskOutcome>(QUEUE, { connection: connectionOf({ url }, () => isClosed) });
  // ioredis connects again by itself; without a listener its errors would end the process.
  queue.on('error', () => undefined);
  const ended = new Map<string, Set<string>>();
  const onEnd = ({ destination }: QueueJob, jobId: string): void => {
    if (destination.type !== 'folder') return;
    const { temporaryFolder } = destination;
    const jobIds = ended.get(temporaryFolder) ?? new Set();
    ended.set(temporaryFolder, jobIds.add(jobId));
  };
  const run: TaskPool['run'] = async (request) => {
    try {
      return await runJob(queue, request, () => isClosed, onEnd);
    } catch (error) {
      // The connection is closed within a request.
      if (isClosed) return STOPPED;
      // The data of the job in the queue are not those that were written.
      if (error instanceof SyntaxError) return refusedResult(request.task.id, `its job is no JSON: ${error.message}`);
      if (!(error instanceof StorageError)) throw error;
      return { failure: { code: error.code, message: error.message, isFatal: true } };
    }
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    for (const [temporaryFolder, jobIds] of ended) removeLeftOver(temporaryFolder, jobIds);
    await closeSoon(queue.close(), () => queue.disconnect());
  };
  return { size, run, close };
}

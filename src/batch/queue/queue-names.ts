/** What coordinator and workers of a queue have in common. */
import type { TaskRequest } from '../worker/task-request.ts';

/** Name of the queue in Redis; other programs may use the same server. */
export const QUEUE = 'anyrig-batch';
/** Seconds after which a job of a worker that does not renew its lock is given to another one. */
export const LOCK_SECONDS = 30;
/** How often a job may lose its worker before it is set aside. */
export const MOST_STALLS = 3;
/** Attempts of a job that fails for a temporary reason. */
export const ATTEMPTS = 3;
/** Milliseconds before the second attempt; twice as many before each further one. */
export const BACKOFF = 1000;

/** Data of a job: a task with absolute paths. */
export type QueueJob = TaskRequest;

/** How to reach Redis or Valkey. */
export interface QueueConnection {
  /** `redis://` or `rediss://` URL. */
  readonly url: string;
}

/**
 * Returns the options of a connection that waits for a server that is away.
 *
 * @param queue The server.
 * @returns Options of ioredis.
 */
export function connectionOf({ url }: QueueConnection): {
  url: string;
  maxRetriesPerRequest: null;
  retryStrategy: (times: number) => number;
} {
  return { url, maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(100 * times, 2000) };
}

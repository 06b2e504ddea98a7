/** What coordinator and workers of a queue have in common. */
import { setTimeout as sleep } from 'node:timers/promises';
import { OptionError } from '../../files/option-error.ts';
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

/** Milliseconds that a connection may take to close: a server that is away answers nothing. */
const GRACE = 3000;

/** Tests whether a text is the URL of a server; other text would be tried again without end. */
export function isQueueUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname, username, password } = new URL(url);
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^(?:\/\d*)?$/.test(pathname);
}

/**
 * Returns the options of a connection that waits for a server that is away. Throws OptionError (`queue`) for a URL that is none. The URL is not
 * shown: it can contain a password.
 */
export function connectionOf(
  { url }: QueueConnection,
  isClosed: () => boolean = () => false,
): {
  url: string;
  maxRetriesPerRequest: null;
  retryStrategy: (times: number) => number | null;
} {
  if (!isQueueUrl(url))
    throw new OptionError('queue', 'The address of the queue is not a URL; expected one such as redis://host:6379');
  return {
    url,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isClosed() ? null : Math.min(100 * times, 2000)),
  };
}

/** Waits until a connection is closed, but no longer than a few seconds. */
export async function closeSoon(closing: Promise<unknown>, disconnect: () => Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const isClosed = closing.then(() => true);
  try {
    const isLate = sleep(GRACE, false, { signal: waiting.signal }).catch(() => false);
    if (!(await Promise.race([isClosed, isLate]))) void disconnect().catch(() => undefined);
  } finally {
    waiting.abort();
  }
}

import type { WorkerPoolOptions } from '../../batch/run/worker-pool.ts';
import { UsageError } from '../errors/cli-errors.ts';

export const LIMIT_FLAGS = {
  jobs: { type: 'string', alias: 'j', valueHint: 'N', description: 'Worker threads; one per processor by default' },
  'time-limit': { type: 'string', valueHint: 'SECONDS', description: 'Most seconds per motion; 300 by default' },
  'memory-limit': { type: 'string', valueHint: 'MB', description: 'Most memory per thread; 2000 by default' },
} as const;

export interface LimitArgs {
  readonly jobs?: string | undefined;
  /** Seconds. */
  readonly 'time-limit'?: string | undefined;
  /** Megabytes. */
  readonly 'memory-limit'?: string | undefined;
}

/** Parses a whole number. Throws UsageError unless it is a whole number from 1 to `most`. */
export function readCount(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && value >= 1 && value <= most) return value;
  throw new UsageError(`--${flag} is ${JSON.stringify(text)}; expected a whole number from 1 to ${most}`);
}

/** Converts flag values to options of a pool. Throws UsageError for values out of range. */
export function readLimits(args: LimitArgs): WorkerPoolOptions {
  const { jobs, 'time-limit': time, 'memory-limit': memory } = args;
  return {
    ...(jobs === undefined ? {} : { jobs: readCount('jobs', jobs, 1024) }),
    ...(time === undefined ? {} : { timeLimit: readCount('time-limit', time, 1e6) }),
    ...(memory === undefined ? {} : { memoryLimit: 1e6 * readCount('memory-limit', memory, 1e6) }),
  };
}

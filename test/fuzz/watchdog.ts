/** Thread that ends a process of the fuzzer when a file takes too much time or memory. */
import { workerData } from 'node:worker_threads';
import { addFinding } from './findings.ts';
import { INDEX, type Progress, processorTime, STARTED } from './progress.ts';

/** Processor time of one file and its job, in ms. */
const TIME_LIMIT = 5000;
/** Memory that a file and its job may add to that of the idle process, in bytes. */
const MEMORY_LIMIT = 2 ** 30;
/** Interval of the checks, in ms. */
const CHECK_INTERVAL = 50;

/** What the thread is started with. */
export interface WatchdogTask {
  readonly progress: Progress;
  /** File that findings are added to. */
  readonly findings: string;
}

const { progress, findings } = workerData as WatchdogTask;
const idle = process.memoryUsage.rss();
setInterval(() => {
  const index = progress[INDEX];
  const time = processorTime() - progress[STARTED];
  const isSlow = time > TIME_LIMIT;
  if (!isSlow && process.memoryUsage.rss() - idle < MEMORY_LIMIT) return;
  // The next file may have begun meanwhile.
  if (index !== progress[INDEX]) return;
  addFinding(findings, {
    index,
    fault: { job: 'any', message: isSlow ? `takes more than ${TIME_LIMIT} ms` : 'takes more than 1 GiB' },
  });
  process.kill(process.pid, 'SIGKILL');
}, CHECK_INTERVAL);

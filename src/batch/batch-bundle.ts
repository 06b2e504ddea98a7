/** The parts of the batch that the command line imports on first use. */
export { parseManifest } from './plan/manifest.ts';
export { planBatch } from './plan/plan-batch.ts';
export { shardTasks } from './plan/shard-tasks.ts';
export { createQueuePool } from './queue/queue-pool.ts';
export { startQueueWorker } from './queue/queue-worker.ts';
export { mergeReports, readShardReports, reportBatch } from './report/batch-report.ts';
export { removeReports, writeReport } from './report/write-report.ts';
export { runBatch } from './run/run-batch.ts';
export { expandStorage } from './storage/expand-storage.ts';
export { inspectFiles } from './storage/stored-files.ts';

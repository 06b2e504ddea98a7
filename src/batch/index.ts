/** Whole libraries: many motions onto many characters, with worker threads, resume and reports. Node only. */

// Retarget libraries

export type { BatchPlan, BatchTask } from './plan/batch-task.ts';
export { type BatchRequest, planBatch } from './plan/plan-batch.ts';
export { shardTasks } from './plan/shard-tasks.ts';
export { createQueuePool } from './queue/queue-pool.ts';
export { startQueueWorker } from './queue/queue-worker.ts';
export { type BatchReport, mergeReports, reportBatch } from './report/batch-report.ts';
export { writeReport } from './report/write-report.ts';
export {
  type BatchEntry,
  type BatchEvent,
  type BatchResult,
  type RunBatchOptions,
  runBatch,
} from './run/run-batch.ts';
export type { TaskOutcome } from './run/task-outcome.ts';
export { createWorkerPool, type TaskPool } from './run/worker-pool.ts';
export { StorageError } from './storage/storage-error.ts';
export { createTaskRunner } from './worker/run-task.ts';
export type { TaskRequest } from './worker/task-request.ts';

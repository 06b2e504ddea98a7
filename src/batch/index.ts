/** Whole libraries: many motions onto many characters, with worker threads, resume and reports. Node only: `anyrig/batch`. */
export {
  BATCH_FORMATS,
  type BatchFormat,
  type BatchHumanoidOptions,
  type BatchOptions,
  type BatchPlan,
  type BatchTask,
  type BatchTaskKind,
  type FramePose,
} from './plan/batch-task.ts';
export { type BatchManifest, parseManifest } from './plan/manifest.ts';
export { type BatchPair, type BatchRequest, planBatch } from './plan/plan-batch.ts';
export { shardTasks } from './plan/shard-tasks.ts';
export { type FileHashes, hashFiles, taskKey } from './plan/task-key.ts';
export type { QueueConnection } from './queue/queue-names.ts';
export { createQueuePool, type QueuePoolOptions } from './queue/queue-pool.ts';
export { type QueueWorker, type QueueWorkerOptions, startQueueWorker } from './queue/queue-worker.ts';
export {
  type BatchReport,
  mergeReports,
  type ReportEntry,
  type ReportShard,
  reportBatch,
} from './report/batch-report.ts';
export { reportPage } from './report/report-page.ts';
export { writeReport } from './report/write-report.ts';
export type { ReadyLine } from './run/journal.ts';
export {
  type BatchEntry,
  type BatchEvent,
  type BatchResult,
  type EndedEvent,
  type PlannedEvent,
  type RunBatchOptions,
  runBatch,
  type StartedEvent,
} from './run/run-batch.ts';
export type {
  FailedOutcome,
  MadeOutcome,
  MadeResult,
  PairFigures,
  ResourceHash,
  ResultFile,
  TaskClip,
  TaskFailure,
  TaskOutcome,
  TaskReport,
  TaskStrips,
} from './run/task-outcome.ts';
export { createWorkerPool, type TaskPool, type WorkerPoolOptions } from './run/worker-pool.ts';
export { StorageError, type StorageErrorCode } from './storage/storage-error.ts';
export { createTaskRunner } from './worker/run-task.ts';
export type { FolderDestination, StorageDestination, TaskDestination, TaskRequest } from './worker/task-request.ts';

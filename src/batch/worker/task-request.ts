import type { BatchTask } from '../plan/batch-task.ts';

/** A folder on disk: the worker writes temporary files, which get their final names later. */
export interface FolderDestination {
  /** Kind of destination. */
  readonly type: 'folder';
  /** Folder for temporary files, in the file system of the output folder. */
  readonly temporaryFolder: string;
  /** Start of the names of temporary files, unique per process. */
  readonly prefix: string;
}

/** S3-compatible storage: the worker writes objects under their final names. */
export interface StorageDestination {
  /** Kind of destination. */
  readonly type: 'storage';
  /** URL of the output folder, such as `s3://bucket/out`. */
  readonly url: string;
  /** Key of the result; see `taskKey`. */
  readonly key: string;
  /** When the batch was planned, milliseconds since 1970: results of later ones are not replaced. */
  readonly planned: number;
}

/** Where a worker writes the files of a task. */
export type TaskDestination = FolderDestination | StorageDestination;

/** A task for a worker. */
export interface TaskRequest {
  /** The task. */
  readonly task: BatchTask;
  /** Hash of every input, as it was planned, see `inspectFiles`; null for files that could not be read. */
  readonly hashes: Readonly<Record<string, string | null>>;
  /** Where the result goes. */
  readonly destination: TaskDestination;
  /** Most bytes that the worker may use for one task. */
  readonly memoryLimit: number;
}

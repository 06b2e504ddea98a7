/** What a worker receives. */
import type { BatchTask } from '../plan/batch-task.ts';

/** A task for a worker. */
export interface TaskRequest {
  /** The task. */
  readonly task: BatchTask;
  /** SHA-256 of every input, as it was planned; null for files that could not be read. */
  readonly hashes: Readonly<Record<string, string | null>>;
  /** Folder for temporary files, in the file system of the output folder. */
  readonly temporaryFolder: string;
  /** Start of the names of temporary files, unique per process. */
  readonly prefix: string;
  /** Most bytes that the worker may use for one task. */
  readonly memoryLimit: number;
}

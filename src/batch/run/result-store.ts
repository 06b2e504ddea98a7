/** Where the results of a batch are: a folder on disk or S3-compatible storage. */
import type { BatchTask } from '../plan/batch-task.ts';
import type { TaskDestination } from '../worker/task-request.ts';
import type { ReadyLine } from './journal.ts';
import type { MadeResult } from './task-outcome.ts';

export interface ResultStore {
  /**
   * Finds the result of a task. `key`: key that the result must have. Returns its line; null when it is missing, was changed, or was made from
   * other files.
   */
  readonly find: (task: BatchTask, key: string) => Promise<ReadyLine | null>;
  /** Prepares to write results. Throws OutputError when they cannot be written. */
  readonly open: () => Promise<void>;
  readonly destination: (key: string) => TaskDestination;
  /**
   * Records a result, and gives its files their final names where they do not have them. Throws OutputError when results cannot be written;
   * TaskError when this one cannot.
   */
  readonly publish: (id: string, key: string, made: MadeResult) => Promise<() => ReadyLine>;
  /** Removes results that a plan does not ask for. Returns paths of the removed files, relative to the folder. */
  readonly prune: (planned: ReadonlySet<string>, current: ReadonlyMap<string, ReadyLine>) => Promise<string[]>;
  /** Ends writing; temporary files of this process are removed. */
  readonly close: () => void;
}

/** Lists the paths that must stay. Returns paths of their files, relative to the folder. */
export function pathsOf(current: ReadonlyMap<string, ReadyLine>): Set<string> {
  return new Set([...current.values()].flatMap(({ files }) => files.map(({ path }) => path)));
}

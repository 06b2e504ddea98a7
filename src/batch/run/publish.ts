/** Gives finished files their final names: a file with its final name is always complete. */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { isProcessRunning } from '../../files/node/is-process-running.ts';
import { OutputError } from '../../files/outputs/output-error.ts';
import { writeReason } from '../../files/reports/system-reason.ts';
import { inspectFile } from '../storage/stored-files.ts';
import { type Journal, type LinePosition, type ReadyLine, STATE_FOLDER, type TaskRecord } from './journal.ts';
import type { MadeResult, ResourceHash, ResultFile } from './task-outcome.ts';

/** Age after which a temporary file of another machine is left over, milliseconds. */
const OLD = 24 * 3600 * 1000;

/**
 * Returns the folder for temporary files of an output folder.
 *
 * @param folder The output folder.
 * @returns Its path.
 */
export function temporaryFolderOf(folder: string): string {
  return join(folder, STATE_FOLDER, 'temporary');
}

/**
 * Returns the start of the names of the temporary files of this process.
 *
 * @returns Host name and process id.
 */
export function temporaryPrefix(): string {
  return `${hostname()}-${process.pid}`;
}

/**
 * Removes temporary files of processes that have ended: of this machine by their id, of others when they are a day old.
 *
 * @param folder The output folder.
 * @param own Whether those of this process are removed too.
 */
export function removeTemporaryFiles(folder: string, own: boolean): void {
  const temporary = temporaryFolderOf(folder);
  let names: string[] = [];
  try {
    names = readdirSync(temporary);
  } catch {
    return;
  }
  const host = `${hostname()}-`;
  const isLeftOver = (name: string): boolean => {
    if (name.startsWith(`${temporaryPrefix()}-`)) return own;
    const pid = name.startsWith(host) ? Number(name.slice(host.length).split('-')[0]) : Number.NaN;
    if (!Number.isNaN(pid)) return !isProcessRunning(pid);
    const found = statSync(join(temporary, name), { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs > OLD;
  };
  for (const name of names) if (isLeftOver(name)) rmSync(join(temporary, name), { force: true });
}

/**
 * Records a result in the journal, gives its files their final names, and records that too. After a kill in between, the hash of a file tells whether it is
 * that of the result.
 *
 * @param folder The output folder.
 * @param journal Its journal.
 * @param id The task.
 * @param key Key of the result.
 * @param made The result.
 * @returns Where the first line is in the journal.
 * @throws OutputError when the disk is full or a file cannot be renamed.
 */
export function publish(folder: string, journal: Journal, id: string, key: string, made: MadeResult): LinePosition {
  const { files, temporary, resources, report } = made;
  const ready: ReadyLine = { state: 'ready', id, key, files, resources, report };
  try {
    const position = journal.append(ready);
    for (const [k, { path }] of files.entries()) {
      const final = join(folder, path);
      mkdirSync(dirname(final), { recursive: true });
      renameSync(temporary[k], final);
    }
    journal.append({ state: 'done', id, key });
    return position;
  } catch (error) {
    for (const path of temporary) rmSync(path, { force: true });
    throw new OutputError('CANNOT_WRITE', id, `The result of ${id} cannot be written: ${writeReason(error)}`);
  }
}

async function hasFile(
  folder: string,
  { path, bytes, sha256 }: ResultFile,
  comparesContent: boolean,
): Promise<boolean> {
  const found = statSync(join(folder, path), { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size !== bytes) return false;
  return !comparesContent || (await inspectFile(join(folder, path)))?.hash === sha256;
}

/** Checks whether files that inputs reference are unchanged; each is hashed once. */
export type ResourceCheck = (resources: readonly ResourceHash[]) => Promise<boolean>;

/**
 * Creates a check of referenced files.
 *
 * @returns The check: true when all files have the hashes that they had.
 */
export function createResourceCheck(): ResourceCheck {
  const hashes = new Map<string, Promise<string | null>>();
  return async (resources) => {
    for (const { path, sha256 } of resources) {
      const hash = hashes.get(path) ?? inspectFile(path).then((file) => file?.hash ?? null);
      hashes.set(path, hash);
      if ((await hash) !== sha256) return false;
    }
    return true;
  };
}

/** Checks whether results exist. */
export interface ResultFinder {
  /**
   * Finds the result of a task.
   *
   * @param record What the journals say about the task.
   * @param key Key that the result must have.
   * @returns Its line; null when it is missing, was changed, or was made from other files.
   */
  readonly find: (record: TaskRecord | undefined, key: string) => Promise<ReadyLine | null>;
}

/**
 * Creates a finder for results in an output folder.
 *
 * @param folder The output folder.
 * @returns The finder.
 */
export function createResultFinder(folder: string): ResultFinder {
  const areUnchanged = createResourceCheck();
  const find: ResultFinder['find'] = async (record, key) => {
    const line = record?.results.get(key);
    if (record === undefined || line === undefined) return null;
    // Where another result may have replaced the files after this one, only their content tells.
    const isSure =
      record.done.has(key) && record.lastKey === key && (record.results.size === 1 || record.journals.size === 1);
    for (const file of line.files) if (!(await hasFile(folder, file, !isSure))) return null;
    return (await areUnchanged(line.resources)) ? line : null;
  };
  return { find };
}

/**
 * Removes the files of a result, as far as they were not changed since, and folders that become empty.
 *
 * @param folder The output folder.
 * @param line The result.
 * @param kept Paths of files that other results have.
 * @returns Paths of the removed files.
 */
export async function removeResult(folder: string, { files }: ReadyLine, kept: ReadonlySet<string>): Promise<string[]> {
  const removed: string[] = [];
  for (const file of files) {
    if (kept.has(file.path) || !(await hasFile(folder, file, true))) continue;
    rmSync(join(folder, file.path), { force: true });
    removed.push(file.path);
    try {
      for (let parent = dirname(file.path); parent !== '.'; parent = dirname(parent)) rmdirSync(join(folder, parent));
    } catch {
      // The folder has other files.
    }
  }
  return removed;
}

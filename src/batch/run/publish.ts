/** Gives finished files their final names: a file with its final name is always complete. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isProcessRunning } from '../../files/node/is-process-running.ts';
import { isInside } from '../../files/node/read-input.ts';
import { OutputError } from '../../files/outputs/output-error.ts';
import { writeReason } from '../../files/reports/system-reason.ts';
import { refusedResult } from '../check/check-outcome.ts';
import { kindOf, obstacleOf, STATE_FOLDER } from '../check/result-path.ts';
import { type BatchTask, inputsOfTask } from '../plan/batch-task.ts';
import { isStorageUrl, joinStorageUrl } from '../storage/storage-url.ts';
import { inspectFile } from '../storage/stored-files.ts';
import type { Journal, LinePosition, ReadyLine, RecordedLine, TaskRecord } from './journal.ts';
import { type MadeResult, type ResourceHash, type ResultFile, TaskError } from './task-outcome.ts';

/** Errors of the system that concern one path: other tasks have other paths. */
const PATH_ERRORS: ReadonlySet<unknown> = new Set([
  'EEXIST',
  'EILSEQ',
  'EINVAL',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOTDIR',
  'ENOTEMPTY',
]);
/** Age after which a temporary file of another machine is left over, milliseconds. */
const OLD = 24 * 3600 * 1000;

export function temporaryFolderOf(folder: string): string {
  return join(folder, STATE_FOLDER, 'temporary');
}

export function temporaryPrefix(): string {
  return `${hostname()}-${process.pid}`;
}

/** Removes temporary files of processes that have ended: of this machine by their id, of others when they are a day old. */
export function removeTemporaryFiles(folder: string, own: boolean): void {
  const temporary = temporaryFolderOf(folder);
  const host = `${hostname()}-`;
  const isLeftOver = (name: string): boolean => {
    if (name.startsWith(`${temporaryPrefix()}-`)) return own;
    const pid = name.startsWith(host) ? Number(name.slice(host.length).split('-')[0]) : Number.NaN;
    if (!Number.isNaN(pid)) return !isProcessRunning(pid);
    const found = statSync(join(temporary, name), { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs > OLD;
  };
  for (const name of temporaryNames(temporary)) if (isLeftOver(name)) rmSync(join(temporary, name), { force: true });
}

/** Lists the files in a folder for temporary files. Links are not followed, so that nothing is removed elsewhere. */
export function temporaryNames(temporary: string): string[] {
  if (kindOf(dirname(temporary)) !== 'folder' || kindOf(temporary) !== 'folder') return [];
  try {
    return readdirSync(temporary).filter((name) => kindOf(join(temporary, name)) === 'file');
  } catch {
    return [];
  }
}

/** Checks, before anything is replaced, that a file can be moved to its place in the output folder. */
function checkMove(folder: string, id: string, { path, bytes }: ResultFile, temporary: string): void {
  const found = lstatSync(temporary, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size !== bytes) {
    const what = found?.isFile() === true ? `has ${found.size} bytes` : 'is no regular file';
    throw new TaskError(refusedResult(id, `${temporary} ${what}; expected a file of ${bytes}`).failure);
  }
  const obstacle = obstacleOf(folder, path);
  if (obstacle === null) return;
  const message = `The result of ${id} cannot be written: ${obstacle} is a link or a file; expected a folder. Remove it`;
  throw new TaskError({ code: 'CANNOT_WRITE', message });
}

/**
 * Records a result in the journal, gives its files their final names, compares their content with the result, and records that too. After a kill in
 * between, the hash of a file tells whether it is that of the result. Throws OutputError when the disk is full; TaskError when only this result
 * cannot be written, or is not what it says.
 */
export async function publish(
  folder: string,
  journal: Journal,
  id: string,
  key: string,
  made: MadeResult,
): Promise<LinePosition> {
  const { files, temporary, resources, report } = made;
  const ready: ReadyLine = { state: 'ready', id, key, files, resources, report };
  try {
    for (const [k, file] of files.entries()) checkMove(folder, id, file, temporary[k]);
    const position = journal.append(ready);
    for (const [k, { path }] of files.entries()) {
      const final = join(folder, path);
      mkdirSync(dirname(final), { recursive: true });
      renameSync(temporary[k], final);
    }
    for (const file of files) {
      if (await hasFile(folder, file, true)) continue;
      for (const { path } of files) rmSync(join(folder, path), { force: true });
      journal.append({ state: 'removed', id, key });
      throw new TaskError(refusedResult(id, `${file.path} has another hash than the worker said`).failure);
    }
    journal.append({ state: 'done', id, key });
    return position;
  } catch (error) {
    for (const path of temporary) rmSync(path, { force: true });
    if (error instanceof TaskError) throw error;
    const message = `The result of ${id} cannot be written: ${writeReason(error)}`;
    if (PATH_ERRORS.has((error as NodeJS.ErrnoException).code)) throw new TaskError({ code: 'CANNOT_WRITE', message });
    throw new OutputError('CANNOT_WRITE', id, message);
  }
}

/** Whether a file of a result is there, below the output folder and not behind a link. */
async function hasFile(
  folder: string,
  { path, bytes, sha256 }: ResultFile,
  comparesContent: boolean,
): Promise<boolean> {
  const final = join(folder, path);
  if (kindOf(final) !== 'file' || obstacleOf(folder, path) !== null || statSync(final).size !== bytes) return false;
  return !comparesContent || (await inspectFile(final))?.hash === sha256;
}

/** Whether a file is one that an input may reference: it is in the folder of the input or below. */
function isResourceOf(path: string, input: string): boolean {
  if (isStorageUrl(input)) return path.startsWith(joinStorageUrl(input.slice(0, input.lastIndexOf('/')), ''));
  return isAbsolute(path) && isInside(dirname(resolve(input)), path);
}

/** Creates a check whether files that the inputs of a task reference are unchanged; each is hashed once. Files that they cannot reference are not read. */
export function createResourceCheck(): (task: BatchTask, resources: readonly ResourceHash[]) => Promise<boolean> {
  const hashes = new Map<string, Promise<string | null>>();
  return async (task, resources) => {
    for (const { path, sha256 } of resources) {
      if (!inputsOfTask(task).some((input) => isResourceOf(path, input))) return false;
      const hash = hashes.get(path) ?? inspectFile(path).then((file) => file?.hash ?? null);
      hashes.set(path, hash);
      if ((await hash) !== sha256) return false;
    }
    return true;
  };
}

interface ResultFinder {
  /**
   * Finds the result of a task. `key`: key that the result must have. Returns its line; null when it is missing, was changed, or was made from
   * other files.
   */
  readonly find: (task: BatchTask, record: TaskRecord | undefined, key: string) => Promise<ReadyLine | null>;
}

export function createResultFinder(folder: string): ResultFinder {
  const areUnchanged = createResourceCheck();
  const find: ResultFinder['find'] = async (task, record, key) => {
    const line = record?.results.get(key);
    if (record === undefined || line === undefined || line.report === null) return null;
    // Where another result may have replaced the files after this one, only their content tells.
    const isSure =
      record.done.has(key) && record.lastKey === key && (record.results.size === 1 || record.journals.size === 1);
    for (const file of line.files) if (!(await hasFile(folder, file, !isSure))) return null;
    return (await areUnchanged(task, line.resources)) ? { ...line, report: line.report } : null;
  };
  return { find };
}

/** Removes the files of a result, as far as they were not changed since, and folders that become empty. */
export async function removeResult(
  folder: string,
  { files }: RecordedLine,
  kept: ReadonlySet<string>,
): Promise<string[]> {
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

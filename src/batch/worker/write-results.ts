import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { OutputError } from '../../files/outputs/output-error.ts';
import type { OutputFile } from '../../files/outputs/output-file.ts';
import { holdsOneClip } from '../../files/outputs/output-format.ts';
import { writeReason } from '../../files/reports/system-reason.ts';
import type { BatchTask } from '../plan/batch-task.ts';
import type { ResultFile } from '../run/task-outcome.ts';
import { publishFile } from '../storage/stored-results.ts';
import type { FolderDestination, StorageDestination } from './task-request.ts';

/** Final paths of the files of a task, relative to the output folder. */
function finalPath({ id, format, kind }: BatchTask, { path }: OutputFile): string {
  // Of formats that hold one clip, a motion with several makes several files.
  return kind === 'pair' && holdsOneClip(format) && path.includes('/')
    ? `${id}${path.slice(path.indexOf('/'))}`
    : `${id}.${format}`;
}

function writeTemporary(path: string, parts: readonly Uint8Array[]): Pick<ResultFile, 'bytes' | 'sha256'> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = openSync(path, 'wx');
  try {
    for (const part of parts) {
      hash.update(part);
      for (let done = 0; done < part.length; ) done += writeSync(file, part, done);
      bytes += part.length;
    }
  } finally {
    closeSync(file);
  }
  return { bytes, sha256: hash.digest('hex') };
}

let written = 0;

/** Writes the files of a task under temporary names. Throws OutputError when they cannot be written. */
export function writeResults(
  outputs: readonly OutputFile[],
  task: BatchTask,
  { temporaryFolder, prefix }: FolderDestination,
): [ResultFile[], string[]] {
  const temporary: string[] = [];
  try {
    mkdirSync(temporaryFolder, { recursive: true });
    const files = outputs.map((output): ResultFile => {
      const path = join(temporaryFolder, `${prefix}-${threadId}-${written++}.tmp`);
      temporary.push(path);
      return { path: finalPath(task, output), ...writeTemporary(path, output.parts) };
    });
    return [files, temporary];
  } catch (error) {
    for (const path of temporary) rmSync(path, { force: true });
    const message = `The result of ${task.id} cannot be written: ${writeReason(error)}`;
    throw new OutputError('CANNOT_WRITE', temporary.at(-1) ?? temporaryFolder, message);
  }
}

/** Writes the files of a task into object storage. Throws OutputError when they cannot be written. */
export async function storeResults(
  outputs: readonly OutputFile[],
  task: BatchTask,
  destination: StorageDestination,
): Promise<[ResultFile[], string[]]> {
  const files: ResultFile[] = [];
  const etags: string[] = [];
  for (const output of outputs) {
    const [file, etag] = await publishFile(destination, finalPath(task, output), output.parts);
    files.push(file);
    etags.push(etag);
  }
  return [files, etags];
}

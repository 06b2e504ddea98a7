/** Checks jobs of a queue: anyone who can write to the queue can name any path. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isInside } from '../../files/node/read-input.ts';
import { rigOfUrl } from '../../files/rig-url.ts';
import {
  BATCH_FORMATS,
  type BatchOptions,
  type BatchTask,
  type BatchTaskKind,
  inputsOfTask,
} from '../plan/batch-task.ts';
import { isStorageUrl, joinStorageUrl } from '../storage/storage-url.ts';
import type { FolderDestination, StorageDestination, TaskDestination, TaskRequest } from '../worker/task-request.ts';
import { isFileName, isResultPath, STATE_FOLDER } from './result-path.ts';
import {
  count,
  dictionaryOf,
  listOf,
  objectOf,
  oneOf,
  orNull,
  type Shape,
  ShapeError,
  text,
  textLike,
  valueThat,
} from './shape.ts';

const folderDestination: Shape<FolderDestination> = objectOf<FolderDestination>({
  type: oneOf(['folder']),
  temporaryFolder: text,
  prefix: textLike(/^job_[0-9a-f]{64}$/, 'job_ and the id of a job'),
});

const storageDestination: Shape<StorageDestination> = objectOf<StorageDestination>({
  type: oneOf(['storage']),
  url: text,
  key: valueThat((value) => typeof value === 'string' && isFileName(value), 'a name'),
  planned: count,
});

const destination: Shape<TaskDestination> = (value, where) =>
  (value as { type?: unknown } | null)?.type === 'storage'
    ? storageDestination(value, where)
    : folderDestination(value, where);

const bytes: Shape<number> = valueThat((value) => typeof value === 'number' && value >= 0, 'a number of bytes');

const job: Shape<TaskRequest> = objectOf<TaskRequest>({
  task: objectOf<BatchTask>({
    id: valueThat((value) => typeof value === 'string' && isResultPath(value), 'a path below the output folder'),
    kind: oneOf<BatchTaskKind>(['pair', 'pack', 'extract']),
    motions: listOf(text),
    character: orNull(text),
    format: oneOf(BATCH_FORMATS),
    options: valueThat<BatchOptions>((value) => typeof value === 'object' && value !== null, 'an object'),
  }),
  hashes: dictionaryOf(orNull(text)),
  destination,
  // JSON has no infinity: without a limit, that of the worker holds.
  memoryLimit: (value, where) => (value === null ? Number.POSITIVE_INFINITY : bytes(value, where)),
});

/** Resolves the links of a path, as far as it exists. */
function truePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(truePath(parent), basename(path));
  }
}

function isBelow(root: string, path: string): boolean {
  if (!isStorageUrl(path)) return !isStorageUrl(root) && isInside(truePath(resolve(root)), truePath(resolve(path)));
  const start = joinStorageUrl(root, '');
  return isStorageUrl(root) && path.startsWith(start) && !path.slice(start.length).split('/').includes('..');
}

/** Checks a job that a worker took from a queue. `roots`: folders, and URLs of folders in storage, that jobs may read and write. `memoryLimit`: most bytes that a task may use. Throws ShapeError for anything that no coordinator writes, and for paths outside of the roots. */
export function checkJob(
  value: unknown,
  { roots, memoryLimit }: { readonly roots: readonly string[]; readonly memoryLimit: number },
): TaskRequest {
  const checked = job(value, 'it');
  const { task, destination: to } = checked;
  if (task.motions.length === 0) throw new ShapeError('it has no motion; expected one at least');
  const output = to.type === 'folder' ? to.temporaryFolder : joinStorageUrl(to.url, 'results');
  if (to.type === 'folder' && !resolve(output).endsWith(join('/', STATE_FOLDER, 'temporary')))
    throw new ShapeError(`it writes to ${output}; expected a folder ${STATE_FOLDER}/temporary`);
  for (const path of [...inputsOfTask(task), output]) {
    if (roots.some((root) => isBelow(root, path)) || (path === task.character && rigOfUrl(path) !== null)) continue;
    const expected = `a path in the roots of this worker (${roots.join(', ')})`;
    throw new ShapeError(`it names ${path}; expected ${expected}. Start the worker with its folder as a root`);
  }
  return { ...checked, memoryLimit: Math.min(checked.memoryLimit, memoryLimit) };
}

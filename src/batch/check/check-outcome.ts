/** Checks what workers return: they may be on other machines, and anyone who can write to a queue can answer for them. */
import { basename, dirname, resolve } from 'node:path';
import { holdsOneClip } from '../../files/outputs/output-format.ts';
import type { BatchTask } from '../plan/batch-task.ts';
import type { FailedOutcome, MadeOutcome, MadeResult, TaskOutcome } from '../run/task-outcome.ts';
import type { TaskRequest } from '../worker/task-request.ts';
import { isFileName } from './result-path.ts';
import { resourceHash, resultFile, taskFailure, taskReport } from './result-shapes.ts';
import { listOf, objectOf, type Shape, ShapeError, text } from './shape.ts';

const madeOutcome: Shape<MadeOutcome> = objectOf<MadeOutcome>({
  made: objectOf<MadeResult>({
    files: listOf(resultFile),
    temporary: listOf(text),
    resources: listOf(resourceHash),
    report: taskReport,
  }),
});

const failedOutcome: Shape<FailedOutcome> = objectOf<FailedOutcome>({ failure: taskFailure });

const outcome: Shape<TaskOutcome> = (value, where) =>
  (typeof value === 'object' && value !== null && 'failure' in value ? failedOutcome : madeOutcome)(value, where);

/** Whether a path is the one that a file of a task has: of formats that hold one clip, a motion with several makes a folder. */
function isPathOf({ id, kind, format }: BatchTask, path: string): boolean {
  if (path === `${id}.${format}`) return true;
  if (kind !== 'pair' || !holdsOneClip(format) || !path.startsWith(`${id}/`)) return false;
  return isFileName(path.slice(id.length + 1)) && path.endsWith(`.${format}`);
}

function refuse(found: string, expected: string): never {
  throw new ShapeError(`${found}; expected ${expected}`);
}

function checkFiles({ files, temporary }: MadeResult, { task, destination }: TaskRequest, prefix: string): void {
  const [first] = files;
  if (first === undefined) refuse('it has no file', 'one at least');
  for (const { path } of files) {
    if (!isPathOf(task, path)) refuse(`a file is ${JSON.stringify(path)}`, `${task.id}.${task.format}`);
  }
  if (files.length > 1 && files.some(({ path }) => path === `${task.id}.${task.format}`))
    refuse(`it has ${files.length} files`, `${task.id}.${task.format} alone`);
  if (new Set(files.map(({ path }) => path)).size < files.length) refuse('two files have one path', 'a path each');
  if (destination.type === 'storage') return;
  const { temporaryFolder } = destination;
  if (temporary.length !== files.length || new Set(temporary).size < files.length)
    refuse(`it has ${temporary.length} temporary files`, `${files.length}`);
  for (const path of temporary) {
    if (dirname(resolve(path)) !== resolve(temporaryFolder) || !basename(path).startsWith(prefix))
      refuse(`a temporary file is ${JSON.stringify(path)}`, `one of the task in ${temporaryFolder}`);
  }
}

/** A result that is not believed. */
export function refusedResult(id: string, found: string): FailedOutcome {
  const message = `The result of ${id} was refused: ${found}. Check who can write to the queue and the output folder, then run again`;
  return { failure: { code: 'RESULT_REFUSED', message } };
}

/** Checks what a worker returned for a task. */
export function checkOutcome(value: unknown, request: TaskRequest, prefix = ''): TaskOutcome {
  try {
    const checked = outcome(value, 'it');
    if ('made' in checked) checkFiles(checked.made, request, prefix);
    return checked;
  } catch (error) {
    if (error instanceof ShapeError) return refusedResult(request.task.id, error.message);
    throw error;
  }
}

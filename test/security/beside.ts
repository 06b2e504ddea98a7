/** An output folder, and what is beside it: nothing there may be read, written, moved or removed. */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BatchPlan } from '../../src/batch/plan/batch-task.ts';
import { planBatch } from '../../src/batch/plan/plan-batch.ts';
import type { MadeResult, TaskOutcome } from '../../src/batch/run/task-outcome.ts';
import type { TaskPool } from '../../src/batch/run/worker-pool.ts';
import type { TaskRequest } from '../../src/batch/worker/task-request.ts';

/** What the files beside the output folder contain. */
export const SECRET_TEXT = 'the content of a private file';
/** SHA-256 of a text, hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Describes all that is in a folder, without following links. */
export function treeOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const found = lstatSync(path);
      if (found.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      if (!found.isFile()) return `${name}/`;
      return `${name} ${found.mtimeMs} ${sha256(readFileSync(path, 'latin1'))}`;
    });
}

/** A folder with an output folder `out`, inputs, and private files beside them. */
export interface Surroundings {
  /** Path of the output folder. */
  readonly out: string;
  /** Path of a private file. */
  readonly secret: string;
  /** Two tasks whose inputs exist: `hero/walk` and `hero/wave`. */
  readonly plan: BatchPlan;
  /** Describes all that is beside the output folder. */
  readonly beside: () => string[];
}

/** Creates the folders. */
export function makeSurroundings(root: string): Surroundings {
  for (const name of ['out', 'inputs', 'victim/folder']) mkdirSync(join(root, name), { recursive: true });
  for (const name of ['walk.bvh', 'wave.bvh', 'hero.glb']) writeFileSync(join(root, 'inputs', name), name);
  const secret = join(root, 'victim/id_rsa');
  for (const path of [secret, join(root, 'victim/folder/only.txt'), join(root, 'bashrc')])
    writeFileSync(path, SECRET_TEXT);
  const input = (name: string): string => join(root, 'inputs', name);
  return {
    out: join(root, 'out'),
    secret,
    plan: planBatch({ motions: [input('walk.bvh'), input('wave.bvh')], characters: [input('hero.glb')] }),
    beside: () => treeOf(root).filter((line) => line.split(/[/ ]/)[0] !== 'out'),
  };
}

/** A report without anything. */
export const EMPTY_REPORT = { clips: [], figures: null, strips: [], issues: [] } as const;

/** Makes the result of a task as a worker does: one file with a temporary name. */
export function makeResult({ task, destination }: TaskRequest, content: string = task.id): MadeResult {
  if (destination.type !== 'folder') throw new Error('the result goes into a folder');
  const { temporaryFolder, prefix } = destination;
  mkdirSync(temporaryFolder, { recursive: true });
  const temporary = join(temporaryFolder, `${prefix}-0-${sha256(task.id).slice(0, 8)}.tmp`);
  writeFileSync(temporary, content);
  const file = { path: `${task.id}.${task.format}`, bytes: Buffer.byteLength(content), sha256: sha256(content) };
  return { files: [file], temporary: [temporary], resources: [], report: EMPTY_REPORT };
}

/** A pool that answers as it likes; without a function, as a worker does. */
export function answering(
  answer: (request: TaskRequest) => unknown = (request) => ({ made: makeResult(request) }),
): TaskPool {
  return { size: 1, run: async (request) => answer(request) as TaskOutcome, close: async () => undefined };
}

/** Appends lines to the journal of an output folder. */
export function addToJournal(out: string, ...lines: readonly unknown[]): void {
  const path = join(out, '.anyrig/main.journal.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(path, `${texts.join('\n')}\n`, { flag: 'a' });
}

/** Inputs and results of batches that are killed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchPlan } from '../../src/batch/plan/batch-task.ts';
import { planBatch } from '../../src/batch/plan/plan-batch.ts';
import { type BatchResult, runBatch } from '../../src/batch/run/run-batch.ts';
import { demoBytes } from '../support/make/demo-files.ts';
import { poolHere } from './pool.ts';

/** Adds equal small motions with different names to a library. */
export function addMotions(folder: string, from: number, count: number): void {
  for (let k = from; k < from + count; k++) writeFileSync(join(folder, `turn${k}.bvh`), demoBytes('turn.bvh'));
}

/** Creates a library of two characters and equal small motions with different names. */
export function makeInputs(folder: string, motions: number): string {
  mkdirSync(folder);
  addMotions(folder, 0, motions);
  for (const character of ['giant.glb', 'chibi.vrm']) writeFileSync(join(folder, character), demoBytes(character));
  return folder;
}

/** Plans every motion of a library onto every character. */
export function planInputs(inputs: string): BatchPlan {
  const paths = readdirSync(inputs).map((name) => join(inputs, name));
  return planBatch({
    motions: paths.filter((path) => path.endsWith('.bvh')),
    characters: paths.filter((path) => !path.endsWith('.bvh')),
    options: { contacts: 'off' },
  });
}

/** Runs the batch of a library in this process, because starting another one takes longer. Lists the tasks that it ran. */
export async function runInputs(folder: string, inputs: string): Promise<BatchResult & { ran: string[] }> {
  const pool = poolHere();
  return { ...(await runBatch(planInputs(inputs), { folder, pool })), ran: pool.ran };
}

/** Lists the files under their final names. */
export function resultNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.anyrig'),
  );
  return names.filter((name) => statSync(join(folder, name)).isFile()).sort();
}

/** Reads the results under their final names. */
export function resultsIn(folder: string): Map<string, Buffer> {
  return new Map(resultNames(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** Lists the names whose contents differ between results; `toEqual` takes seconds for them. */
export function differentResults(actual: ReadonlyMap<string, Buffer>, expected: ReadonlyMap<string, Buffer>): string[] {
  const names = new Set([...actual.keys(), ...expected.keys()]);
  return [...names].filter((name) => {
    const [a, b] = [actual.get(name), expected.get(name)];
    return a === undefined || b === undefined || !a.equals(b);
  });
}

/** Returns the ids of tasks that have results. */
export function finishedIds(folder: string): string[] {
  return resultNames(folder).map((name) => name.replace(/\.\w+$/, ''));
}

/** Reads the ids of the tasks that were started, from the log of `kill-child.ts`. */
export function idsIn(log: string): string[] {
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

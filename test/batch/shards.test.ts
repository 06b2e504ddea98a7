/** Shards make the same files as one machine, whatever else their workers did before. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mergeReports, planBatch, reportBatch, runBatch, shardTasks } from '../../src/batch/index.ts';
import type { BatchOptions } from '../../src/batch/plan/batch-task.ts';
import { DEMO_CHARACTERS } from '../../src/demo/index.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { demoBytes, temporaryFolder } from '../support/make/demo-files.ts';
import { poolHere } from './pool.ts';

const at = temporaryFolder();
const [COPIES, CHARACTERS, SHARDS] = IS_FULL_RUN ? [2, 4, 5] : [1, 2, 2];
const MOTIONS = IS_FULL_RUN ? ['walk.glb', 'wave.vrma', 'turn.bvh'] : ['wave.vrma', 'turn.bvh'];
const MINUTES = 10 * 60_000;

/** Files under their final names. */
function resultsIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.'));
  const files = names.filter((name) => statSync(join(folder, name)).isFile()).sort();
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

it(`runBatch: ${SHARDS} shards and one machine give byte-identical folders and reports`, {
  timeout: MINUTES,
}, async () => {
  mkdirSync(at('in'));
  const motions = MOTIONS.flatMap((name) =>
    Array.from({ length: COPIES }, (_, k) => {
      const path = at('in', `${k}-${name}`);
      writeFileSync(path, demoBytes(name));
      return path;
    }),
  );
  const characters = DEMO_CHARACTERS.slice(0, CHARACTERS).map(({ name }) => {
    writeFileSync(at('in', name), demoBytes(name));
    return at('in', name);
  });
  const edits: BatchOptions = { edits: { mirror: true, speed: 1.3 } };
  const pairs = motions.map((motion) => ({ motion, character: characters[0], options: edits }));
  // What workers keep of characters for contacts takes most of the time.
  const options: BatchOptions = IS_FULL_RUN ? {} : { contacts: 'off' };
  const plan = planBatch({ motions, characters, pairs, options });
  const sizes = new Map([...motions, ...characters].map((path) => [path, statSync(path).size]));
  const reports = [];
  for (let index = 1; index <= SHARDS; index++) {
    const tasks = shardTasks(plan.tasks, sizes, index, SHARDS);
    const { entries } = await runBatch(plan, {
      folder: at('shards'),
      tasks,
      pool: poolHere(),
      journal: `shard-${index}`,
    });
    reports.push(reportBatch(entries, { index, count: SHARDS }));
  }
  const whole = await runBatch(plan, { folder: at('whole'), pool: poolHere(1) });
  const made = resultsIn(at('whole'));
  expect(made.size).toBe(motions.length * characters.length);
  expect(resultsIn(at('shards'))).toEqual(made);
  expect(mergeReports(reports)).toEqual(reportBatch(whole.entries));
});

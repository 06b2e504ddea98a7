/**
 * A batch in a process of its own, which a test kills: `kill-child.ts FOLDER INPUTS`. Appends the id of every task that it runs to FOLDER.log. Retargets in this
 * thread, which starts faster than worker threads.
 */
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { planBatch } from '../../src/batch/plan/plan-batch.ts';
import { runBatch } from '../../src/batch/run/run-batch.ts';
import { poolHere } from './pool.ts';

const [folder, inputs] = process.argv.slice(2);
const paths = readdirSync(inputs).map((name) => join(inputs, name));
const plan = planBatch({
  motions: paths.filter((path) => path.endsWith('.bvh')),
  characters: paths.filter((path) => !path.endsWith('.bvh')),
  options: { contacts: 'off' },
});
console.log('started');
const result = await runBatch(plan, {
  folder,
  pool: poolHere(),
  onEvent: (event) => {
    if (event.type === 'started') appendFileSync(`${folder}.log`, `${event.task.id}\n`);
  },
});
if (result.failure !== null) {
  console.error(result.failure.code);
  process.exitCode = 4;
}

/**
 * A batch in a process of its own, which a test kills: `kill-child.ts FOLDER INPUTS [QUEUE [LOG]]`. Appends the id of every task that it runs to LOG, by default FOLDER.log. Without the
 * URL of a queue it retargets in this thread, which starts faster than worker threads.
 */
import { appendFileSync } from 'node:fs';
import { createQueuePool } from '../../src/batch/queue/queue-pool.ts';
import { runBatch } from '../../src/batch/run/run-batch.ts';
import { planInputs } from './batch-files.ts';
import { poolHere } from './pool.ts';

const [folder, inputs, url, log = `${folder}.log`] = process.argv.slice(2);
/** Jobs that wait in the queue. */
const QUEUED = 50;
const plan = planInputs(inputs);
console.log('started');
const pool = url === undefined ? poolHere() : await createQueuePool({ url, size: QUEUED });
const result = await runBatch(plan, {
  folder,
  pool,
  onEvent: (event) => {
    if (event.type === 'started') appendFileSync(log, `${event.task.id}\n`);
  },
});
await pool.close();
if (result.failure !== null) {
  console.error(result.failure.code);
  process.exitCode = 4;
}

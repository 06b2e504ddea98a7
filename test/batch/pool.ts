/** Runs tasks in this thread, because starting worker threads takes seconds. */
import type { TaskPool } from '../../src/batch/run/worker-pool.ts';
import { createTaskRunner } from '../../src/batch/worker/run-task.ts';

/** Creates a pool without threads. Lists the tasks that it ran. */
export function poolHere(size = 2): TaskPool & { readonly ran: string[] } {
  const runTask = createTaskRunner();
  const ran: string[] = [];
  const run: TaskPool['run'] = (request) => {
    ran.push(request.task.id);
    return runTask(request);
  };
  return { size, run, close: async () => undefined, ran };
}

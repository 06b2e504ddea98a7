/** Runs tasks in this thread, because starting worker threads takes seconds. */
import type { TaskPool } from '../../src/batch/run/worker-pool.ts';
import { createTaskRunner } from '../../src/batch/worker/run-task.ts';

/** Creates a pool without threads. Lists the tasks that it ran. Memory is limited on request only: on the heap of this process are the other tests, too. */
export function poolHere(size = 2, memoryLimit = Number.POSITIVE_INFINITY): TaskPool & { readonly ran: string[] } {
  const runTask = createTaskRunner();
  const ran: string[] = [];
  const run: TaskPool['run'] = (request) => {
    ran.push(request.task.id);
    return runTask({ ...request, memoryLimit });
  };
  return { size, run, close: async () => undefined, ran };
}

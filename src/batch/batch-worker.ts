/** Entry of the worker threads of a batch. */
import { createTaskRunner } from './worker/run-task.ts';

export default createTaskRunner();

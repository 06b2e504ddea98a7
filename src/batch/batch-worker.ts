import { createTaskRunner } from './worker/run-task.ts';

export default createTaskRunner();

/** A worker of the benchmark that plays parts of groups. */
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { serveThread } = await import('anyrig/kernels');
parentPort.once('message', serveThread);

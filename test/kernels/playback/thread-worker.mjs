/** A worker of the tests that plays parts of groups. */
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { serveThread } = await import('../../../src/kernels/playback/threads.ts');
parentPort.once('message', serveThread);

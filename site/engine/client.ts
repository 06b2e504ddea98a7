/** The worker as seen from the page; started on first use. */
import { type Remote, wrap } from 'comlink';
import type { Engine } from './worker.ts';

let remote: Remote<Engine> | null = null;

/** Returns the functions of the worker. */
export function engine(): Remote<Engine> {
  remote ??= wrap<Engine>(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
  return remote;
}

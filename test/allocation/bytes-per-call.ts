/** What a function allocates, measured in a process of its own: the heap of a test worker belongs to all its tests, as does what its compiler has learned. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('measure.ts', import.meta.url));
/** Room for what is allocated in a round, megabytes, so that no collection takes it away before it is counted. */
const YOUNG = 64;
/** On one thread the engine compiles at the same moments every time: what it inlines, and so which numbers it boxes, does not change. */
const ENGINE = ['--expose-gc', '--single-threaded', `--min-semi-space-size=${YOUNG}`, `--max-semi-space-size=${YOUNG}`];
const SOURCE = ['--conditions=@anyrig/source', '--import', import.meta.resolve('tsx')];

/**
 * Bytes that a call of `call`, exported by a module, leaves on the heap, as soon as it is compiled. `probe` is the URL of the module.
 * A number that is boxed takes 16, an object 24 and more; what the engine does beside moves the result by less than 1.
 */
export async function bytesPerCall(probe: URL): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...ENGINE, ...SOURCE, MAIN, probe.href]);
  return Number(stdout);
}

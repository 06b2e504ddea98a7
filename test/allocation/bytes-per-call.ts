/** Measures the allocations of a function in a separate process: tests of one worker share its heap and its compiler state. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAIN = fileURLToPath(new URL('measure.ts', import.meta.url));
/** Bytes per call that Node.js itself allocates now and then; the smallest object in every call is thirty times as much. */
const NOISE = 0.4;
/** Megabytes of young generation, enough for one round, so that nothing is collected before it is counted. */
const YOUNG = 64;
/** On one thread, the engine compiles at the same moments in every run, so inlining and number boxing are reproducible. */
const ENGINE = ['--expose-gc', '--single-threaded', `--min-semi-space-size=${YOUNG}`, `--max-semi-space-size=${YOUNG}`];
const SOURCE = ['--conditions=@anyrig/source', '--import', import.meta.resolve('tsx')];

/**
 * Measures the bytes that a compiled call of `call`, exported by the module at the URL `probe`, allocates on the heap. A boxed number takes 16,
 * an object 24 or more; other activity of the engine changes the result by less than 1. Fewer bytes than `enough` end the measurement: without it, a function
 * that may box some numbers is called 600,000 times.
 */
export async function bytesPerCall(probe: URL, enough: number = NOISE): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...ENGINE,
    ...SOURCE,
    MAIN,
    probe.href,
    String(enough),
  ]);
  return Number(stdout);
}

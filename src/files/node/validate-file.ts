import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ValidateFileOptions, type ValidationReport, validateFileBy } from '../jobs/validate-file.ts';
import type { RunValidator } from '../reports/validator-issues.ts';

/** Seconds that the validator may take, and more of them per megabyte. It takes 0.3 s for a character of 3 MB. */
const TIME_LIMIT = 60;
const SECONDS_PER_MEGABYTE = 1;

/**
 * The program of the thread. On hostile files gltf-validator overflows the stack where no caller can catch it, or runs for hours: only a thread
 * can be stopped then.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { entry, bytes, options, readsFiles } = workerData;
const asked = [];
parentPort.on('message', ({ id, bytes, reason }) => (bytes ? asked[id].resolve(bytes) : asked[id].reject(reason)));
const externalResourceFunction = (uri) => new Promise((resolve, reject) => {
  parentPort.postMessage({ uri, id: asked.push({ resolve, reject }) - 1 });
});
require(entry)
  .validateBytes(bytes, readsFiles ? { ...options, externalResourceFunction } : options)
  .then((report) => parentPort.postMessage({ report }), (reason) => parentPort.postMessage({ reason: String(reason) }));
`;

/** Creates a validator that runs in a thread, for at most `seconds` in all. */
export function validatorThread(seconds: number, signal?: AbortSignal): RunValidator {
  const entry = createRequire(join(import.meta.dirname, 'validate-file.js')).resolve('gltf-validator');
  const end = performance.now() + 1000 * seconds;
  return async (bytes, { externalResourceFunction, ...options } = {}) => {
    const copy = new Uint8Array(bytes);
    const workerData = { entry, bytes: copy, options, readsFiles: externalResourceFunction !== undefined };
    const worker = new Worker(PROGRAM, { eval: true, execArgv: [], workerData, transferList: [copy.buffer] });
    const answer = async (id: number, uri: string): Promise<void> => {
      try {
        worker.postMessage({ id, bytes: await externalResourceFunction?.(uri) });
      } catch (reason) {
        worker.postMessage({ id, reason });
      }
    };
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        worker.on('message', ({ id, uri, report, reason }) => {
          if (uri !== undefined) void answer(id, uri);
          else if (report !== undefined) resolve(report);
          else reject(reason);
        });
        worker.on('error', reject);
        worker.on('exit', () => reject(new Error('the thread ended')));
        stop = () => reject(signal?.reason);
        signal?.addEventListener('abort', stop);
        timer = setTimeout(() => reject(new Error(`it took longer than ${seconds} s`)), end - performance.now());
      });
    } finally {
      clearTimeout(timer);
      if (stop !== undefined) signal?.removeEventListener('abort', stop);
      await worker.terminate();
    }
  };
}

/** Validates a glTF or FBX file. Documented in jobs/validate-file.ts, whose validator runs in a thread here, which ends when the file takes too long. */
export function validateFile(bytes: Uint8Array, options: ValidateFileOptions = {}): Promise<ValidationReport> {
  const seconds = TIME_LIMIT + Math.round((SECONDS_PER_MEGABYTE * bytes.length) / 1e6);
  return validateFileBy(validatorThread(seconds, options.signal), bytes, options);
}

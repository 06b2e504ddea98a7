/** The worker as seen from the page: starts it, restarts it when it no longer answers, and opens the files again. */
import { type Remote, releaseProxy, wrap } from 'comlink';
import type { FileSummary } from '../engine/protocol.ts';
import type { Engine } from '../engine/worker.ts';

/** Milliseconds after which a file that is still being opened counts as harmful. */
const OPEN_TIMEOUT = 60_000;

/** A file that the user chose: bytes are read when they are needed. */
export interface InputFile {
  /** Id between page and worker. */
  readonly id: string;
  /** Name of the file. */
  readonly name: string;
  /** Its content. */
  readonly blob: Blob;
  /** Files that it may reference, by path relative to it. */
  readonly resources: ReadonlyMap<string, Blob>;
}

/** The worker with the files that are open in it. */
export interface EngineClient {
  /** Calls a function of the worker. */
  readonly engine: () => Remote<Engine>;
  /**
   * Opens a file.
   *
   * @param file The file.
   * @returns A description.
   * @throws Error with the reason in words; the worker is restarted if it crashed or no longer answers.
   */
  open(file: InputFile): Promise<FileSummary>;
  /**
   * Opens a file without describing it.
   *
   * @param file The file.
   */
  load(file: InputFile): Promise<void>;
  /**
   * Closes a file.
   *
   * @param id The file.
   */
  close(id: string): Promise<void>;
}

/** Rejects when the worker crashes or does not answer in time. */
function guard<T>(worker: Worker, answer: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => reject(new WorkerLost(message));
    const timer = setTimeout(() => fail(`It took longer than ${milliseconds / 1000} s.`), milliseconds);
    const onError = (): void => fail('It stopped the program that reads files.');
    worker.addEventListener('error', onError, { once: true });
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      worker.removeEventListener('error', onError);
    });
  });
}

/** The worker crashed or no longer answers. */
class WorkerLost extends Error {}

/**
 * Starts the worker.
 *
 * @returns Its functions.
 */
export function createEngineClient(): EngineClient {
  const opened = new Map<string, InputFile>();
  let worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module', name: 'engine' });
  let engine = wrap<Engine>(worker);

  async function send(file: InputFile): Promise<FileSummary> {
    return await guard(worker, engine.open(file), OPEN_TIMEOUT);
  }

  async function restart(): Promise<void> {
    engine[releaseProxy]();
    worker.terminate();
    worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module', name: 'engine' });
    engine = wrap<Engine>(worker);
    for (const file of opened.values()) await send(file);
  }

  return {
    engine: () => engine,
    open: async (file) => {
      try {
        const summary = await send(file);
        opened.set(file.id, file);
        return summary;
      } catch (error) {
        if (error instanceof WorkerLost) await restart();
        throw error;
      }
    },
    load: (file) => guard(worker, engine.load(file), OPEN_TIMEOUT),
    close: async (id) => {
      opened.delete(id);
      await engine.close(id);
    },
  };
}

/** The worker as seen from the page: starts it, restarts it when it no longer answers, and opens the files again. */
import { type Remote, releaseProxy, wrap } from 'comlink';
import type { FileSummary, RetargetRequest, RetargetResult } from '../engine/protocol.ts';
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
   * @throws Error as {@link EngineClient.open}.
   */
  load(file: InputFile): Promise<void>;
  /**
   * Retargets a clip, however long it takes.
   *
   * @param request What to retarget.
   * @returns The result.
   * @throws Error with the reason in words; the worker is restarted if it crashed.
   */
  retarget(request: RetargetRequest): Promise<RetargetResult>;
  /**
   * Closes a file.
   *
   * @param id The file.
   */
  close(id: string): Promise<void>;
}

/** Rejects when the worker crashes, or does not answer in time where there is a limit. */
function guard<T>(worker: Worker, answer: Promise<T>, milliseconds: number | null): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => reject(new WorkerLost(message));
    const onTime = (): void => fail(`It took longer than ${(milliseconds ?? 0) / 1000} s.`);
    const timer = milliseconds === null ? undefined : setTimeout(onTime, milliseconds);
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
  /** How each file is opened again in a new worker. */
  const opened = new Map<string, () => Promise<unknown>>();
  let worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module', name: 'engine' });
  let engine = wrap<Engine>(worker);

  async function restart(): Promise<void> {
    engine[releaseProxy]();
    worker.terminate();
    worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module', name: 'engine' });
    engine = wrap<Engine>(worker);
    for (const open of opened.values()) await open();
  }

  async function recover<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof WorkerLost) await restart();
      throw error;
    }
  }

  async function keep<T>(id: string, open: () => Promise<T>): Promise<T> {
    const answer = await recover(open);
    opened.set(id, open);
    return answer;
  }

  return {
    engine: () => engine,
    open: (file) => keep(file.id, () => guard(worker, engine.open(file), OPEN_TIMEOUT)),
    load: (file) => keep(file.id, () => guard(worker, engine.load(file), OPEN_TIMEOUT)),
    retarget: (request) => recover(() => guard(worker, engine.retarget(request), null)),
    close: async (id) => {
      opened.delete(id);
      await engine.close(id);
    },
  };
}

/** The worker as seen from the page: starts it, restarts it when it no longer answers, and opens the files again. */
import { type Remote, wrap } from 'comlink';
import type { FileSummary, Measures, RetargetRequest, RetargetResult, SentFile } from '../engine/protocol.ts';
import type { Engine } from '../engine/worker.ts';

/** Milliseconds after which a file that is still being opened counts as harmful. */
const OPEN_TIMEOUT = 60_000;
/** Milliseconds for retargeting: the most that a timer can wait. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** A file that the user chose: bytes are read when they are needed. */
export interface InputFile extends SentFile {
  /** Its name for people; that of the file by default. */
  readonly title?: string;
  /** Address that it was read from; absent for files of this machine. */
  readonly address?: string;
}

export interface EngineClient {
  readonly engine: () => Remote<Engine>;
  /** Opens a file. Throws Error with the reason in words; the worker is restarted if it crashed or no longer answers. */
  open(file: InputFile): Promise<FileSummary>;
  /** Opens a file without describing it. */
  load(file: InputFile): Promise<void>;
  /** Retargets a clip, however long it takes. Throws Error with the reason in words; the worker is restarted if it crashed. */
  retarget(request: RetargetRequest): Promise<RetargetResult>;
  /** Measures the result of a request; null where it has no clip. Throws as `retarget` does. */
  measure(request: RetargetRequest): Promise<Measures | null>;
  close(id: string): Promise<void>;
}

/** Rejects when the worker crashes or does not answer in time. */
function guard<T>(worker: Worker, answer: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => reject(new WorkerLost(message));
    const timer = setTimeout(() => fail(`It took longer than ${milliseconds / 1000} s.`), milliseconds);
    const onError = (): void => fail('It stopped the worker.');
    worker.addEventListener('error', onError, { once: true });
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      worker.removeEventListener('error', onError);
    });
  });
}

/** The worker crashed or no longer answers. */
class WorkerLost extends Error {}

/** Creates the client. Its worker starts with the first call. */
export function createEngineClient(): EngineClient {
  /** How each file is opened again in a new worker. */
  const opened = new Map<string, () => Promise<unknown>>();
  let running: { readonly worker: Worker; readonly engine: Remote<Engine> } | null = null;
  /** Starts the worker when it is first needed: the first view moves without it. */
  function started(): { readonly worker: Worker; readonly engine: Remote<Engine> } {
    if (running !== null) return running;
    const worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' });
    running = { worker, engine: wrap<Engine>(worker) };
    return running;
  }
  const engine = (): Remote<Engine> => started().engine;

  async function restart(): Promise<void> {
    running?.worker.terminate();
    running = null;
    for (const open of opened.values()) await guard(started().worker, open(), OPEN_TIMEOUT);
  }

  async function ask<T>(answer: () => Promise<T>, milliseconds: number): Promise<T> {
    try {
      return await guard(started().worker, answer(), milliseconds);
    } catch (error) {
      if (error instanceof WorkerLost) await restart();
      throw error;
    }
  }

  async function keep<T>(id: string, open: () => Promise<T>): Promise<T> {
    const answer = await ask(open, OPEN_TIMEOUT);
    opened.set(id, open);
    return answer;
  }

  return {
    engine,
    open: (file) => keep(file.id, () => engine().open(file)),
    load: (file) => keep(file.id, () => engine().load(file)),
    retarget: (request) => ask(() => engine().retarget(request), NO_TIMEOUT),
    measure: (request) => ask(() => engine().measure(request), NO_TIMEOUT),
    close: async (id) => {
      opened.delete(id);
      await engine().close(id);
    },
  };
}

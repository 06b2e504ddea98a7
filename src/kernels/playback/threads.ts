/**
 * Playback on several threads: every thread plays its part of the characters of a group, in one shared memory. Threads sleep between frames; waking them and
 * their reply take about 50 µs, which pays from about 300 characters on.
 */
import { compileModule } from '../compile-module.ts';
import { KernelMemory } from '../kernel-memory.ts';
import { PLAYBACK_SHARED_WASM } from '../playback-shared.wasm.ts';
import type { Play, PlaybackMemory } from './playback-kernel.ts';

/** The main thread's end of a worker: `Worker` of browsers, or of `node:worker_threads`. */
export interface KernelWorker {
  /** Sends a message to the worker. */
  postMessage(message: ThreadMessage): void;
}

/** What {@link serveThread} needs in a worker. */
export interface ThreadMessage {
  /** The compiled kernel. */
  readonly module: WebAssembly.Module;
  /** The shared memory. */
  readonly memory: WebAssembly.Memory;
  /** Byte address of the mailbox of this worker. */
  readonly mailbox: number;
}

/** State of a mailbox. */
const STARTING = 0;
const IDLE = 1;
const BUSY = 2;
const STOPPED = 3;
/** i32 of a mailbox: its state, then five arguments of the kernel. One cache line. */
const MAILBOX_INTS = 16;
const ARGUMENTS = 5;
/** Milliseconds after which a worker that does not reply is an error. */
const PATIENCE = 10_000;
/** Reads of a mailbox between two looks at the clock. */
const READS = 100_000;

/** Workers that play in a shared memory. */
export interface PlaybackThreads {
  /** The memory for groups. */
  readonly owner: PlaybackMemory;
  /** Ends the loops of the workers, which can then be terminated. Groups cannot be updated any more. */
  readonly stop: () => void;
}

/** Waits for a worker without sleeping, as browsers demand on the main thread. */
function waitFor(states: Int32Array, at: number, state: number): void {
  let reads = 0;
  let deadline = 0;
  while (Atomics.load(states, at) !== state) {
    if (++reads < READS) continue;
    reads = 0;
    const now = performance.now();
    if (deadline === 0) deadline = now + PATIENCE;
    else if (now > deadline)
      throw new Error('A worker of the kernel does not reply. Call stop before terminating workers.');
  }
}

/**
 * Starts playback on several threads: this one and one per worker. Every worker must call {@link serveThread} with the first message that it gets.
 *
 * @param workers The workers. The page must be cross-origin isolated, since they share memory.
 * @returns The memory for groups; null where shared WebAssembly memory or SIMD is missing.
 * @throws {Error} If a worker does not start within ten seconds, or compiling fails.
 * @example
 * // worker.js: import { serveThread } from 'anyrig/kernels'; onmessage = ({ data }) => serveThread(data);
 * const threads = await startPlaybackThreads([new Worker('worker.js', { type: 'module' })]);
 * const group = new PlaybackGroup(threads.owner, plan, 2000);
 */
export async function startPlaybackThreads(workers: readonly KernelWorker[]): Promise<PlaybackThreads | null> {
  if (typeof SharedArrayBuffer === 'undefined') return null;
  const module = await compileModule(PLAYBACK_SHARED_WASM);
  if (module === null) return null;
  const memory = new KernelMemory(true);
  const { exports } = new WebAssembly.Instance(module, { env: { memory: memory.memory } });
  const play = exports['play'] as Play;
  const start = memory.allocate(4 * MAILBOX_INTS * workers.length);
  const mailboxes = new Int32Array(memory.buffer, start, MAILBOX_INTS * workers.length).fill(STARTING);
  for (const [k, worker] of workers.entries()) {
    worker.postMessage({ module, memory: memory.memory, mailbox: start + 4 * MAILBOX_INTS * k });
  }
  const deadline = performance.now() + PATIENCE;
  for (let k = 0; k < workers.length; k++) {
    while (Atomics.load(mailboxes, MAILBOX_INTS * k) !== IDLE) {
      if (performance.now() > deadline) {
        throw new Error('A worker of the kernel did not start. Call serveThread with its first message.');
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const playParts = (parts: Int32Array): void => {
    for (let k = 0; k < workers.length; k++) {
      const part = ARGUMENTS * (k + 1);
      if (parts[part + ARGUMENTS - 1] === 0) continue;
      const mailbox = MAILBOX_INTS * k;
      for (let c = 0; c < ARGUMENTS; c++) mailboxes[mailbox + 1 + c] = parts[part + c];
      Atomics.store(mailboxes, mailbox, BUSY);
      Atomics.notify(mailboxes, mailbox);
    }
    play(parts[0], parts[1], parts[2], parts[3], parts[4]);
    for (let k = 0; k < workers.length; k++) waitFor(mailboxes, MAILBOX_INTS * k, IDLE);
  };
  const stop = (): void => {
    for (let k = 0; k < workers.length; k++) {
      Atomics.store(mailboxes, MAILBOX_INTS * k, STOPPED);
      Atomics.notify(mailboxes, MAILBOX_INTS * k);
    }
  };
  return { owner: { memory, play, frames: new Map(), threads: workers.length + 1, playParts }, stop };
}

/**
 * Plays parts of groups in a worker until {@link PlaybackThreads.stop}. Blocks the worker, so it should have nothing else to do.
 *
 * @param message The first message of the worker.
 */
export function serveThread({ module, memory, mailbox }: ThreadMessage): void {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const play = exports['play'] as Play;
  const box = new Int32Array(memory.buffer, mailbox, MAILBOX_INTS);
  Atomics.store(box, 0, IDLE);
  for (;;) {
    Atomics.wait(box, 0, IDLE);
    const state = Atomics.load(box, 0);
    if (state === STOPPED) return;
    if (state !== BUSY) continue;
    play(box[1], box[2], box[3], box[4], box[5]);
    Atomics.store(box, 0, IDLE);
  }
}

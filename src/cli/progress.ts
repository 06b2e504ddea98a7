/**
 * A status line on the terminal, for jobs that take long. Reading or converting one file blocks the main thread, so a second thread writes the line; the
 * two share the text and a lock.
 */
import { Worker } from 'node:worker_threads';
import type { JobProgress } from '../files/jobs/job-control.ts';
import { escapeHidden, type Io, oneLine, writeLines } from './io.ts';

/** Milliseconds before the first line is shown. */
const QUIET = 1000;
/** Milliseconds between two lines. */
const INTERVAL = 100;
/** Milliseconds between two lines in a log, for jobs that ask for them. */
const LOG_INTERVAL = 10_000;
/** Most characters of a line: a longer one would wrap in a terminal of 80 columns, and could not be cleared. */
const COLUMNS = 78;
/** Most bytes of the text in UTF-8. */
const TEXT_BYTES = 4 * COLUMNS;

/** Indices of the shared numbers: lock, number of the text, its bytes, whether a line is shown, whether the job has ended. */
const [LOCK, VERSION, LENGTH, SHOWN, ENDED] = [0, 1, 2, 3, 4];
/** Bytes of the shared numbers, before those of the text. */
const HEADER = 4 * 5;

const CLEAR = '\r\u001b[2K';

interface Progress {
  readonly step: (text: string) => void;
  readonly end: () => void;
}

/**
 * Code of the thread, as text: it runs without a file of its own, in any bundle. It waits for the end of the job, and meanwhile writes the text when it
 * has changed.
 */
const THREAD = `
const { shared, fd, quiet } = require('node:worker_threads').workerData;
const { writeSync } = require('node:fs');
const numbers = new Int32Array(shared, 0, ${HEADER / 4});
const bytes = new Uint8Array(shared, ${HEADER});
const start = performance.now();
let shown = 0;
while (Atomics.wait(numbers, ${ENDED}, 0, ${INTERVAL}) === 'timed-out') {
  if (performance.now() - start < quiet || Atomics.load(numbers, ${VERSION}) === shown) continue;
  if (Atomics.compareExchange(numbers, ${LOCK}, 0, 1) !== 0) continue;
  if (numbers[${ENDED}] === 0) {
    shown = numbers[${VERSION}];
    numbers[${SHOWN}] = 1;
    writeSync(fd, ${JSON.stringify(CLEAR)} + new TextDecoder().decode(bytes.slice(0, numbers[${LENGTH}])));
  }
  Atomics.store(numbers, ${LOCK}, 0);
}`;

/** Starts the thread. A system that cannot start one shows no progress. */
function startThread(shared: SharedArrayBuffer, fd: number, quiet: number): void {
  const worker = new Worker(THREAD, { eval: true, execArgv: [], workerData: { shared, fd, quiet } });
  worker.on('error', () => undefined);
  worker.unref();
}

/** Writes a line to a log every ten seconds: the newest step. For jobs of minutes whose steps return to the event loop, such as batches in CI. */
export function startLog({ stderr }: Io, interval = LOG_INTERVAL): Progress {
  let [newest, written] = ['', ''];
  const timer = setInterval(() => {
    if (newest !== written) writeLines(stderr, [newest]);
    written = newest;
  }, interval);
  timer.unref();
  const step = (text: string): void => {
    newest = oneLine(text);
  };
  return { step, end: () => clearInterval(timer) };
}

/** Starts a status line on stderr. It stays empty unless stderr is a terminal. */
export function startProgress({ stderr }: Io, quiet = QUIET): Progress {
  const { isTerminal, fd } = stderr;
  if (!isTerminal || fd === undefined) return { step: () => undefined, end: () => undefined };
  const shared = new SharedArrayBuffer(HEADER + TEXT_BYTES);
  const numbers = new Int32Array(shared, 0, HEADER / 4);
  const bytes = new Uint8Array(shared, HEADER);
  const locked = (change: () => void): void => {
    while (Atomics.compareExchange(numbers, LOCK, 0, 1) !== 0) Atomics.wait(numbers, LOCK, 1, 1);
    change();
    Atomics.store(numbers, LOCK, 0);
  };
  startThread(shared, fd, quiet);
  return {
    step: (text) => {
      const line = new TextEncoder().encode(escapeHidden(oneLine(text)).slice(0, COLUMNS)).subarray(0, TEXT_BYTES);
      locked(() => {
        bytes.set(line);
        numbers[LENGTH] = line.length;
        numbers[VERSION]++;
      });
    },
    end: () => {
      if (numbers[ENDED] !== 0) return;
      locked(() => {
        numbers[ENDED] = 1;
        if (numbers[SHOWN] === 1) stderr.write(CLEAR);
      });
      Atomics.notify(numbers, ENDED);
    },
  };
}

const DOING: Readonly<Record<JobProgress['step'], string>> = {
  read: 'reading',
  retarget: 'retargeting',
  convert: 'converting',
  extract: 'extracting',
  define: 'defining',
  validate: 'validating',
  compare: 'measuring',
  write: 'writing',
};

/** Words the step of a job: `[2/5] retargeting Walk of walk.fbx`. */
export function progressText({ step, file, clip, done, total }: JobProgress): string {
  const count = total > 1 ? `[${Math.min(Math.floor(done) + 1, total)}/${total}] ` : '';
  return `${count}${DOING[step]} ${clip === null ? file : `${clip} of ${file}`}`;
}

export async function withProgress<T>(io: Io, text: string, job: (step: Progress['step']) => Promise<T>): Promise<T> {
  const { step, end } = startProgress(io);
  try {
    step(text);
    return await job(step);
  } finally {
    end();
  }
}

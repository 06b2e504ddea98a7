import type { Io } from './io.ts';

/** Jobs that take less than this say nothing, milliseconds. */
const QUIET = 1000;
/** Time between two lines, milliseconds. */
const INTERVAL = 100;

/** One line on the terminal that says what is being done, while it takes long. */
export interface Progress {
  /** Says what comes next. */
  readonly step: (text: string) => void;
  /** Wipes the line. */
  readonly end: () => void;
}

/** Progress on stderr; nothing where that is no terminal. */
export function startProgress({ stderr }: Io, now: () => number = () => performance.now()): Progress {
  if (!stderr.isTerminal) return { step: () => undefined, end: () => undefined };
  const start = now();
  let last = start + QUIET - INTERVAL;
  let isShown = false;
  return {
    step: (text) => {
      if (now() - last < INTERVAL) return;
      last = now();
      isShown = true;
      stderr.write(`\r\u001b[2K${text.slice(0, 78)}`);
    },
    end: () => {
      if (isShown) stderr.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

import type { Io } from './io.ts';

/** Milliseconds before the first line is shown. */
const QUIET = 1000;
/** Milliseconds between two lines. */
const INTERVAL = 100;

/** A status line on the terminal, for jobs that take long. */
export interface Progress {
  /** Shows the next step. */
  readonly step: (text: string) => void;
  /** Clears the line. */
  readonly end: () => void;
}

/**
 * Starts a status line on stderr. It stays empty unless stderr is a terminal.
 * @param io the terminal
 * @param now a clock, in milliseconds
 * @returns functions that change the line
 */
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

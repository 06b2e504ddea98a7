/** What the exit code of every command means. */
export const EXIT = {
  /** Done. */
  done: 0,
  /** Finished, but with errors, or there was nothing to do: no humanoid, no clip. */
  nothing: 1,
  /** The command line makes no sense, or a file that exists would be replaced. */
  usage: 2,
  /** An input cannot be read. */
  unreadable: 3,
  /** The output cannot be written. */
  unwritable: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

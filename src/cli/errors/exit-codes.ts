/** Exit codes of all commands. */
export const EXIT = {
  done: 0,
  /** Finished with errors, or nothing to do: no humanoid, no clip. */
  nothing: 1,
  /** Wrong usage, or an existing file would be overwritten. */
  usage: 2,
  unreadable: 3,
  unwritable: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

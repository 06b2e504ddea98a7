/** Runs the newest of several pieces of work: while one runs, only the last that was asked for is kept. */
export function createLatest<T>(run: (input: T, isLatest: () => boolean) => Promise<void>): (input: T) => void {
  let isRunning = false;
  let waiting: { readonly input: T } | null = null;
  const start = async (input: T): Promise<void> => {
    isRunning = true;
    try {
      await run(input, () => waiting === null);
    } finally {
      isRunning = false;
      const next: { readonly input: T } | null = waiting;
      waiting = null;
      if (next !== null) void start(next.input);
    }
  };
  return (input) => {
    if (isRunning) waiting = { input };
    else void start(input);
  };
}

/** Steps of a long script: each is printed with its time and counted. */

/** How many steps ended how. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs and counts steps. */
export interface Steps {
  /** The counts so far. */
  readonly counts: Counts;
  /**
   * Runs a step. Its result is printed if it is text. An error is printed and counted, and later steps still run.
   *
   * @param title What the newcomer does.
   * @param run Does it; throws when it does not work.
   * @returns The result; null after an error.
   */
  readonly step: <T>(title: string, run: () => T | Promise<T>) => Promise<T | null>;
  /**
   * Counts a step that cannot run here.
   *
   * @param title What the newcomer would do.
   * @param reason Why it is skipped.
   */
  readonly skip: (title: string, reason: string) => void;
}

/** Creates a list of steps. */
export function createSteps(): Steps {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  return {
    counts,
    async step(title, run) {
      const start = performance.now();
      const seconds = (): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;
      try {
        const result = await run();
        counts.passed++;
        console.log(`ok    ${title} (${seconds()})${typeof result === 'string' ? `\n      ${result}` : ''}`);
        return result;
      } catch (error) {
        counts.failed++;
        console.log(`FAIL  ${title} (${seconds()})\n${error instanceof Error ? error.message : String(error)}`);
        return null;
      }
    },
    skip(title, reason) {
      counts.skipped++;
      console.log(`skip  ${title}: ${reason}`);
    },
  };
}

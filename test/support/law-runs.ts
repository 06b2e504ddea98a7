/**
 * How many cases the tests run: one number for the whole suite, the environment variable `ANYRIG_LAW_RUNS`. `npm test` runs 20
 * cases per law, `.ci/run` 100, and a release 1,000. Tests whose cases are expensive or cheap scale their own number in proportion.
 */

/** Cases of a law at full count. */
const FULL_RUNS = 1000;
/** Cases of a law from which on expensive cases are not shortened either: those of `.ci/run`. */
const COMPLETE_RUNS = 100;
/** Cases of a law without the environment variable. */
const DEFAULT_RUNS = 20;
/** Fewest cases of a test, unless its full count has fewer. */
const FEWEST_RUNS = 5;

/**
 * Reads a number of runs.
 *
 * @param text Value of the environment variable; undefined or empty for the default.
 * @returns A positive integer.
 * @throws {RangeError} If the text is not a positive integer.
 */
export function parseRuns(text: string | undefined): number {
  if (text === undefined || text === '') return DEFAULT_RUNS;
  const runs = Number(text);
  if (!Number.isInteger(runs) || runs < 1) {
    throw new RangeError(`ANYRIG_LAW_RUNS is ${JSON.stringify(text)}. Expected a positive integer, such as 1000.`);
  }
  return runs;
}

/** Cases of a law in this run. */
export const LAW_RUNS: number = parseRuns(process.env['ANYRIG_LAW_RUNS']);

/** Whether this run is as complete as `.ci/run`: with the other programs, the browser and all real files. */
export const IS_FULL_RUN: boolean = LAW_RUNS >= COMPLETE_RUNS;

/**
 * Scales the number of cases of a test.
 *
 * @param full Cases at `ANYRIG_LAW_RUNS=1000`.
 * @param runs Cases of a law.
 * @returns The same fraction of `runs`, at least 5 or `full`.
 */
export function lawRuns(full: number = FULL_RUNS, runs: number = LAW_RUNS): number {
  return Math.max(Math.min(full, FEWEST_RUNS), Math.round((full * runs) / FULL_RUNS));
}

/** Whether this run is that before a release: everything, however long it takes. */
export const IS_RELEASE_RUN: boolean = LAW_RUNS >= FULL_RUNS;

/**
 * Samples the cases of an expensive comparison over real files or pairs: all before a release.
 *
 * @param cases All cases.
 * @param step Distance of the cases that `npm test` takes.
 * @param fullStep Distance of those that `.ci/run` takes: more than 1 for the product of two long lists.
 * @returns The cases of this run, at least one.
 */
export function sampledCases<Case>(cases: readonly Case[], step = 4, fullStep = 1): Case[] {
  const distance = IS_RELEASE_RUN ? 1 : IS_FULL_RUN ? fullStep : step;
  return cases.filter((_, k) => k % distance === 0);
}

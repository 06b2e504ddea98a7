/** Compares the speed of contenders, robustly on machines with other load. */
import { spawnSync } from 'node:child_process';
import { Bench } from 'tinybench';

/** A function that is timed. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

/** How long a contender runs per round. */
export interface Effort {
  /** Least time, milliseconds. */
  readonly time: number;
  /** Least number of calls. */
  readonly calls: number;
}

/** A row of the report: a time or a size, and its ratio to that of another contender. */
export interface Row {
  readonly name: string;
  /** Time of one call in milliseconds: the median over all rounds of the median within a round. Or a size in bytes. */
  readonly value: number;
  readonly unit: 'ms' | 'bytes';
  /** Name of the other contender. */
  readonly against: string;
  /** Time or size of the other contender. */
  readonly againstValue: number;
  /** Median of the ratios of all rounds; see {@link Goal}. */
  readonly ratio: number;
  /** Target of the ratio; null for informative rows. */
  readonly goal: Goal | null;
  /** Number of rounds. */
  readonly runs: number;
  /** Per round: time or size of both contenders, and their ratio. */
  readonly rounds: readonly { readonly value: number; readonly against: number; readonly ratio: number }[];
}

/** Target of a ratio. `speedup`: their time divided by ours, at least `limit`. `cost`: our time divided by theirs, at most `limit`. */
export interface Goal {
  readonly kind: 'speedup' | 'cost';
  readonly limit: number;
}

/** Two contenders to compare. */
export interface Comparison {
  readonly name: string;
  readonly own: Contender;
  readonly against: Contender;
  readonly kind: Goal['kind'];
  /** Target of the ratio; missing for informative rows. */
  readonly limit?: number;
}

/** Measures the median time of one call, milliseconds. */
async function medianCall({ name, run }: Contender, { time, calls }: Effort): Promise<number> {
  const bench = new Bench({ time, iterations: calls, warmup: false, throws: true, retainSamples: true });
  bench.add(name, run);
  const [task] = await bench.run();
  if (!('latency' in task.result)) throw new Error(`${name} could not be measured: its state is ${task.result.state}.`);
  return task.result.latency.p50;
}

/** Returns the median of a non-empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Measures comparisons. Every round runs all contenders once, so that other load on the machine affects all of them alike. An extra
 * round warms up. Ratios are taken within a round.
 */
export async function compare(comparisons: readonly Comparison[], rounds: number, effort: Effort): Promise<Row[]> {
  const times = new Map<Contender, number[]>();
  for (const { own, against } of comparisons) times.set(against, []).set(own, []);
  for (let round = -1; round < rounds; round++) {
    for (const [contender, list] of times) {
      const time = await medianCall(contender, effort);
      if (round >= 0) list.push(time);
    }
  }
  return comparisons.map(({ name, own, against, kind, limit }) => {
    const row = rowOfRounds(name, times.get(own)!, { name: against.name, times: times.get(against)! }, kind);
    return limit === undefined ? row : { ...row, goal: { kind, limit } };
  });
}

/** Makes an informative row of the milliseconds of two contenders, round by round. */
export function rowOfRounds(
  name: string,
  times: readonly number[],
  against: { readonly name: string; readonly times: readonly number[] },
  kind: Goal['kind'],
): Row {
  const rounds = times.map((value, round) => {
    const other = against.times[round];
    return { value, against: other, ratio: kind === 'speedup' ? other / value : value / other };
  });
  return {
    name,
    value: median(times),
    unit: 'ms',
    against: against.name,
    againstValue: median(against.times),
    ratio: median(rounds.map(({ ratio }) => ratio)),
    goal: null,
    runs: rounds.length,
    rounds,
  };
}

/** Milliseconds after which a process has failed. */
const TIMEOUT = 60_000;

/** Runs Node in a new process. Throws an error with its stderr when it fails. */
export function runNode(args: readonly string[], cwd?: string): void {
  const { status, stderr, error } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', timeout: TIMEOUT });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
}

/** Returns whether a row meets its target. */
export function isMet({ goal, ratio }: Row): boolean {
  if (goal === null) return true;
  return goal.kind === 'speedup' ? ratio >= goal.limit : ratio <= goal.limit;
}

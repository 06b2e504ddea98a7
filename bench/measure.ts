/** Measuring contenders against each other, on machines that do other things as well. */
import { Bench } from 'tinybench';

/** Something whose time is taken. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

/** How long a contender runs in a round. */
export interface Effort {
  /** Milliseconds, at least. */
  readonly time: number;
  /** Calls, at least. */
  readonly calls: number;
}

/** A row of the report: a figure and how it compares with that of a contender. */
export interface Row {
  readonly name: string;
  /** Median over the rounds of the median time of one call. */
  readonly value: number;
  readonly unit: 'ms';
  /** What it is compared with. */
  readonly against: string;
  /** The same figure of what it is compared with. */
  readonly againstValue: number;
  /** Median of the ratios of the rounds, see {@link Goal}. */
  readonly ratio: number;
  /** What the ratio should be; null for rows that are there to be looked at. */
  readonly goal: Goal | null;
  /** Rounds. */
  readonly runs: number;
  /** Milliseconds of one call of this and of what it is compared with, and their ratio, by round. */
  readonly rounds: readonly { readonly value: number; readonly against: number; readonly ratio: number }[];
}

/** `speedup`: their time by ours, at least `limit`. `cost`: our time by theirs, at most `limit`. */
export interface Goal {
  readonly kind: 'speedup' | 'cost';
  readonly limit: number;
}

/** A row before it is measured. */
export interface Comparison {
  readonly name: string;
  readonly own: Contender;
  readonly against: Contender;
  readonly kind: Goal['kind'];
  /** What the ratio should be, where that was promised. */
  readonly limit?: number;
}

/** Median milliseconds of one call. */
async function medianCall({ name, run }: Contender, { time, calls }: Effort): Promise<number> {
  const bench = new Bench({ time, iterations: calls, warmup: false, throws: true, retainSamples: true });
  bench.add(name, run);
  const [task] = await bench.run();
  if (!('latency' in task.result)) throw new Error(`${name} could not be measured: it is ${task.result.state}`);
  return task.result.latency.p50;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Measures all contenders of the comparisons once a round, one after the other, so that whatever slows down the machine meets all
 * of them; a round before the first warms up. Ratios are taken within a round.
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
    const list = times.get(own)!.map((value, round) => {
      const other = times.get(against)![round];
      return { value, against: other, ratio: kind === 'speedup' ? other / value : value / other };
    });
    return {
      name,
      value: median(list.map(({ value }) => value)),
      unit: 'ms',
      against: against.name,
      againstValue: median(list.map((round) => round.against)),
      ratio: median(list.map(({ ratio }) => ratio)),
      goal: limit === undefined ? null : { kind, limit },
      runs: rounds,
      rounds: list,
    };
  });
}

/** Whether a row keeps what was promised. */
export function isMet({ goal, ratio }: Row): boolean {
  if (goal === null) return true;
  return goal.kind === 'speedup' ? ratio >= goal.limit : ratio <= goal.limit;
}

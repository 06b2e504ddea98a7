/** Rate of a batch, and the time that is left. */

/** Results that the rate is measured over: the latest ones, because characters differ. */
const LATEST = 200;

/** Measures how many results are made per second. */
export interface Rate {
  /** Counts a result. */
  readonly add: () => void;
  /** Results per second. */
  readonly perSecond: () => number;
}

/** Starts to measure a rate. */
export function createRate(now: () => number): Rate {
  const times: number[] = [now()];
  const add = (): void => {
    times.push(now());
    if (times.length > LATEST + 1) times.shift();
  };
  const perSecond = (): number => {
    const seconds = ((times.at(-1) ?? 0) - times[0]) / 1000;
    return (times.length - 1) / Math.max(seconds, 1e-3);
  };
  return { add, perSecond };
}

/** Formats a duration. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}

/** Converts between seconds and time codes. */

/** The relation of time codes to seconds: `code = origin + seconds · perSecond`. */
export interface TimeCodes {
  /** Time code of second 0. */
  readonly origin: number;
  readonly perSecond: number;
}

/** Parts of a frame where keys between frames are. */
const PARTS = 8;

/** Converts a time code to seconds. */
export function secondsOf({ origin, perSecond }: TimeCodes, code: number): number {
  return (code - origin) / perSecond;
}

/**
 * Converts seconds to a time code. A float32 time, as in glTF, that rounds to a time code of whole frames, or eighths, yields that code: float32
 * 1/30 s is frame 1, not 1.0000000149, and reading it back gives the same float32.
 */
export function codeOf({ origin, perSecond }: TimeCodes, second: number): number {
  const code = second * perSecond;
  const nearest = Math.round(code * PARTS) / PARTS;
  return origin + (Math.fround(nearest / perSecond) === second ? nearest : code);
}

/** Converts ascending seconds to strictly ascending time codes. They are those of {@link codeOf}, except where neighbors would get the same code. */
export function toCodes(codes: TimeCodes, seconds: ArrayLike<number>): Float64Array {
  const { origin, perSecond } = codes;
  const out = Float64Array.from(seconds, (second) => origin + second * perSecond);
  for (let i = 0; i < out.length; i++) {
    const code = codeOf(codes, seconds[i]);
    const isAfter = i === 0 || code > out[i - 1];
    if (isAfter && (i + 1 === out.length || code < out[i + 1])) out[i] = code;
    // Far from 0, time codes can be further apart than the times.
    if (i > 0 && seconds[i] > seconds[i - 1] && out[i] <= out[i - 1])
      out[i] = out[i - 1] + Math.max(Math.abs(out[i - 1]) * Number.EPSILON, Number.MIN_VALUE);
  }
  return out;
}

/** Seconds as time codes. */
import { unionTimes } from '../../../core/animation/resample.ts';
import type { UsdAnimation } from './usd-animation.ts';

/** Where a stage has the seconds of clips: `origin + seconds · perSecond`. */
export interface TimeCodes {
  readonly origin: number;
  readonly perSecond: number;
}

/** Rates that keys are looked for on: the first on which all keys lie is taken, so that they have whole numbers in animation software. */
const RATES = [24, 30, 25, 60, 50, 48, 120, 100];
/** Parts of a frame that float32 times may be off; of long clips their rounding comes on top. */
const OFF_FRAME = 1e-3;

/** Time codes of a second that suit the keys of clips: a usual frame rate on which they lie, else 24, that of USD. */
export function timeCodesPerSecond(animations: readonly UsdAnimation[]): number {
  const times = unionTimes(
    animations.flatMap(({ clip, morphs = [] }) => [...clip.tracks, ...morphs]).map((k) => k.times),
  );
  const fits = (rate: number): boolean =>
    times.every((time) => Math.abs(time * rate - Math.round(time * rate)) <= OFF_FRAME + time * rate * 2 ** -22);
  return RATES.find(fits) ?? 24;
}

/**
 * The time code of a second. Seconds in single precision (glTF has such) that are those of a whole code get that one: 1/30 s of float32 is frame 1, not
 * 1.0000000149, and is the same float32 when it is read again.
 */
export function codeOf({ origin, perSecond }: TimeCodes, second: number): number {
  const code = second * perSecond;
  const whole = Math.round(code);
  return origin + (Math.fround(whole / perSecond) === second ? whole : code);
}

/** Time codes of seconds, which rise: those of {@link codeOf}, but for seconds so near to each other that they would be the same code. */
export function toCodes(codes: TimeCodes, seconds: ArrayLike<number>): Float64Array {
  const { origin, perSecond } = codes;
  const out = Float64Array.from(seconds, (second) => origin + second * perSecond);
  for (let i = 0; i < out.length; i++) {
    const code = codeOf(codes, seconds[i]);
    const isAfter = i === 0 || code > out[i - 1];
    if (isAfter && (i + 1 === out.length || code < out[i + 1])) out[i] = code;
  }
  return out;
}

/** Time samples of attributes as keys in seconds. */
import type { Interpolation } from '../../../core/animation/clip.ts';
import { float32Below } from '../../../core/math/float32.ts';
import type { Value } from '../layer/value.ts';
import { numbersOf } from '../skel/stage-reading.ts';
import { isInterpolated } from '../stage/interpolate.ts';
import type { Stage } from '../stage/stage.ts';
import { attributeSamples, attributeValue, timeSamplesOf } from '../stage/values.ts';

/** How time codes become seconds: `(code − origin) / codesPerSecond`. */
export interface Clock {
  readonly origin: number;
  readonly codesPerSecond: number;
}

/**
 * The clock of a stage. Files of Blender and Apple begin at 1 and say so: their `startTimeCode` is second 0, where nothing comes before it. Else second 0 is
 * time code 0, or the first sample where that is earlier. `firstSample`: infinite when nothing has samples.
 */
export function clockOf({ metrics }: Stage, firstSample: number): Clock {
  const { startTimeCode, timeCodesPerSecond } = metrics;
  const starts = startTimeCode !== null && Number.isFinite(startTimeCode) && startTimeCode <= firstSample;
  const isSampled = Number.isFinite(firstSample);
  return {
    origin: !isSampled ? 0 : starts ? startTimeCode : Math.min(0, firstSample),
    codesPerSecond: timeCodesPerSecond,
  };
}

/** A time code in seconds. */
export function secondsOf({ origin, codesPerSecond }: Clock, code: number): number {
  return (code - origin) / codesPerSecond;
}

/** Values at time codes; null where there is no value. */
export interface SampledKeys<Sample> {
  readonly interpolation: Interpolation;
  /** Rising. The same code twice is a jump: the value up to it, and the value from it on. */
  readonly codes: readonly number[];
  readonly samples: readonly (Sample | null)[];
}

/** Numbers of a sample. */
export type Numbers = ArrayLike<number>;

/**
 * The keys of an attribute of tuples of `width` numbers, as its samples are interpolated: held up to a sample of another size, to a block or behind one.
 * Without samples one key, at the origin of the clock, with the default value.
 */
export function attributeKeys(
  stage: Stage,
  prim: string,
  name: string,
  width: number,
  { origin }: Clock,
): SampledKeys<Numbers> {
  const times = timeSamplesOf(stage, prim, name);
  const codes = times.length === 0 ? [origin] : Array.from(times);
  const values = valuesAt(stage, prim, name, codes);
  const types = new Set(values.map((value) => value?.type ?? 'block'));
  types.delete('block');
  const samples = values.map((value) => numbersOf(value, width));
  const isHeld = stage.interpolation === 'held' || [...types].some((type) => !isInterpolated(type));
  if (isHeld) return { interpolation: 'STEP', codes, samples };
  const keys: { code: number; sample: Numbers | null }[] = [];
  for (const [k, sample] of samples.entries()) {
    const before = samples[k - 1] ?? null;
    const joins = (before?.length ?? -1) === (sample?.length ?? -1) && values[k - 1]?.type === values[k]?.type;
    if (k > 0 && !joins) keys.push({ code: codes[k], sample: before });
    keys.push({ code: codes[k], sample });
  }
  return {
    interpolation: 'LINEAR',
    codes: keys.map(({ code }) => code),
    samples: keys.map(({ sample }) => sample),
  };
}

/** The values of an attribute at the codes of its samples, or at one where it has none. */
function valuesAt(stage: Stage, prim: string, name: string, codes: readonly number[]): (Value | null)[] {
  const found = attributeSamples(stage, prim, name);
  // Those of a layer that runs backwards are in another order.
  if (found === null || found.offset.scale < 0 || found.samples.times.length !== codes.length) {
    return codes.map((code) => attributeValue(stage, prim, name, code));
  }
  return found.samples.values.map((value) => (value.type === 'block' ? null : value));
}

/**
 * Key times of time codes, seconds that float32 can tell apart, strictly rising, and which of the codes each is of: the left side of a jump is one float32
 * step before it, and is left out where there is no room.
 */
export function keyTimes(clock: Clock, codes: readonly number[]): { times: Float64Array; places: number[] } {
  const times: number[] = [];
  const places: number[] = [];
  for (const [place, code] of codes.entries()) {
    const time = secondsOf(clock, code);
    while (times.length > 0 && Math.fround(times[times.length - 1]) >= Math.fround(time)) {
      const before = float32Below(Math.fround(time));
      if (before >= 0 && !(times.length > 1 && Math.fround(times[times.length - 2]) >= before)) {
        times[times.length - 1] = before;
        break;
      }
      times.pop();
      places.pop();
    }
    times.push(time);
    places.push(place);
  }
  return { times: Float64Array.from(times), places };
}

import type { Interpolation } from '../../../../core/animation/clip.ts';
import { separateTimes } from '../../../../core/animation/separate-times.ts';
import type { Value } from '../../layer/value.ts';
import { numbersOf } from '../../skel/typed-values.ts';
import { attributeSamples, attributeValue, timeSamplesOf } from '../../stage/attribute-values.ts';
import { isInterpolated } from '../../stage/interpolate-samples.ts';
import type { Stage } from '../../stage/stage.ts';
import { secondsOf, type TimeCodes } from '../../time-codes.ts';

/**
 * Chooses second 0 of a stage: `startTimeCode` if no sample is earlier (files from Blender and Apple start at 1), else time code 0 or the first
 * sample, whichever is earlier. Without samples it is time code 0.
 */
export function stageTimeCodes({ metrics }: Stage, firstSample: number): TimeCodes {
  const { startTimeCode, timeCodesPerSecond } = metrics;
  const startsBefore = startTimeCode !== null && Number.isFinite(startTimeCode) && startTimeCode <= firstSample;
  const isSampled = Number.isFinite(firstSample);
  return {
    origin: !isSampled ? 0 : startsBefore ? startTimeCode : Math.min(0, firstSample),
    perSecond: timeCodesPerSecond,
  };
}

export interface SampledKeys<Sample> {
  readonly interpolation: Interpolation;
  /** Ascending time codes. A repeated code is a jump: first the left limit, then the value from there on. */
  readonly codes: readonly number[];
  /** One sample per code; null where the attribute has no value. */
  readonly samples: readonly (Sample | null)[];
}

/**
 * Reads the keys of an attribute with its USD interpolation. A value stays constant up to a sample of another size or type and up to a value block; a
 * jump follows. Without samples, there is one key at the origin with the default value.
 */
export function attributeKeys(
  stage: Stage,
  prim: string,
  name: string,
  width: number,
  { origin }: TimeCodes,
): SampledKeys<ArrayLike<number>> {
  const times = timeSamplesOf(stage, prim, name);
  const codes = times.length === 0 ? [origin] : Array.from(times);
  const values = valuesAt(stage, prim, name, codes);
  const types = new Set(values.map((value) => value?.type ?? 'block'));
  types.delete('block');
  const samples = values.map((value) => numbersOf(value, width));
  const isStepped = stage.interpolation === 'held' || [...types].some((type) => !isInterpolated(type));
  if (isStepped) return { interpolation: 'STEP', codes, samples };
  const keys: { code: number; sample: ArrayLike<number> | null }[] = [];
  for (const [k, sample] of samples.entries()) {
    const before = samples[k - 1] ?? null;
    const isContinuous = (before?.length ?? -1) === (sample?.length ?? -1) && values[k - 1]?.type === values[k]?.type;
    if (k > 0 && !isContinuous) keys.push({ code: codes[k], sample: before });
    keys.push({ code: codes[k], sample });
  }
  return {
    interpolation: 'LINEAR',
    codes: keys.map(({ code }) => code),
    samples: keys.map(({ sample }) => sample),
  };
}

function valuesAt(stage: Stage, prim: string, name: string, codes: readonly number[]): (Value | null)[] {
  const found = attributeSamples(stage, prim, name);
  // The samples of a layer with a negative offset scale are in reverse order.
  if (found === null || found.offset.scale < 0 || found.samples.times.length !== codes.length) {
    return codes.map((code) => attributeValue(stage, prim, name, code));
  }
  return found.samples.values.map((value) => (value.type === 'block' ? null : value));
}

/**
 * Converts time codes to key times that are strictly ascending in float32. The left limit of a jump is one float32 step before the jump, and is
 * dropped if the previous key leaves no room for it. `timeCodes`: converts time codes to seconds.
 */
export function keyTimes(
  timeCodes: TimeCodes,
  codes: readonly number[],
): { times: Float64Array; codeIndices: number[] } {
  const times = Float64Array.from(codes, (code) => secondsOf(timeCodes, code));
  const codeIndices = separateTimes(times);
  return { times: Float64Array.from(codeIndices, (index) => times[index]), codeIndices };
}

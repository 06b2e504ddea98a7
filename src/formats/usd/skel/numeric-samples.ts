/** Caches the time samples of numeric array attributes, to sample them without stage lookups and allocation. */
import type { Floats } from '../../../core/math/floats.ts';
import type { LayerOffset } from '../layer/layer.ts';
import { type NumericValue, TUPLE_WIDTH } from '../layer/value.ts';
import { attributeSamples } from '../stage/attribute-values.ts';
import { type Interpolation, interpolateNumbers, isInterpolated, lastIndexUpTo } from '../stage/interpolate-samples.ts';
import { invertOffset } from '../stage/layer-offset.ts';
import type { Stage } from '../stage/stage.ts';

/** Time samples of an attribute, all of one type and size. */
export interface NumericSamples {
  /** Value type. */
  readonly type: NumericValue['type'];
  /** Ascending sample times, in layer time. */
  readonly times: Float64Array;
  /** One array per sample: the layer's own. Do not write to them. */
  readonly values: readonly Floats[];
  /** Layer offset from layer time to stage time. */
  readonly offset: LayerOffset;
  /** How values between samples are computed. */
  readonly interpolation: Interpolation;
  /** Buffer for interpolated values. */
  readonly between: Floats;
  /** Buffer for the interpolation factor, 1 float. */
  readonly fraction: Float64Array;
}

/**
 * Reads the time samples of an attribute whose value is an array of tuples.
 *
 * @param stage - The composed stage.
 * @param prim - Path of the prim.
 * @param name - Name of the attribute.
 * @param width - Floats per tuple.
 * @returns The samples. Null if {@link numbersAt} could not reproduce `attributeValue`: no value, blocked samples, another type, samples of different
 *   types or sizes, or value clips.
 */
export function planNumericSamples(stage: Stage, prim: string, name: string, width: number): NumericSamples | null {
  const found = attributeSamples(stage, prim, name);
  if (found === null) return null;
  const { times, values } = found.samples;
  const [first] = values;
  if (!('numbers' in first) || !isInterpolated(first.type) || TUPLE_WIDTH[first.type] !== width) return null;
  const arrays: Floats[] = [];
  for (const value of values) {
    if (value.type !== first.type || value.isArray !== first.isArray) return null;
    if (value.numbers.length !== first.numbers.length) return null;
    arrays.push(value.numbers as Floats);
  }
  const size = first.numbers.length;
  return {
    type: first.type,
    times,
    values: arrays,
    offset: found.offset,
    interpolation: stage.interpolation,
    between: first.numbers instanceof Float32Array ? new Float32Array(size) : new Float64Array(size),
    fraction: new Float64Array(1),
  };
}

/**
 * Samples the numbers at a time code, with the same result as `attributeValue`. Does not allocate.
 *
 * @param sampled - The samples.
 * @param time - Time code of the stage.
 * @returns The array of a sample, or {@link NumericSamples.between}. Do not write to it.
 */
export function numbersAt(sampled: NumericSamples, time: number): Floats {
  const { times, values, offset, between, type, fraction } = sampled;
  const layerTime = invertOffset(offset, time);
  const lower = Math.max(0, lastIndexUpTo(times, layerTime));
  if (sampled.interpolation === 'held' || lower + 1 === times.length || layerTime <= times[lower]) return values[lower];
  fraction[0] = (layerTime - times[lower]) / (times[lower + 1] - times[lower]);
  if (fraction[0] === 0) return values[lower];
  interpolateNumbers(between, type, values[lower], values[lower + 1], fraction);
  return between;
}

/** Arrays of numbers at times, with their samples at hand: values without a look at the stage, and without allocation. */
import type { Floats } from '../../../core/math/floats.ts';
import type { LayerOffset } from '../layer/layer.ts';
import { type NumericValue, TUPLE_WIDTH } from '../layer/value.ts';
import { interpolateNumbers, isInterpolated, lastIndexUpTo } from '../stage/interpolate-samples.ts';
import { invertOffset } from '../stage/layer-offset.ts';
import type { Stage } from '../stage/stage.ts';
import { attributeSamples } from '../stage/attribute-values.ts';

/** Samples of an attribute, all of one type and size. */
export interface NumericSamples {
  readonly type: NumericValue['type'];
  /** Rising, in the layer's time. */
  readonly times: Float64Array;
  /** A sample each: the layer's own arrays. */
  readonly values: readonly Floats[];
  /** Times of the layer in those of the stage. */
  readonly offset: LayerOffset;
  readonly isHeld: boolean;
  /** Room for what is between samples, and for the part of the way there. */
  readonly between: Floats;
  readonly fraction: Float64Array;
}

/**
 * The samples of an attribute of an array of tuples of `width` floats. Null where {@link numbersAt} could not answer for `attributeValue`: without a
 * value, with blocks, other types, several sizes, or value clips.
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
    isHeld: stage.interpolation === 'held',
    between: first.numbers instanceof Float32Array ? new Float32Array(size) : new Float64Array(size),
    fraction: new Float64Array(1),
  };
}

/** The numbers at a time code of the stage, as `attributeValue` has them: a sample itself, or {@link NumericSamples.between}. No allocation. */
export function numbersAt(sampled: NumericSamples, time: number): Floats {
  const { times, values, offset, between, type, fraction } = sampled;
  const there = invertOffset(offset, time);
  const lower = Math.max(0, lastIndexUpTo(times, there));
  if (sampled.isHeld || lower + 1 === times.length || there <= times[lower]) return values[lower];
  fraction[0] = (there - times[lower]) / (times[lower + 1] - times[lower]);
  if (fraction[0] === 0) return values[lower];
  interpolateNumbers(between, type, values[lower], values[lower + 1], fraction);
  return between;
}

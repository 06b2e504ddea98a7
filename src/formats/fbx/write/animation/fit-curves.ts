/** Fits curves of single numbers to a function of time that several of them express together: angles, or a vector. */
import { curveKeyLimit, SAFETY } from '../../../../core/animation/resample.ts';
import { hermiteWeights, SPLINE_EXTREMA, SPLINE_NODES } from '../../../../core/animation/resample-cubic.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import { SEGMENT } from '../../animation/fbx-curve.ts';

/** A function of time, and how the numbers of its curves relate to its values. */
export interface CurveFunction {
  readonly width: number;
  /** Floats of an exact value: 4 for a rotation. */
  readonly exactWidth: number;
  readonly evaluate: (time: number, exact: Floats) => void;
  /** Converts an exact value to numbers of the curves, of all possible ones those nearest to what `numbers` holds. */
  readonly follow: (numbers: Float64Array, exact: Floats) => void;
  /** Measures how far numbers of the curves are from an exact value. */
  readonly miss: (numbers: Float64Array, exact: Floats) => number;
  /** Greatest distance between the keys, above 0. */
  readonly tolerance: number;
  /** Greatest distance where the function bends several times between the keys, which would take as many keys. */
  readonly kinkTolerance: number;
  /** Units of the file per unit of the numbers: degrees per radian for angles. */
  readonly fileUnit: number;
  /** Numbers that the first key follows. */
  readonly start: ArrayLike<number>;
}

export interface FittedCurves {
  /** Seconds, strictly increasing. */
  readonly times: readonly number[];
  readonly width: number;
  /** One number per key and curve. */
  readonly values: readonly number[];
  /** One of {@link SEGMENT} per key and curve: the interpolation to the next key. */
  readonly segments: readonly number[];
  /** Two per key and curve, per second: the slopes after the key and before the next one, for CUBIC segments. */
  readonly slopes: readonly number[];
}
/** Points between those nodes and the ends where the error is greatest. */
const POINTS = [SPLINE_EXTREMA[1], SPLINE_NODES[0], SPLINE_EXTREMA[0], SPLINE_NODES[1], SPLINE_EXTREMA[2]] as const;
const [[, A, , B], [, C, , D]] = SPLINE_NODES.map(hermiteWeights);
const DETERMINANT = A * D - B * C;

/** Part of the tolerance by which a curve may differ from a straight line and is still written as one. */
const STRAIGHT = 0.25;
/**
 * Slopes are multiples of a power of two of at most so many tolerances per interval, where that is accurate enough: the slopes before and after a key are then mostly
 * the same bytes. mobu2017_cmu_85_04 has 1.19 instead of 1.46 times the bytes of the original. The error is below 4/27 of the step.
 */
const SLOPE_STEP = 2;
/** Shorter intervals are not divided, seconds. */
const SHORTEST = 1e-6;
const DEPTH_LIMIT = 16;

/** A point of an interval where the curves are compared with the function. */
interface Sample {
  /** Place in the interval, 0 to 1. */
  readonly u: number;
  readonly exact: Float64Array;
  readonly numbers: Float64Array;
}

interface Segment {
  readonly kinds: readonly number[];
  /** Two per curve, relative to the interval. */
  readonly slopes: readonly number[];
}

/**
 * Fits curves within the tolerance. An interval between two keys is straight where that is accurate enough, else a cubic; only where a cubic is
 * not, it gets more keys. `starts`: seconds, strictly increasing: times that get a key. `kinks`: seconds, ascending: other times where the function
 * may bend.
 */
export function fitCurves(
  source: CurveFunction,
  starts: ArrayLike<number>,
  kinks: ArrayLike<number> = [],
): FittedCurves {
  const { width, evaluate, follow } = source;
  const times: number[] = [];
  const values: number[] = [];
  const segments: number[] = [];
  const slopes: number[] = [];
  const keyLimit = curveKeyLimit(Float64Array.from(starts));
  const exact = new Float64Array(source.exactWidth);
  let left: Float64Array = Float64Array.from({ length: width }, (_, k) => source.start[k]);
  const addKey = (time: number, numbers: Float64Array): void => {
    times.push(time);
    values.push(...numbers);
  };
  evaluate(starts[0], exact);
  follow(left, exact);
  addKey(starts[0], left);
  let kink = 0;
  for (let k = 1; k < starts.length; k++) {
    while (kink < kinks.length && kinks[kink] <= starts[k - 1]) kink++;
    let kinkEnd = kink;
    while (kinkEnd < kinks.length && kinks[kinkEnd] < starts[k]) kinkEnd++;
    const inner = Array.prototype.slice.call(kinks, kink, kinkEnd) as number[];
    /** Right ends of what remains of the interval, the next one last, with how often it was divided. */
    const ends: [time: number, depth: number][] = [[starts[k], 0]];
    for (let end = ends.at(-1); end !== undefined; end = ends.at(-1)) {
      const [right, depth] = end;
      const from = times[times.length - 1];
      const bends = inner.filter((time) => time > from && time < right);
      const samples = sampleInterval(source, left, from, right, bends);
      const isDivisible = depth < DEPTH_LIMIT && right - from > SHORTEST && times.length < keyLimit;
      const duration = right - from;
      const segment =
        fitSegment(source, left, samples, duration, source.tolerance) ??
        (bends.length > 1 ? fitSegment(source, left, samples, duration, source.kinkTolerance) : null) ??
        (isDivisible ? null : straightSegment(source.width));
      if (segment === null) {
        ends[ends.length - 1] = [right, depth + 1];
        ends.push([divisionOf(from, right, bends), depth + 1]);
        continue;
      }
      ends.pop();
      segments.push(...segment.kinds);
      slopes.push(...segment.slopes.map((slope) => slope / (right - from)));
      left = samples[samples.length - 1].numbers;
      addKey(right, left);
    }
  }
  segments.push(...new Array<number>(width).fill(SEGMENT.LINEAR));
  slopes.push(...new Array<number>(2 * width).fill(0));
  return { times, width, values, segments, slopes };
}

/** Returns where an interval is divided: at the bend nearest to its middle, else in the middle. */
function divisionOf(from: number, to: number, bends: readonly number[]): number {
  const middle = from + (to - from) / 2;
  let best = middle;
  let least = Number.POSITIVE_INFINITY;
  for (const bend of bends) {
    const distance = Math.abs(bend - middle);
    const isWithin = bend - from > SHORTEST && to - bend > SHORTEST;
    if (isWithin && distance < least) [best, least] = [bend, distance];
  }
  return best;
}

/** Samples an interval in the order of time, so that the numbers follow each other from its left to its right end. */
function sampleInterval(
  { exactWidth, evaluate, follow }: CurveFunction,
  left: Float64Array,
  from: number,
  to: number,
  bends: readonly number[],
): Sample[] {
  const places = new Set([...POINTS, 1]);
  let last = 0;
  for (const bend of bends) {
    const u = (bend - from) / (to - from);
    places.add((last + u) / 2).add(u);
    last = u;
  }
  if (last > 0) places.add((last + 1) / 2);
  let former = left;
  return [...places]
    .sort((a, b) => a - b)
    .map((u): Sample => {
      const exact = new Float64Array(exactWidth);
      evaluate(u === 1 ? to : from + u * (to - from), exact);
      const numbers = former.slice();
      follow(numbers, exact);
      former = numbers;
      return { u, exact, numbers };
    });
}

function straightSegment(width: number): Segment {
  return { kinds: new Array<number>(width).fill(SEGMENT.LINEAR), slopes: new Array<number>(2 * width).fill(0) };
}

/** Fits an interval with straight lines, else with cubics; null if neither is within the tolerance. */
function fitSegment(
  source: CurveFunction,
  left: Float64Array,
  samples: readonly Sample[],
  duration: number,
  tolerance: number,
): Segment | null {
  const { width, fileUnit } = source;
  const right = samples[samples.length - 1].numbers;
  const straight = straightSegment(width);
  if (fits(source, left, right, straight, samples, tolerance)) return straight;
  const [first, second] = SPLINE_NODES.map((u) => samples.find((sample) => sample.u === u)!.numbers);
  const kinds: number[] = [];
  const slopes: number[] = [];
  for (let c = 0; c < width; c++) {
    const rise = right[c] - left[c];
    const deviations = [first[c] - left[c] - rise * SPLINE_NODES[0], second[c] - left[c] - rise * SPLINE_NODES[1]];
    const isStraight = deviations.every((deviation) => Math.abs(deviation) <= STRAIGHT * tolerance);
    kinds.push(isStraight ? SEGMENT.LINEAR : SEGMENT.CUBIC);
    if (isStraight) {
      slopes.push(0, 0);
      continue;
    }
    // Deviations from the straight line, so that both ends are 0.
    const [p, q] = deviations;
    slopes.push(rise + (p * D - q * B) / DETERMINANT, rise + (q * A - p * C) / DETERMINANT);
  }
  const perFile = duration / fileUnit;
  const step = 2 ** Math.floor(Math.log2((SLOPE_STEP * tolerance) / perFile));
  const rounded = slopes.map((slope) => Math.round(slope / perFile / step) * step * perFile);
  for (const cubic of [
    { kinds, slopes: rounded },
    { kinds, slopes },
  ])
    if (fits(source, left, right, cubic, samples, tolerance)) return cubic;
  return null;
}

function fits(
  { width, miss }: CurveFunction,
  left: Float64Array,
  right: Float64Array,
  { kinds, slopes }: Segment,
  samples: readonly Sample[],
  tolerance: number,
): boolean {
  const numbers = new Float64Array(width);
  return samples.every(({ u, exact }) => {
    if (u === 1) return true;
    const [a, b, c, d] = hermiteWeights(u);
    for (let k = 0; k < width; k++) {
      numbers[k] =
        kinds[k] === SEGMENT.LINEAR
          ? left[k] + u * (right[k] - left[k])
          : a * left[k] + b * slopes[2 * k] + c * right[k] + d * slopes[2 * k + 1];
    }
    return miss(numbers, exact) <= SAFETY * tolerance;
  });
}

/** Maps stage times to times in value clips (OpenUSD, usd/clip.cpp). */
import { lastAtMost } from '../../../../core/math/search.ts';
import { FormatError } from '../../../../core/report/format-error.ts';

/** A piecewise linear mapping from stage time to clip time. */
export interface ClipTimes {
  /** Ascending stage times of the knots. */
  readonly stage: Float64Array;
  /** Clip times of the knots. */
  readonly clip: Float64Array;
  /** 1 if the next knot has the same stage time: this knot ends the segment before, the next one starts the segment after. */
  readonly isDiscontinuity: Uint8Array;
}

/** Distance of the left side of a discontinuity, as in OpenUSD (UsdTimeCode::SafeStep). */
const SAFE_STEP: number = 2 ** -52 * 1e6 * 10 * 2;

/**
 * Creates a mapping from pairs of stage time and clip time. Of pairs with equal stage times two count: the left and the right side of a
 * discontinuity.
 */
export function createClipTimes(pairs: ArrayLike<number>): ClipTimes {
  const order = Uint32Array.from({ length: pairs.length >> 1 }, (_, i) => i);
  const isSorted = order.every((i) => i === 0 || pairs[2 * i] >= pairs[2 * i - 2]);
  if (!isSorted) order.sort((a, b) => pairs[2 * a] - pairs[2 * b] || a - b);
  const isDiscontinuity = Uint8Array.from(order, (knot, i) =>
    i + 1 < order.length && pairs[2 * order[i + 1]] === pairs[2 * knot] ? 1 : 0,
  );
  return {
    stage: Float64Array.from(order, (knot, i) => pairs[2 * knot] - isDiscontinuity[i] * SAFE_STEP),
    clip: Float64Array.from(order, (knot) => pairs[2 * knot + 1]),
    isDiscontinuity,
  };
}

/** Maps a stage time to a clip time, clamped to the first and last knot. Without knots both are equal. */
export function clipTimeAt({ stage, clip, isDiscontinuity }: ClipTimes, time: number): number {
  const count = stage.length;
  if (count === 0) return time;
  const last = lastAtMost(stage, time);
  const next = last + 1;
  if (last < 0) return clip[0];
  if (stage[last] === time || next === count) return clip[last];
  // The segment before a discontinuity ends at its authored time, so that round times stay round.
  const end = isDiscontinuity[next] === 1 && next + 1 < count ? stage[next + 1] : stage[next];
  return clip[last] + ((clip[next] - clip[last]) * (time - stage[last])) / (end - stage[last]);
}

/** Maximum number of sample times of one attribute. */
const MAX_TIMES = 2_000_000;

/** Lists the stage times in `start` ≤ time < `end` at which a clip evaluates one of its samples. */
export function stageTimesOfSamples(
  times: ClipTimes,
  samples: ArrayLike<number>,
  start: number,
  end: number,
): number[] {
  const { stage, clip, isDiscontinuity } = times;
  const found: number[] = [];
  const add = (time: number): void => {
    if (time >= start && time < end) found.push(time);
  };
  if (stage.length === 0) for (let s = 0; s < samples.length; s++) add(samples[s]);
  for (let k = 0; k + 1 < stage.length; k++) {
    if (isDiscontinuity[k] === 1 || stage[k] >= end || stage[k + 1] < start) continue;
    const low = Math.min(clip[k], clip[k + 1]);
    const high = Math.max(clip[k], clip[k + 1]);
    const stop = isDiscontinuity[k + 1] === 1 && k + 2 < stage.length ? stage[k + 2] : stage[k + 1];
    // The ends are knots; they are added below.
    for (let s = lastAtMost(samples, low) + 1; s < samples.length && samples[s] < high; s++) {
      add(stage[k] + ((stop - stage[k]) * (samples[s] - clip[k])) / (clip[k + 1] - clip[k]));
    }
    if (found.length > MAX_TIMES) {
      throw new FormatError(
        'USD_LIMIT',
        `The times metadata of value clips produces more than ${MAX_TIMES} sample times of one attribute`,
      );
    }
  }
  for (const time of stage) add(time);
  return found;
}

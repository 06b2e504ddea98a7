/** Which time inside of a value clip a time of the stage is (OpenUSD, usd/clip.cpp). */
import { FormatError } from '../../../../core/report/format-error.ts';
import { lastIndexUpTo } from '../interpolate-samples.ts';

/** Times of the stage and of clips, piece by piece. */
export interface ClipTimes {
  /** Rising. */
  readonly stage: Float64Array;
  readonly clip: Float64Array;
  /** 1 where the next knot is at the same time of the stage: what is before comes up to here, what is behind starts anew. */
  readonly isDiscontinuity: Uint8Array;
}

/** How far before a jump its left side is, as OpenUSD has it (UsdTimeCode::SafeStep). */
const SAFE_STEP: number = 2 ** -52 * 1e6 * 10 * 2;

/** Knots of pairs `(stage time, clip time)`, in any order. Of equal stage times two are kept: the left and the right side of a jump. */
export function createClipTimes(pairs: ArrayLike<number>): ClipTimes {
  const order = Uint32Array.from({ length: pairs.length >> 1 }, (_, i) => i);
  const isSorted = order.every((i) => i === 0 || pairs[2 * i] >= pairs[2 * i - 2]);
  if (!isSorted) order.sort((a, b) => pairs[2 * a] - pairs[2 * b] || a - b);
  const isJump = Uint8Array.from(order, (knot, i) =>
    i + 1 < order.length && pairs[2 * order[i + 1]] === pairs[2 * knot] ? 1 : 0,
  );
  return {
    stage: Float64Array.from(order, (knot, i) => pairs[2 * knot] - isJump[i] * SAFE_STEP),
    clip: Float64Array.from(order, (knot) => pairs[2 * knot + 1]),
    isDiscontinuity,
  };
}

/** The time inside of the clip; clamped to the first and last knot. Without knots it is the time of the stage. */
export function clipTimeAt({ stage, clip, isDiscontinuity }: ClipTimes, time: number): number {
  const count = stage.length;
  if (count === 0) return time;
  const last = lastIndexUpTo(stage, time);
  const next = last + 1;
  if (last < 0) return clip[0];
  if (stage[last] === time || next === count) return clip[last];
  // Up to a jump the line runs to where the jump was said to be, so that round times stay round.
  const end = isDiscontinuity[next] === 1 && next + 1 < count ? stage[next + 1] : stage[next];
  return clip[last] + ((clip[next] - clip[last]) * (time - stage[last])) / (end - stage[last]);
}

/** More sample times of one attribute are an attack. */
const MAX_TIMES = 2_000_000;

/**
 * The times of the stage, from `start` up to but without `end`, at which a clip with samples at these times (rising) shows one of them.
 *
 * @throws FormatError USD_LIMIT for hostile numbers of them.
 */
export function stageTimesOfSamples(times: ClipTimes, samples: ArrayLike<number>, start: number, end: number): number[] {
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
    // The ends are knots, which are added below.
    for (let s = lastIndexUpTo(samples, low) + 1; s < samples.length && samples[s] < high; s++) {
      add(stage[k] + ((stop - stage[k]) * (samples[s] - clip[k])) / (clip[k + 1] - clip[k]));
    }
    if (found.length > MAX_TIMES) {
      throw new FormatError('USD_LIMIT', `The times of value clips repeat samples more than ${MAX_TIMES} times`);
    }
  }
  for (const time of stage) add(time);
  return found;
}

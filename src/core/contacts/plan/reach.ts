/** Lowers the hips where planted legs are too short. */
import type { LegFrames } from '../frames/body-frames.ts';

/** Extension up to which any leg may be stretched. */
export const FREE_EXTENSION = 0.97;
/** Standard deviation of the smoothing, seconds. */
const SIGMA = 0.09;

/** Distance from hip to ankle relative to the length of the leg, in one frame. */
export function extensionAt({ hip, knee, ankle }: LegFrames, frame: number): number {
  const at = 3 * frame;
  const between = (a: Float64Array, b: Float64Array): number =>
    Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]);
  const length = between(hip, knee) + between(knee, ankle);
  return length > 0 ? between(hip, ankle) / length : 0;
}

/**
 * Computes how far the hips must be lowered in one frame so that a foot is within reach.
 *
 * @param hip Hip joint, xyz.
 * @param goal Wanted position of the ankle, xyz.
 * @param reach Longest distance, meters.
 * @returns Meters, at least 0.
 */
export function neededDrop(hip: ArrayLike<number>, goal: ArrayLike<number>, reach: number): number {
  const horizontal = Math.min((hip[0] - goal[0]) ** 2 + (hip[2] - goal[2]) ** 2, reach * reach);
  return Math.max(0, hip[1] - goal[1] - Math.sqrt(reach * reach - horizontal));
}

/**
 * Makes a smooth path that is hardly anywhere below another one: the maximum over a window, smoothed.
 *
 * @param values One per frame, at least 0.
 * @param step Seconds between frames.
 * @returns One per frame.
 */
export function smoothMaximum(values: Float64Array, step: number): Float64Array {
  const count = values.length;
  const reach = Math.max(1, Math.round((2 * SIGMA) / step));
  const kernel = Float64Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-0.5 * (((k - reach) * step) / SIGMA) ** 2),
  );
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  const half = Math.max(1, Math.round(SIGMA / step));
  const most = values.map((_, frame) => {
    let value = 0;
    for (let k = Math.max(0, frame - half); k <= Math.min(count - 1, frame + half); k++)
      value = Math.max(value, values[k]);
    return value;
  });
  return most.map((_, frame) => {
    let sum = 0;
    for (let k = -reach; k <= reach; k++) sum += kernel[k + reach] * most[Math.min(count - 1, Math.max(0, frame + k))];
    return sum / total;
  });
}

/** Finds frames in which a joint jumps away and back, faster than a body can: spikes and flips of trackers. */
import { upperMedian } from '../../math/median.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';

/** Longest spike and longest flip, seconds. What lasts longer may be meant. */
const LONGEST_SPIKE = 1 / 15;
const LONGEST_FLIP = 0.3;
const LEAST_FLIP = (40 * Math.PI) / 180;
const LEAST_SPIKE = (3 * Math.PI) / 180;
/**
 * Accelerations above which a short spike and a longer flip are no movement, radians per second squared. Wrists of drummers reach 20,000°/s², forearms of
 * pitchers 30,000°/s² to the release.
 */
const SPIKE_ACCELERATION = (20_000 * Math.PI) / 180;
const FLIP_ACCELERATION = (60_000 * Math.PI) / 180;
/** A jump is so many times the usual step of the frames around it, and the standard deviation of the noise. */
const STEPS = 4;
const DEVIATIONS = 6;
/** The frames before and after a spike are nearer to each other than this share of the jump, plus two usual steps per frame. */
const RETURN_SHARE = 0.25;
/** Frames on both sides that the usual step comes from. */
const AROUND = 8;

/**
 * Marks the frames of spikes. `values`: rotations (4 numbers per frame) or positions (3). `radian`: length of positions that counts as much as a
 * radian; 1 for rotations. `noise`: standard deviation of the noise, in radians or the unit of the positions. `weights` receives 0 for the frames of
 * spikes. Returns the number of spikes.
 */
export function findSpikes(
  values: Float64Array,
  radian: number,
  noise: number,
  step: number,
  weights: Float64Array,
): number {
  const n = weights.length;
  const isRotation = values.length === 4 * n;
  const distance = (i: number, j: number): number =>
    isRotation ? quat.angleBetween(values, 4 * i, values, 4 * j) : vec3.distance(values, 3 * i, values, 3 * j) / radian;
  const steps = Float64Array.from({ length: n }, (_, i) => (i + 1 < n ? distance(i, i + 1) : 0));
  const least = Math.max(LEAST_SPIKE, (DEVIATIONS * noise) / radian, SPIKE_ACCELERATION * step ** 2);
  const leastFlip = Math.max(LEAST_FLIP, least, FLIP_ACCELERATION * step ** 2);
  let count = 0;
  for (let before = 0; before + 2 < n; before++) {
    const jump = steps[before];
    if (jump < least) continue;
    const longest = Math.round((jump < leastFlip ? LONGEST_SPIKE : LONGEST_FLIP) / step);
    for (let length = 1; length <= Math.max(1, longest) && before + length + 1 < n; length++) {
      const after = before + length + 1;
      if (steps[after - 1] < Math.max(least, jump / 2)) continue;
      const around: number[] = [];
      for (let k = Math.max(0, before - AROUND); k < Math.min(n - 1, after + AROUND); k++)
        if (k < before || k >= after) around.push(steps[k]);
      const usual = upperMedian(around) ?? 0;
      if (jump < STEPS * usual) break;
      if (distance(before, after) > RETURN_SHARE * jump + 2 * (length + 1) * usual) continue;
      weights.fill(0, before + 1, after);
      count++;
      before = after - 1;
      break;
    }
  }
  return count;
}

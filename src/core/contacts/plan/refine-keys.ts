/** Decides how dense the keys of legs are: hip, knee and ankle are interpolated one by one between keys, which moves a planted foot. */

import { type CharacterFrames, framesOf } from '../frames/character-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import type { Changes, FootOffsets } from './apply-changes.ts';
import type { ContactPlan } from './contact-plan.ts';
import { missingHeight } from './foot-heights.ts';

/** Greatest distance of a foot near the ground from its path, relative to the height of the character. */
const PATH_TOLERANCE = 2e-4;
/** Allowed mean speed of a grounded foot relative to its path, heights per second. */
const SPEED_TOLERANCE = 2e-4;
/** The same relative to the slide of the source; the greater one counts. */
const RELATIVE_SPEED = 0.01;
/** Heights of a toe joint above where it is on the ground, legs: up to the first its deviation counts fully, from the second on it does not count. */
const COUNTS = 0.01;
const COUNTS_NOT = 0.03;
const MOST_KEYS = 4;

/** Source and target, after plain retargeting, at the same frames. */
export type SampledPair = readonly [source: CharacterFrames, target: CharacterFrames];

/** Interpolates values per frame at `factor` times as many moments (Catmull–Rom; the ends continue). */
function interpolate(values: Float64Array, width: number, factor: number): Float64Array {
  const count = values.length / width;
  const out = new Float64Array(width * ((count - 1) * factor + 1));
  for (let frame = 0; frame + 1 < count; frame++) {
    const [a, b, c, d] = [Math.max(0, frame - 1), frame, frame + 1, Math.min(count - 1, frame + 2)];
    for (let part = 0; part < factor; part++) {
      const t = part / factor;
      const wa = ((2 - t) * t - 1) * t * 0.5;
      const wb = ((3 * t - 5) * t * t + 2) * 0.5;
      const wc = ((4 - 3 * t) * t + 1) * t * 0.5;
      const wd = (t - 1) * t * t * 0.5;
      for (let i = 0; i < width; i++) {
        out[width * (frame * factor + part) + i] =
          wa * values[width * a + i] +
          wb * values[width * b + i] +
          wc * values[width * c + i] +
          wd * values[width * d + i];
      }
    }
  }
  for (let i = 1; i <= width; i++) out[out.length - i] = values[values.length - i];
  return out;
}

/**
 * Interpolates the changes of a clip between frames. Feet keep to the path of the source, which is sampled at the new frames, and go no deeper
 * below the floor than they may. `factor`: new frames per frame, at least 1.
 */
export function refineChanges(
  plan: ContactPlan,
  changes: Changes,
  coarse: SampledPair,
  fine: SampledPair,
  factor: number,
): Changes {
  const k = plan.retarget.hipsScale;
  const feet: FootOffsets[] = [];
  for (const { frames, offsets, clearance, activity } of changes.feet) {
    const [from, nearFrom, near] = [coarse[0], fine[0], fine[1]].map((one) => framesOf(one, frames.leg)!);
    // The path of the foot over the ground relative to that of the source times k, and how much bending lowers the sole.
    const path = new Float64Array(offsets.length);
    for (let at = 0; at < path.length; at++) path[at] = frames.ball[at] + offsets[at] - k * from.ball[at];
    const bending = new Float64Array(clearance.length);
    for (let frame = 0; frame < bending.length; frame++) bending[frame] = clearance[frame] - frames.clearance[frame];
    const refined = interpolate(path, 3, factor);
    for (let at = 0; at < refined.length; at++) refined[at] = refined[at] - near.ball[at] + k * nearFrom.ball[at];
    const heights = interpolate(bending, 1, factor);
    const active = interpolate(activity, 1, factor);
    for (let frame = 0; frame < heights.length; frame++) {
      heights[frame] += near.clearance[frame];
      refined[3 * frame + 1] += missingHeight(plan, nearFrom, heights[frame], refined[3 * frame + 1], frame);
      active[frame] = Math.min(1, Math.max(0, active[frame]));
    }
    feet.push({ frames: near, offsets: refined, clearance: heights, activity: active });
  }
  return { raise: interpolate(changes.raise, 1, factor), feet };
}

/** Chooses the number of keys per frame of a clip whose keys are at every frame. */
export function keysPerFrame(
  { retarget: { hipsScale: k }, target: { height } }: ContactPlan,
  source: CharacterFrames,
  wanted: Changes,
  result: CharacterFrames,
): number {
  const { count, step } = source.grid;
  let farthest = 0;
  let speed = 0;
  let slide = 0;
  for (const { frames, offsets } of wanted.feet) {
    const [from, to] = [source, result].map((one) => framesOf(one, frames.leg)!);
    for (let frame = 1; frame < count; frame += 2) {
      const at = 3 * frame;
      const low = from.ball[at + 1] - from.floors[frame] - from.leg.sole.ballHeight;
      const weight = smoothstep(COUNTS_NOT, COUNTS, low / from.leg.length);
      if (!(weight > 0)) continue;
      const deviation = (axis: number): number => to.ball[at + axis] - frames.ball[at + axis] - offsets[at + axis];
      const [x, y, z] = [deviation(0), deviation(1), deviation(2)];
      farthest = Math.max(farthest, weight * Math.sqrt(x * x + y * y + z * z));
      // Between keys the foot leaves the path and returns: count twice.
      speed += (weight * Math.sqrt(x * x + z * z)) / step;
      const moved = Math.sqrt(
        (from.ball[at + 3] - from.ball[at - 3]) ** 2 + (from.ball[at + 5] - from.ball[at - 1]) ** 2,
      );
      slide += (weight * k * moved) / (2 * step);
    }
  }
  const samples = Math.max(1, ((count - 1) / 2) * wanted.feet.length);
  const allowed = Math.max(SPEED_TOLERANCE * height, (RELATIVE_SPEED * slide) / samples);
  const isEnough = (factor: number): boolean =>
    farthest <= PATH_TOLERANCE * height * factor * factor && speed / samples <= allowed * factor;
  for (let factor = 1; factor < MOST_KEYS; factor *= 2) if (isEnough(factor)) return factor;
  return MOST_KEYS;
}

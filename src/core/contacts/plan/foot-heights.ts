/** How high the feet of the target are. */
import type { LegFrames } from '../frames/character-frames.ts';
import { smooth, smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from './contact-plan.ts';
import type { Foot } from './foot.ts';

/** Standard deviation with which a swinging foot avoids the floor, seconds. */
const AVOIDING_SIGMA = 0.05;
/** Standard deviation with which the height of a sole is smoothed, seconds. */
const LIFT_SIGMA = 0.03;

/**
 * Limits a vertical offset so that it lowers nothing below the floor, however deep the source is.
 *
 * @param offset Meters.
 * @param clearance Height of the lowest point above the floor, meters.
 * @returns Meters.
 */
export function aboveFloor(offset: number, clearance: number): number {
  return Math.max(offset, -Math.max(0, clearance));
}

/**
 * Computes how far the foot of the target has to be raised so that its sole is as high as that of the source. It is smoothed, because the lowest
 * points of the two soles change at different times.
 *
 * @param plan From `planContacts`.
 * @param from The leg of the source.
 * @param clearances Height of the lowest point of the foot of the target above the ground, meters per frame.
 * @param timing How the frames follow each other.
 * @returns Meters above plain retargeting, per frame.
 */
export function findLifts(
  { mode, retarget }: ContactPlan,
  from: LegFrames,
  clearances: Float64Array,
  timing: Timing,
): Float64Array {
  const lifts = clearances.map((clearance, frame) => {
    if (mode === 'ground') return Math.max(0, -clearance);
    return aboveFloor(retarget.hipsScale * from.clearance[frame] - clearance, clearance);
  });
  return mode === 'ground' ? lifts : smooth(lifts, LIFT_SIGMA, timing.step, timing.loops);
}

/**
 * Finds the vertical offsets of a foot from plain retargeting, with the hips raised. In the air it moves with the hips. It goes no deeper than the
 * source, nor than plain retargeting; a swinging foot avoids the floor smoothly.
 *
 * @param foot The foot.
 * @param plan From `planContacts`.
 * @param raise How much the hips are raised, meters per frame.
 * @param timing How the frames follow each other.
 * @returns Meters above plain retargeting, per frame.
 */
export function raisedLifts(
  { from, clearance: clearances, path: { touching }, lifts }: Foot,
  { mode, retarget }: ContactPlan,
  raise: Float64Array,
  timing: Timing,
): Float64Array {
  if (mode === 'ground') return raise.map((height, frame) => Math.max(height, -clearances[frame]));
  const free = raise.map((height, frame) => touching[frame] * lifts[frame] + (1 - touching[frame]) * height);
  const below = free.map((lift, frame) => {
    const clearance = clearances[frame];
    const deepest = Math.min(0, Math.max(retarget.hipsScale * from.clearance[frame], clearance));
    return Math.max(0, deepest - clearance - lift);
  });
  if (!below.some((depth) => depth > 0)) return free;
  const avoided = smoothMaximum(below, AVOIDING_SIGMA, timing.step, timing.loops);
  return free.map((lift, frame) => lift + Math.max(below[frame], (1 - touching[frame]) * avoided[frame]));
}

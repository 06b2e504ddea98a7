import type { LegFrames } from '../frames/character-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import { smooth, smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from './contact-plan.ts';
import type { Foot } from './foot.ts';

/** Standard deviation with which a swinging foot avoids the floor, seconds. */
const AVOIDING_SIGMA = 0.065;
/** Standard deviation with which the height of a sole is smoothed, seconds. */
const LIFT_SIGMA = 0.03;
/** The same for what that smoothing takes from a sole that touches the ground. */
const SHARP_SIGMA = 0.015;
/** Depth below the floor, relative to the leg, over which a foot that may sink starts to follow. */
const SINKING = 0.06;

/**
 * Limits a vertical offset so that it lowers nothing below the floor, however deep the source is. `clearance`: height of the lowest point above the
 * floor, meters.
 */
export function aboveFloor(offset: number, clearance: number): number {
  return Math.max(offset, -Math.max(0, clearance));
}

/**
 * Computes how far the foot of the target has to be raised so that its sole is as high as that of the source. It is smoothed, because the lowest
 * points of the two soles change at different times, but stays close to that height while the foot touches the ground. `clearances`: height of the
 * lowest point of the foot of the target above the ground, meters per frame. `touching`: how much the foot is on the ground, 0…1 per frame. Returns
 * meters above plain retargeting, per frame.
 */
export function findLifts(
  { mode, retarget }: ContactPlan,
  from: LegFrames,
  clearances: Float64Array,
  touching: Float64Array,
  timing: Timing,
): Float64Array {
  const lifts = new Float64Array(clearances.length);
  for (let frame = 0; frame < lifts.length; frame++) {
    const clearance = clearances[frame];
    lifts[frame] =
      mode === 'ground'
        ? Math.max(0, -clearance)
        : aboveFloor(retarget.hipsScale * from.clearance[frame] - clearance, clearance);
  }
  if (mode === 'ground') return lifts;
  const { step, loops } = timing;
  const smoothed = smooth(lifts, LIFT_SIGMA, step, loops);
  for (let frame = 0; frame < lifts.length; frame++) lifts[frame] -= smoothed[frame];
  const missing = smooth(lifts, SHARP_SIGMA, step, loops);
  for (let frame = 0; frame < lifts.length; frame++) smoothed[frame] += touching[frame] * missing[frame];
  return smoothed;
}

/**
 * Returns how deep a sole may be: as deep as that of the source, or that after plain retargeting. A foot that plain retargeting lets sink starts to
 * follow it gradually, unless that of the source sinks alike. `source`: height of the sole of the source above the ground, scaled, meters. `sinking`:
 * depth over which it starts to follow, meters. Returns meters, at most 0.
 */
function deepestHeight(source: number, plain: number, sinking: number): number {
  const [ofSource, ofPlain] = [Math.min(0, source), Math.min(0, plain)];
  const gradual = smoothstep(0, sinking, ofPlain - ofSource) * smoothstep(-sinking, 0, ofPlain);
  return Math.max(ofSource, ofPlain * (1 - gradual));
}

/**
 * Computes how much deeper than allowed the sole of a foot is. `clearance`: height of the lowest point of the foot of the target above the ground
 * without its vertical offset, meters. `lift`: the vertical offset, meters. Returns meters, at least 0.
 */
export function missingHeight(
  { mode, retarget: { hipsScale } }: ContactPlan,
  from: LegFrames,
  clearance: number,
  lift: number,
  frame: number,
): number {
  const sinking = SINKING * hipsScale * from.leg.length;
  const deepest = mode === 'ground' ? 0 : deepestHeight(hipsScale * from.clearance[frame], clearance, sinking);
  return Math.max(0, deepest - clearance - lift);
}

/**
 * Finds the vertical offsets of a foot from plain retargeting, with the hips raised. In the air it moves with the hips. It goes no deeper than the
 * source, nor than plain retargeting; a swinging foot avoids the floor smoothly. `raise`: how much the hips are raised, meters per frame. Returns
 * meters above plain retargeting, per frame.
 */
export function raisedLifts(
  { from, clearance: clearances, path: { following }, lifts }: Foot,
  plan: ContactPlan,
  raise: Float64Array,
  timing: Timing,
): Float64Array {
  if (plan.mode === 'ground') return raise.map((height, frame) => Math.max(height, -clearances[frame]));
  const count = raise.length;
  const [out, below] = [new Float64Array(count), new Float64Array(count)];
  let deepest = 0;
  for (let frame = 0; frame < count; frame++) {
    out[frame] = following[frame] * lifts[frame] + (1 - following[frame]) * raise[frame];
    below[frame] = missingHeight(plan, from, clearances[frame], out[frame], frame);
    deepest = Math.max(deepest, below[frame]);
  }
  if (!(deepest > 0)) return out;
  const avoided = smoothMaximum(below, AVOIDING_SIGMA, timing.step, timing.loops);
  for (let frame = 0; frame < count; frame++) {
    out[frame] += Math.max(below[frame], (1 - following[frame]) * avoided[frame]);
  }
  return out;
}

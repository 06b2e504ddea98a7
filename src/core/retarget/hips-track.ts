/** The translation track of the target's hips. */
import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/constant.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { mapVectorKeys } from './map-keys.ts';
import type { HipsPlan, RetargetPlan } from './retarget-plan.ts';
import { retargetHips } from './retarget-pose.ts';
import { constantTrack, resampled } from './target-track.ts';
import type { TrackTable } from './track-table.ts';

/** Resampled hips stay within this of the exact path, relative to the height of the hips. */
const POSITION_TOLERANCE = 1e-5;

/** Tracks that move the source hips from above or by themselves, constant ones left out. */
function movers(hips: HipsPlan, table: TrackTable): { own: Track | undefined; above: Track[] } {
  const above: Track[] = [];
  for (const node of hips.sourceAncestors) {
    for (const track of [table.translation[node], table.rotation[node], table.scale[node]]) {
      if (track !== undefined && !isConstantTrack(track)) above.push(track);
    }
  }
  const own = table.translation[hips.sourceNode];
  return { own: own === undefined || isConstantTrack(own) ? undefined : own, above };
}

/** Local pose of the hips and the nodes above them at a time, other nodes at rest. */
function poseAbove(local: Float64Array, hips: HipsPlan, table: TrackTable, time: number): void {
  const own = table.translation[hips.sourceNode];
  if (own !== undefined) sampleTrack(own, time, local, 10 * hips.sourceNode);
  for (let k = 0; k < hips.sourceAncestors.length; k++) {
    const node = hips.sourceAncestors[k];
    const translation = table.translation[node];
    const rotation = table.rotation[node];
    const scale = table.scale[node];
    if (translation !== undefined) sampleTrack(translation, time, local, 10 * node);
    if (rotation !== undefined) sampleTrack(rotation, time, local, 10 * node + 3);
    if (scale !== undefined) sampleTrack(scale, time, local, 10 * node + 7);
  }
}

/**
 * Hips translation as an affine map of the source's local translation, valid while nothing above the hips moves. Probed in steps
 * as large as the values that will be mapped: what is lost in subtracting the offset is then no more than their own rounding.
 */
function hipsMap(hips: HipsPlan, local: Float64Array, own: Track): { linear: Float64Array; offset: Float64Array } {
  const offset = new Float64Array(3);
  const linear = new Float64Array(9);
  const probe = local.slice();
  const at = 10 * hips.sourceNode;
  let step = 0;
  for (let i = 0; i < own.values.length; i++) step = Math.max(step, Math.abs(own.values[i]));
  if (!(step > 0)) step = 1;
  probe.fill(0, at, at + 3);
  retargetHips(offset, 0, hips, probe);
  for (let axis = 0; axis < 3; axis++) {
    probe.fill(0, at, at + 3);
    probe[at + axis] = step;
    retargetHips(linear, 3 * axis, hips, probe);
    vec3.subtract(linear, 3 * axis, linear, 3 * axis, offset, 0);
    vec3.scale(linear, 3 * axis, linear, 3 * axis, 1 / step);
  }
  return { linear, offset };
}

export function hipsTracks(
  plan: RetargetPlan,
  hips: HipsPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
): Track[] {
  const { own, above } = movers(hips, table);
  const local = plan.sourceRest.slice();
  const target = hips.targetNode;
  const path = 'translation';
  const evaluate = (time: number, out: Floats, o: number): void => {
    poseAbove(local, hips, table, time);
    retargetHips(out, o, hips, local);
  };
  if (above.length === 0 && own === undefined) {
    const value = new Float64Array(3);
    evaluate(0, value, 0);
    return constantTrack(target, path, value, plan, table.translation[hips.sourceNode] !== undefined);
  }
  if (above.length === 0 && own !== undefined && fps === undefined) {
    poseAbove(local, hips, table, 0);
    const { linear, offset } = hipsMap(hips, local, own);
    return [
      { target, path, interpolation: own.interpolation, times: own.times, values: mapVectorKeys(own, linear, offset) },
    ];
  }
  const tracks = own === undefined ? above : [...above, own];
  return [
    resampled(target, { path, tracks, tolerance: POSITION_TOLERANCE * hips.targetHeight, evaluate }, duration, fps),
  ];
}

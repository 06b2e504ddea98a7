/** Translation track of the target hips. */
import type { Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { RELATIVE_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { mapVectorKeys } from './map-keys.ts';
import type { HipsPlan, RetargetPlan } from './plan-types.ts';
import { retargetHips } from './retarget-pose.ts';
import { constantTrack, resampleTrack } from './target-track.ts';
import type { TrackTable } from './track-table.ts';

/** Returns the non-constant tracks that move the source hips: their own translation, and all tracks of the nodes above. */
function movingTracks(hips: HipsPlan, table: TrackTable): { own: Track | undefined; above: Track[] } {
  const above: Track[] = [];
  for (const node of hips.sourceAncestors) {
    for (const track of [table.translation[node], table.rotation[node], table.scale[node]]) {
      if (track !== undefined && !isConstantTrack(track)) above.push(track);
    }
  }
  const own = table.translation[hips.sourceNode];
  return { own: own === undefined || isConstantTrack(own) ? undefined : own, above };
}

/** Samples the hips translation and the nodes above the hips into a local pose. */
function sampleHipsChain(local: Float64Array, hips: HipsPlan, table: TrackTable, time: number): void {
  const own = table.translation[hips.sourceNode];
  if (own !== undefined) sampleTrack(own, time, local, POSE_STRIDE * hips.sourceNode);
  for (let k = 0; k < hips.sourceAncestors.length; k++) {
    const node = hips.sourceAncestors[k];
    const at = POSE_STRIDE * node;
    const translation = table.translation[node];
    const rotation = table.rotation[node];
    const scale = table.scale[node];
    if (translation !== undefined) sampleTrack(translation, time, local, at + PATH_OFFSET.translation);
    if (rotation !== undefined) sampleTrack(rotation, time, local, at + PATH_OFFSET.rotation);
    if (scale !== undefined) sampleTrack(scale, time, local, at + PATH_OFFSET.scale);
  }
}

/**
 * Returns the hips translation as an affine map of the local translation of the source, valid while no node above the hips moves. It is
 * probed with steps as large as the mapped values, so that subtracting the offset costs no more than the rounding of the values.
 */
function probeHipsMap(hips: HipsPlan, local: Float64Array, own: Track): { linear: Float64Array; offset: Float64Array } {
  const offset = new Float64Array(3);
  const linear = new Float64Array(9);
  const probe = local.slice();
  const at = POSE_STRIDE * hips.sourceNode;
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

/**
 * Retargets the translation of the hips. Keys are mapped one by one if only the hips themselves move; otherwise the path is resampled.
 *
 * @param plan From {@link planRetarget}.
 * @param hips Its hips plan.
 * @param table Tracks of the source clip.
 * @param duration Duration of the clip, seconds.
 * @param fps Keys per second; undefined keeps the key times of the source.
 * @returns One translation track; none if the hips stay at the rest of the target and the clip has no track for them.
 */
export function hipsTracks(
  plan: RetargetPlan,
  hips: HipsPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
): Track[] {
  const { own, above } = movingTracks(hips, table);
  const local = plan.sourceRest.slice();
  const target = hips.targetNode;
  const path = 'translation';
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleHipsChain(local, hips, table, time);
    retargetHips(out, o, hips, local);
  };
  if (above.length === 0 && own === undefined) {
    const value = new Float64Array(3);
    evaluate(0, value, 0);
    return constantTrack(target, path, value, plan, table.translation[hips.sourceNode] !== undefined);
  }
  if (above.length === 0 && own !== undefined && fps === undefined) {
    sampleHipsChain(local, hips, table, 0);
    const { linear, offset } = probeHipsMap(hips, local, own);
    const { interpolation, times } = own;
    return [{ target, path, interpolation, times, values: mapVectorKeys(own, linear, offset) }];
  }
  const tracks = own === undefined ? above : [...above, own];
  const tolerance = RELATIVE_TOLERANCE * hips.targetHeight;
  return [resampleTrack(target, { path, tracks, tolerance, evaluate }, duration, fps)];
}

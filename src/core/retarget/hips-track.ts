/** Translation track of the target hips. */
import { TRACK_PATHS, type Track, type TrackPath } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { RELATIVE_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { legsOffset } from './hips-position.ts';
import { mapVectorKeys } from './map-keys.ts';
import type { HipsPlan, RetargetPlan } from './plan-types.ts';
import { retargetHips } from './retarget-pose.ts';
import { constantTrack, resampleTrack } from './target-track.ts';
import type { TrackTable } from './track-table.ts';
import { applyLinear, directionToParentSpace } from './transform-point.ts';

/** Adds the tracks of a node that are not constant. */
function addMoving(out: Track[], table: TrackTable, node: number, paths: readonly TrackPath[]): void {
  for (const path of paths) {
    const track = table[path][node];
    if (track !== undefined && !isConstantTrack(track)) out.push(track);
  }
}

/** Adds the tracks that move the start of a leg against the hips: its translation, and all tracks of the nodes between. */
function addMovingLeg(out: Track[], table: TrackTable, chain: Int32Array): void {
  addMoving(out, table, chain[0], ['translation']);
  for (let k = 1; k < chain.length; k++) addMoving(out, table, chain[k], TRACK_PATHS);
}

/**
 * Returns the non-constant tracks that move the source hips: their own translation, all tracks of the nodes above, and those that move the
 * legs against the hips. `local` is the pose at time 0.
 */
function movingTracks(
  hips: HipsPlan,
  table: TrackTable,
  local: Float64Array,
): { own: Track | undefined; others: Track[] } {
  const { legs, sourceNode } = hips;
  const others: Track[] = [];
  for (const node of hips.sourceAncestors) addMoving(others, table, node, TRACK_PATHS);
  if (legs !== null) {
    const ofLegs: Track[] = [];
    addMoving(ofLegs, table, sourceNode, ['scale']);
    addMovingLeg(ofLegs, table, legs.left);
    addMovingLeg(ofLegs, table, legs.right);
    legsOffset(offsetOfLegs, hips, local);
    if (ofLegs.length > 0 || vec3.length(offsetOfLegs, 0) > 0) {
      addMoving(ofLegs, table, sourceNode, ['rotation']);
      others.push(...new Set(ofLegs));
    }
  }
  const own = table.translation[sourceNode];
  return { own: own === undefined || isConstantTrack(own) ? undefined : own, others };
}

const offsetOfLegs = new Float64Array(3);

/** Samples a node into a local pose. */
function sampleNode(local: Float64Array, table: TrackTable, node: number, time: number): void {
  for (const path of TRACK_PATHS) {
    const track = table[path][node];
    if (track !== undefined) sampleTrack(track, time, local, POSE_STRIDE * node + PATH_OFFSET[path]);
  }
}

/** Samples the hips, the nodes above and the legs into a local pose. */
function sampleHipsChain(
  local: Float64Array,
  { sourceNode, sourceAncestors, legs }: HipsPlan,
  table: TrackTable,
  time: number,
): void {
  sampleNode(local, table, sourceNode, time);
  for (const node of sourceAncestors) sampleNode(local, table, node, time);
  if (legs === null) return;
  for (const node of legs.left) sampleNode(local, table, node, time);
  for (const node of legs.right) sampleNode(local, table, node, time);
}

/**
 * Writes the hips translation as an affine map of the local translation of the source, valid while only the hips themselves move. The legs have no effect
 * then: they would be among the tracks that move the hips.
 */
function hipsMap(linear: Float64Array, offset: Float64Array, hips: HipsPlan, local: Float64Array): void {
  const at = POSE_STRIDE * hips.sourceNode;
  local.fill(0, at, at + 3);
  retargetHips(offset, 0, hips, local);
  for (let axis = 0; axis < 3; axis++) {
    direction.fill(0);
    direction[axis] = hips.factor;
    for (let k = 0; k < hips.sourceAncestors.length; k++) {
      directionToParentSpace(direction, local, POSE_STRIDE * hips.sourceAncestors[k]);
    }
    applyLinear(direction, 0, hips.sourceLinear, direction, 0);
    applyLinear(linear, 3 * axis, hips.targetLinear, direction, 0);
  }
}

const direction = new Float64Array(3);
const linear = new Float64Array(9);
const offset = new Float64Array(3);
/** Local pose of the source, for all clips: a new one would take longer than mapping the keys of a short clip. */
let local = new Float64Array(0);

/**
 * Retargets the translation of the hips. Keys are mapped one by one if only the hips themselves move; otherwise the path is resampled.
 *
 * @param plan From {@link planRetarget}.
 * @param hips Its hips plan.
 * @param table Tracks of the source clip.
 * @param duration Duration of the clip, seconds.
 * @param fps Keys per second; undefined keeps the key times of the source.
 * @param spare Memory for the values, which is used if it has the type and length of the source's; a buffer of their own takes as long as mapping the keys of
 * ten bones.
 * @returns One translation track; none if the hips stay at the rest of the target and the clip has no track for them.
 */
export function hipsTracks(
  plan: RetargetPlan,
  hips: HipsPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
  spare: Floats,
): Track[] {
  if (local.length < plan.sourceRest.length) local = new Float64Array(plan.sourceRest.length);
  local.set(plan.sourceRest);
  sampleHipsChain(local, hips, table, 0);
  const { own, others } = movingTracks(hips, table, local);
  const target = hips.targetNode;
  const path = 'translation';
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleHipsChain(local, hips, table, time);
    retargetHips(out, o, hips, local);
  };
  if (others.length === 0 && own === undefined) {
    const value = new Float64Array(3);
    evaluate(0, value, 0);
    return constantTrack(target, path, value, plan, table.translation[hips.sourceNode] !== undefined);
  }
  if (others.length === 0 && own !== undefined && fps === undefined) {
    hipsMap(linear, offset, hips, local);
    const { interpolation, times } = own;
    const fits = spare.length === own.values.length && spare.BYTES_PER_ELEMENT === own.values.BYTES_PER_ELEMENT;
    const values = fits ? spare : own.values.slice();
    mapVectorKeys(values, own, linear, offset);
    return [{ target, path, interpolation, times, values }];
  }
  const tracks = own === undefined ? others : [...others, own];
  const tolerance = RELATIVE_TOLERANCE * hips.targetHeight;
  return [resampleTrack(target, { path, tracks, tolerance, evaluate }, duration, fps)];
}

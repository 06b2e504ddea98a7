import { TRACK_PATHS, type Track, type TrackPath } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { RELATIVE_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { nodesAroundHips } from './hips-position.ts';
import { mapVectorKeys } from './map-keys.ts';
import type { HipsPlan, RetargetPlan } from './plan-types.ts';
import { retargetHips } from './retarget-pose.ts';
import { constantTrack, resampleTrack } from './target-track.ts';
import type { TrackTable } from './track-table.ts';
import { applyLinear, directionToParentSpace } from './transform-point.ts';

/**
 * The pelvis may be this far from where the translation of the hips alone brings it, relative to the hips height: noise of bind poses, for
 * which keys are not given up.
 */
const STILL = 1e-4;

/** Adds the tracks of a node that are not constant. */
function addMoving(out: Set<Track>, table: TrackTable, node: number, paths: readonly TrackPath[] = TRACK_PATHS): void {
  for (const path of paths) {
    const track = table[path][node];
    if (track !== undefined && !isConstantTrack(track)) out.add(track);
  }
}

/** Writes a half turn about an axis as the rotation of a node; without an axis (3) no rotation. */
function setHalfTurn(local: Float64Array, node: number, axis: number): void {
  for (let c = 0; c < 4; c++) local[POSE_STRIDE * node + PATH_OFFSET.rotation + c] = c === axis ? 1 : 0;
}

/**
 * Tells whether the rotation of the source hips moves the translated node: its legs are not fixed to the hips, or the vector from the hips
 * to the pelvis differs between source and target. `local` is any pose of the clip.
 */
function isMovedByRotation(hips: HipsPlan, local: Float64Array): boolean {
  const { sourceNode } = hips;
  quat.copy(kept, 0, local, POSE_STRIDE * sourceNode + PATH_OFFSET.rotation);
  setHalfTurn(local, sourceNode, 3);
  retargetHips(unrotated, 0, hips, local);
  let farthest = 0;
  for (let axis = 0; axis < 3; axis++) {
    setHalfTurn(local, sourceNode, axis);
    retargetHips(rotated, 0, hips, local);
    farthest = Math.max(farthest, vec3.distance(unrotated, 0, rotated, 0));
  }
  quat.copy(local, POSE_STRIDE * sourceNode + PATH_OFFSET.rotation, kept, 0);
  return farthest > STILL * hips.targetHeight;
}

const kept = new Float64Array(4);
const unrotated = new Float64Array(3);
const rotated = new Float64Array(3);

/** Lists the non-constant tracks that move the translated node. `local` is the pose at time 0. */
function movingTracks(hips: HipsPlan, table: TrackTable, local: Float64Array): Track[] {
  const { sourceNode, sourceJoints, sourceAncestors, arms } = hips;
  const tracks = new Set<Track>();
  for (const nodes of sourceJoints) {
    addMoving(tracks, table, nodes[0], ['translation']);
    for (let k = 1; k < nodes.length; k++) addMoving(tracks, table, nodes[k]);
  }
  const areLegsFixed = sourceJoints.length === 1 || tracks.size === 0;
  for (const node of sourceAncestors) addMoving(tracks, table, node);
  for (const { nodes } of arms) for (const node of nodes) addMoving(tracks, table, node, ['rotation']);
  const rotation = table.rotation[sourceNode];
  if (rotation !== undefined && tracks.has(rotation) && areLegsFixed && !isMovedByRotation(hips, local))
    tracks.delete(rotation);
  return [...tracks];
}

/** Lists the source nodes from the root of the path of the pelvis down to a node whose translation moves it rigidly; null if it does not. */
function rigidChain({ sourceJoints, sourceAncestors }: HipsPlan, node: number): number[] | null {
  const chain = [...(sourceJoints.length === 1 ? sourceJoints[0] : []), ...sourceAncestors];
  const index = chain.indexOf(node);
  return index < 0 ? null : chain.slice(index + 1);
}

/** Writes the translation of the target as an affine map of the only source translation that moves it. `above`: the source nodes above. */
function hipsMap(hips: HipsPlan, local: Float64Array, node: number, above: readonly number[]): void {
  const at = POSE_STRIDE * node;
  local.fill(0, at, at + 3);
  retargetHips(offset, 0, hips, local);
  for (let axis = 0; axis < 3; axis++) {
    direction.fill(0);
    direction[axis] = hips.factor;
    for (const one of above) directionToParentSpace(direction, local, POSE_STRIDE * one);
    applyLinear(direction, 0, hips.sourceLinear, direction, 0);
    applyLinear(linear, 3 * axis, hips.targetLinear, direction, 0);
  }
}

const direction = new Float64Array(3);
const linear = new Float64Array(9);
const offset = new Float64Array(3);
/** Local pose of the source, for all clips: a new one would take longer than mapping the keys of a short clip. */
let local = new Float64Array(0);

function sampleInto(track: Track, time: number): void {
  sampleTrack(track, time, local, POSE_STRIDE * track.target + PATH_OFFSET[track.path]);
}

/**
 * Retargets the path of the pelvis. Keys are mapped one by one if one translation is all that moves it; otherwise the path is resampled. `duration`:
 * seconds. `fps`: keys per second; undefined keeps the key times of the source. `part`: part of the tolerances, above 0, at most 1.
 */
export function hipsTracks(
  plan: RetargetPlan,
  hips: HipsPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
  part: number,
  spare: Floats,
): Track[] {
  if (local.length < plan.sourceRest.length) local = new Float64Array(plan.sourceRest.length);
  local.set(plan.sourceRest);
  for (const node of nodesAroundHips(hips)) {
    for (const trackPath of TRACK_PATHS) {
      const track = table[trackPath][node];
      if (track !== undefined) sampleInto(track, 0);
    }
  }
  const tracks = movingTracks(hips, table, local);
  const target = hips.targetNode;
  const path = 'translation';
  const evaluate = (time: number, out: Floats, o: number): void => {
    for (const track of tracks) sampleInto(track, time);
    retargetHips(out, o, hips, local);
  };
  if (tracks.length === 0) {
    const value = new Float64Array(3);
    evaluate(0, value, 0);
    return constantTrack(target, path, value, plan, table.translation[hips.sourceNode] !== undefined);
  }
  const [own] = tracks;
  const above = tracks.length === 1 && own.path === 'translation' ? rigidChain(hips, own.target) : null;
  if (above !== null && fps === undefined) {
    hipsMap(hips, local, own.target, above);
    const { interpolation, times } = own;
    const fits = spare.length === own.values.length && spare.BYTES_PER_ELEMENT === own.values.BYTES_PER_ELEMENT;
    const values = fits ? spare : own.values.slice();
    mapVectorKeys(values, own, linear, offset);
    return [{ target, path, interpolation, times, values }];
  }
  const tolerance = part * RELATIVE_TOLERANCE * hips.targetHeight;
  return [resampleTrack(target, { path, tracks, tolerance, evaluate }, duration, fps)];
}

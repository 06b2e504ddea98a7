/** The offline side: a clip of the source in, a clip of the target out. */
import { type Clip, lastKeyTime, type Track, type TrackPath } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/constant.ts';
import { resampleFunction, uniformTimes, unionTimes } from '../animation/resample.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { mapRotationKeys, mapVectorKeys, sandwichMatrix } from './map-keys.ts';
import type { HipsPlan, RetargetPlan, ScalePlan, TranslationPlan } from './plan.ts';
import { applyLinear, retargetHips, retargetScale, retargetTranslation } from './retarget-pose.ts';

export interface ClipOptions {
  /** Name of the new clip; that of the old one by default. */
  readonly name?: string;
  /** Keys at this rate instead of the motion's own keys. */
  readonly fps?: number;
}

/** Resampled rotations stay within this of the exact world rotation, radians: 0.005°. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;
/** Resampled hips stay within this of the exact path, relative to the reference height of the hips path. */
const POSITION_TOLERANCE = 1e-5;
/** A bone that stands this still at its rest gets no track. */
const STILL = 1e-7;

/** The tracks of a clip by node. */
interface TrackTable {
  readonly rotation: readonly (Track | undefined)[];
  readonly translation: readonly (Track | undefined)[];
  readonly scale: readonly (Track | undefined)[];
}

function tableOf(clip: Clip, nodeCount: number): TrackTable {
  const table: Record<TrackPath, (Track | undefined)[]> = {
    rotation: new Array(nodeCount),
    translation: new Array(nodeCount),
    scale: new Array(nodeCount),
  };
  for (const track of clip.tracks) table[track.path][track.target] = track;
  return table;
}

/** The value of a track that never changes. */
function constantValue(track: Track, width: number): Floats {
  const at = track.interpolation === 'CUBICSPLINE' ? width : 0;
  return track.values.subarray(at, at + width);
}

/** A product of constants and tracks: `constants[0] · tracks[0] · constants[1] · tracks[1] · …`. */
interface RotationProduct {
  readonly constants: Float64Array;
  readonly tracks: readonly Track[];
  readonly inverted: readonly boolean[];
}

/** Folds what does not change over the clip into the constants of a bone's path. */
function rotationProduct(plan: RetargetPlan, k: number, table: TrackTable): RotationProduct {
  const most = plan.pathStart[k + 1] - plan.pathStart[k] + 1;
  const constants = new Float64Array(4 * most);
  const tracks: Track[] = [];
  const inverted: boolean[] = [];
  const value = new Float64Array(4);
  quat.copy(constants, 0, plan.left, 4 * k);
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    const node = plan.pathNodes[entry];
    const isInverted = plan.pathInverted[entry] === 1;
    const track = table.rotation[node];
    if (track !== undefined && !isConstantTrack(track)) {
      tracks.push(track);
      inverted.push(isInverted);
      quat.identity(constants, 4 * tracks.length);
      continue;
    }
    if (track === undefined) quat.copy(value, 0, plan.sourceRest, 10 * node + 3);
    else quat.normalize(value, 0, constantValue(track, 4), 0);
    if (isInverted) quat.conjugate(value, 0, value, 0);
    quat.multiply(constants, 4 * tracks.length, constants, 4 * tracks.length, value, 0);
  }
  quat.multiply(constants, 4 * tracks.length, constants, 4 * tracks.length, plan.right, 4 * k);
  return { constants, tracks, inverted };
}

function evaluateProduct(product: RotationProduct, time: number, out: Floats, o: number, scratch: Float64Array): void {
  quat.copy(out, o, product.constants, 0);
  for (let t = 0; t < product.tracks.length; t++) {
    sampleTrack(product.tracks[t], time, scratch, 0);
    if (product.inverted[t]) quat.conjugate(scratch, 0, scratch, 0);
    quat.multiply(out, o, out, o, scratch, 0);
    quat.multiply(out, o, out, o, product.constants, 4 * (t + 1));
  }
  quat.normalize(out, o, out, o);
}

/** How many bones from `k` up to the root of the target are resampled: their errors add up in the world rotation of `k`. */
function resampledAbove(plan: RetargetPlan, products: readonly RotationProduct[], k: number): number {
  let count = 0;
  for (let bone = k; bone >= 0; bone = plan.above[bone]) if (products[bone].tracks.length > 1) count++;
  return count;
}

function isStill(value: Floats, rest: Float64Array, at: number, rotation: boolean): boolean {
  if (rotation) return quat.angleBetween(value, 0, rest, at) < STILL;
  return vec3.distance(value, 0, rest, at) <= STILL * (1 + vec3.length(rest, at));
}

/** One key at time 0; none when the value is the target's rest anyway and the motion says nothing about it. */
function constantTrack(
  target: number,
  path: TrackPath,
  value: Floats,
  plan: RetargetPlan,
  isAnimated: boolean,
): Track[] {
  const at = 10 * target + (path === 'rotation' ? 3 : path === 'scale' ? 7 : 0);
  if (!isAnimated && isStill(value, plan.targetRest, at, path === 'rotation')) return [];
  return [{ target, path, interpolation: 'STEP', times: new Float32Array([0]), values: value }];
}

/** Times at which STEP tracks jump. */
function jumps(tracks: readonly Track[]): Floats[] {
  return tracks.filter((track) => track.interpolation === 'STEP').map((track) => track.times);
}

interface Resampling {
  readonly path: TrackPath;
  readonly tracks: readonly Track[];
  readonly tolerance: number;
  readonly evaluate: (time: number, out: Floats, o: number) => void;
}

/** A track of a function of time: on a uniform grid, or at the union of the keys refined to the tolerance. */
function resampled(
  target: number,
  { path, tracks, tolerance, evaluate }: Resampling,
  duration: number,
  fps: number | undefined,
): Track {
  const width = path === 'rotation' ? 4 : 3;
  if (fps === undefined) {
    const keys = resampleFunction({
      width,
      isRotation: path === 'rotation',
      keyTimes: unionTimes(tracks.map((track) => track.times)),
      stepTimes: unionTimes(jumps(tracks)),
      tolerance,
      evaluate,
    });
    return { target, path, interpolation: 'LINEAR', times: keys.times, values: keys.values };
  }
  const times = uniformTimes(duration, fps);
  const values = new Float64Array(width * times.length);
  for (let key = 0; key < times.length; key++) {
    evaluate(times[key], values, width * key);
    if (path === 'rotation' && key > 0 && quat.dot(values, 4 * key, values, 4 * key - 4) < 0) {
      for (let c = 4 * key; c < 4 * key + 4; c++) values[c] = -values[c];
    }
  }
  return { target, path, interpolation: 'LINEAR', times, values };
}

function rotationTracks(plan: RetargetPlan, table: TrackTable, duration: number, fps: number | undefined): Track[] {
  const products = Array.from(plan.bones, (_, k) => rotationProduct(plan, k, table));
  const scratch = new Float64Array(4);
  let nested = 1;
  for (let k = 0; k < products.length; k++) nested = Math.max(nested, resampledAbove(plan, products, k));
  return products.flatMap((product, k) => {
    const target = plan.targetNodes[k];
    const { tracks, constants } = product;
    if (tracks.length === 0) {
      const value = new Float64Array(4);
      quat.normalize(value, 0, constants, 0);
      return constantTrack(target, 'rotation', value, plan, hasTrack(plan, k, table));
    }
    if (tracks.length === 1 && fps === undefined) {
      const matrix = sandwichMatrix(constants, 0, constants, 4, product.inverted[0]);
      const { interpolation, times } = tracks[0];
      return [{ target, path: 'rotation' as const, interpolation, times, values: mapRotationKeys(tracks[0], matrix) }];
    }
    const evaluate = (time: number, out: Floats, o: number): void => evaluateProduct(product, time, out, o, scratch);
    return [
      resampled(target, { path: 'rotation', tracks, tolerance: ROTATION_TOLERANCE / nested, evaluate }, duration, fps),
    ];
  });
}

/** Whether the clip says anything about the rotations on the path of a bone. */
function hasTrack(plan: RetargetPlan, k: number, table: TrackTable): boolean {
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    if (table.rotation[plan.pathNodes[entry]] !== undefined) return true;
  }
  return false;
}

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

/** Hips translation as an affine map of the source's local translation, valid while nothing above the hips moves. */
function hipsMap(hips: HipsPlan, local: Float64Array): { linear: Float64Array; offset: Float64Array } {
  const offset = new Float64Array(3);
  const linear = new Float64Array(9);
  const probe = Float64Array.from(local);
  const at = 10 * hips.sourceNode;
  probe.fill(0, at, at + 3);
  retargetHips(offset, 0, hips, probe);
  for (let axis = 0; axis < 3; axis++) {
    probe.fill(0, at, at + 3);
    probe[at + axis] = 1;
    retargetHips(linear, 3 * axis, hips, probe);
    vec3.subtract(linear, 3 * axis, linear, 3 * axis, offset, 0);
  }
  return { linear, offset };
}

function hipsTracks(
  plan: RetargetPlan,
  hips: HipsPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
): Track[] {
  const { own, above } = movers(hips, table);
  const local = Float64Array.from(plan.sourceRest);
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
    const { linear, offset } = hipsMap(hips, local);
    return [
      { target, path, interpolation: own.interpolation, times: own.times, values: mapVectorKeys(own, linear, offset) },
    ];
  }
  const tracks = own === undefined ? above : [...above, own];
  const height = vec3.length(hips.targetBase, 0);
  return [
    resampled(
      target,
      { path, tracks, tolerance: POSITION_TOLERANCE * (height > 0 ? height : 1), evaluate },
      duration,
      fps,
    ),
  ];
}

function translationTracks(
  plan: RetargetPlan,
  translation: TranslationPlan,
  table: TrackTable,
  duration: number,
  fps: number | undefined,
): Track[] {
  const source = table.translation[translation.sourceNode];
  if (source === undefined) return [];
  const target = translation.targetNode;
  const path = 'translation';
  if (fps === undefined || isConstantTrack(source)) {
    const offset = new Float64Array(3);
    applyLinear(offset, 0, translation.linear, translation.origin, 0);
    vec3.subtract(offset, 0, translation.base, 0, offset, 0);
    const values = mapVectorKeys(source, translation.linear, offset);
    return [{ target, path, interpolation: source.interpolation, times: source.times, values }];
  }
  const value = new Float64Array(3);
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleTrack(source, time, value, 0);
    retargetTranslation(out, o, translation, value, 0);
  };
  return [resampled(target, { path, tracks: [source], tolerance: 0, evaluate }, duration, fps)];
}

/** Scale is no linear map when axes differ: keys of STEP and LINEAR tracks are mapped one by one, splines are resampled. */
function scaleTracks(scale: ScalePlan, table: TrackTable, duration: number, fps: number | undefined): Track[] {
  const source = table.scale[scale.sourceNode];
  if (source === undefined) return [];
  const target = scale.targetNode;
  const path = 'scale';
  if (fps === undefined && source.interpolation === 'STEP') {
    const values = new Float64Array(source.values.length);
    for (let i = 0; i < values.length; i += 3) retargetScale(values, i, scale, source.values, i);
    return [{ target, path, interpolation: 'STEP', times: source.times, values }];
  }
  const value = new Float64Array(3);
  const evaluate = (time: number, out: Floats, o: number): void => {
    sampleTrack(source, time, value, 0);
    retargetScale(out, o, scale, value, 0);
  };
  return [resampled(target, { path, tracks: [source], tolerance: POSITION_TOLERANCE, evaluate }, duration, fps)];
}

/**
 * Retargets a clip. Where exactly one source rotation drives a bone, its keys, their times and their interpolation stay (the map
 * is linear, tangents included); where several do, the track is resampled to within 0.005° of world rotation.
 * Tracks share the time arrays of the source where they could be kept. RangeError for an fps that is not positive.
 */
export function retargetClip(plan: RetargetPlan, clip: Clip, options: ClipOptions = {}): Clip {
  const { fps } = options;
  if (fps !== undefined && !(fps > 0 && Number.isFinite(fps)))
    throw new RangeError(`retargetClip: fps is ${fps}, expected a number above 0`);
  const nodeCount = plan.sourceParents.length;
  const stranger = clip.tracks.find(({ target }) => !(target >= 0 && target < nodeCount));
  if (stranger !== undefined) {
    throw new RangeError(
      `retargetClip: a track animates node ${stranger.target}, the plan's source has ${nodeCount} nodes`,
    );
  }
  const table = tableOf(clip, nodeCount);
  const tracks: Track[] = [];
  if (plan.rotation) tracks.push(...rotationTracks(plan, table, clip.duration, fps));
  if (plan.hips !== null) tracks.push(...hipsTracks(plan, plan.hips, table, clip.duration, fps));
  for (const translation of plan.translations)
    tracks.push(...translationTracks(plan, translation, table, clip.duration, fps));
  for (const scale of plan.scales) tracks.push(...scaleTracks(scale, table, clip.duration, fps));
  return { name: options.name ?? clip.name, duration: Math.max(clip.duration, lastKeyTime(tracks)), tracks };
}

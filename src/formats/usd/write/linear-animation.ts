/** Animations as USD can play them: linear keys, by the nodes that they move. */
import { type Keys, PATH_OFFSET, PATH_WIDTH, type Track, type TrackPath } from '../../../core/animation/clip.ts';
import { isConstantTrack } from '../../../core/animation/constant.ts';
import { linearTrack } from '../../../core/animation/linear-track.ts';
import { resampleFunction, unionTimes } from '../../../core/animation/resample.ts';
import { sampleKeys, sampleTrack } from '../../../core/animation/sample.ts';
import type { MorphTrack } from '../../../core/asset/asset.ts';
import * as quat from '../../../core/math/quat.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { UsdAnimation } from './usd-animation.ts';

/** The tracks of one node; all linear. */
export type NodeTracks = Partial<Record<TrackPath, Track>>;

/** A clip by nodes. */
export interface LinearAnimation {
  readonly name: string;
  /** Seconds. */
  readonly duration: number;
  readonly tracks: ReadonlyMap<number, NodeTracks>;
  readonly morphs: ReadonlyMap<number, MorphTrack>;
}

/** Values at times, seconds: one number array a time, all elements one after the other. */
export interface Samples {
  readonly times: Float64Array;
  readonly values: readonly Float32Array[];
}

/** What splines that become linear may miss: radians, parts of the size of a character, parts of a scale or weight. */
const ROTATION_TOLERANCE = (0.005 * Math.PI) / 180;
const SIZE_TOLERANCE = 1e-5;
const NUMBER_TOLERANCE = 1e-5;

/**
 * An animation on the nodes that `nodeOf` has for the numbers of the file; others are counted in `lost`. STEP gets a second key right before each
 * jump, CUBICSPLINE as many keys as it needs: within 0.005° and 1e-5 of `size`, the extent of what moves.
 */
export function linearAnimation(
  animation: UsdAnimation,
  nodeOf: (source: number) => number,
  size: number,
): { animation: LinearAnimation; lost: number } {
  const { name, clip, sourceNodes, morphs = [] } = animation;
  const tracks = new Map<number, NodeTracks>();
  const weights = new Map<number, MorphTrack>();
  let { duration } = clip;
  let lost = 0;
  for (const track of clip.tracks) {
    const node = nodeOf(sourceNodes[track.target]);
    if (node < 0 || track.times.length === 0) {
      lost++;
      continue;
    }
    const found = tracks.get(node) ?? {};
    found[track.path] = linearTrack(track, toleranceOf(track.path, size));
    tracks.set(node, found);
  }
  for (const track of morphs) {
    const node = nodeOf(track.sourceNode);
    if (node < 0 || track.times.length === 0) {
      lost++;
      continue;
    }
    duration = Math.max(duration, track.times[track.times.length - 1]);
    weights.set(node, { ...track, ...linearMorphs(track) });
  }
  return { animation: { name, duration, tracks, morphs: weights }, lost };
}

function toleranceOf(path: TrackPath, size: number): number {
  if (path === 'rotation') return ROTATION_TOLERANCE;
  return path === 'scale' ? NUMBER_TOLERANCE : SIZE_TOLERANCE * (size > 0 ? size : 1);
}

function linearMorphs(track: MorphTrack): Keys {
  const { interpolation, times, values, targetCount } = track;
  if (interpolation === 'LINEAR' || targetCount === 0) return { interpolation: 'LINEAR', times, values };
  let cursor = 0;
  const keys = resampleFunction({
    width: targetCount,
    isRotation: false,
    keyTimes: times,
    ...(interpolation === 'STEP' ? { stepTimes: times } : {}),
    tolerance: NUMBER_TOLERANCE,
    evaluate: (time, out, o) => {
      cursor = sampleKeys(track, targetCount, false, time, out, o, cursor);
    },
  });
  return { interpolation: 'LINEAR', ...keys };
}

/**
 * The times at which any of the tracks has a key, of those that change; without such the ends of `span` seconds: players of one sample are known to
 * show no skinning.
 */
export function timesOf(tracks: readonly (Track | undefined)[], span: number): Float64Array {
  const moving = tracks.flatMap((track) => (track === undefined || isConstantTrack(track) ? [] : [track]));
  const union = unionTimes(moving.map(({ times }) => times));
  return union.length < 2 ? Float64Array.of(0, span) : union;
}

/**
 * One property of several nodes at times; nodes without a track have their `rest`, `POSE_STRIDE` floats each. Quaternions have length 1 and stay in
 * one hemisphere.
 */
export function sampleProperty(
  path: TrackPath,
  tracks: readonly (NodeTracks | undefined)[],
  rest: ArrayLike<number>,
  times: Float64Array,
): Samples {
  const width = PATH_WIDTH[path];
  const own = tracks.map((of) => of?.[path]);
  const cursors = new Int32Array(tracks.length);
  const value = new Float64Array(4);
  const values: Float32Array[] = [];
  for (const time of times) {
    const former = values[values.length - 1];
    const sample = new Float32Array(width * tracks.length);
    for (let n = 0; n < tracks.length; n++) {
      const track = own[n];
      if (track === undefined) for (let c = 0; c < width; c++) value[c] = rest[POSE_STRIDE * n + PATH_OFFSET[path] + c];
      else cursors[n] = sampleTrack(track, time, value, 0, cursors[n]);
      const o = width * n;
      if (path === 'rotation') {
        quat.normalize(value, 0, value, 0);
        if (former !== undefined && quat.dot(value, 0, former, o) < 0) for (let c = 0; c < 4; c++) value[c] = -value[c];
      }
      for (let c = 0; c < width; c++) sample[o + c] = value[c];
    }
    values.push(sample);
  }
  return { times, values };
}

/** A weight that a blend shape has by a track of its mesh, or always. */
export interface WeightSource {
  readonly track: MorphTrack | undefined;
  readonly target: number;
  readonly weight: number;
}

/** The weights of blend shapes at all times at which any of them has a key; null where none has more than one. */
export function sampleWeights(sources: readonly WeightSource[], span: number): Samples | null {
  const tracks = [...new Set(sources.flatMap(({ track }) => track ?? []))];
  if (tracks.length === 0) return null;
  const union = unionTimes(tracks.map(({ times }) => times));
  const times = union.length < 2 ? Float64Array.of(0, span) : union;
  const buffers = new Map(tracks.map((track) => [track, new Float64Array(track.targetCount)]));
  const values = Array.from(times, (time) => {
    for (const [track, buffer] of buffers) sampleKeys(track, track.targetCount, false, time, buffer, 0);
    return Float32Array.from(sources, ({ track, target, weight }) => {
      return track === undefined ? weight : (buffers.get(track)?.[target] ?? weight);
    });
  });
  return { times, values };
}

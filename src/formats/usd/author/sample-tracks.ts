/** Samples linear tracks and morph target weights at common times, as USD stores them. */
import { PATH_WIDTH, type Track, type TrackPath } from '../../../core/animation/clip.ts';
import { isConstantTrack } from '../../../core/animation/is-constant-track.ts';
import { unionTimes } from '../../../core/animation/resample.ts';
import { sampleKeys, sampleTrack } from '../../../core/animation/sample.ts';
import type { MorphTrack } from '../../../core/asset/asset.ts';
import * as quat from '../../../core/math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';

/** Linear tracks. At times between their keys, which other tracks of an animation add, the values of `spline` are used. */
export type NodeTracks = Partial<Record<TrackPath, Track & { readonly spline?: Track }>>;

/** Values at common times. */
export interface Samples {
  /** Seconds, strictly ascending. */
  readonly times: Float64Array;
  /** One array per time, with the values of all elements one after the other. */
  readonly values: readonly Float32Array[];
}

/**
 * Collects the key times of the tracks that change. If none changes, the result has two times, because some renderers do not skin an animation with a
 * single sample.
 */
export function sampleTimes(tracks: readonly (Track | undefined)[], span: number): Float64Array {
  const moving = tracks.flatMap((track) => (track === undefined || isConstantTrack(track) ? [] : [track]));
  const union = unionTimes(moving.map(({ times }) => times));
  return union.length < 2 ? Float64Array.of(0, span) : union;
}

/**
 * Samples one property of several nodes. Rotations are normalized and stay in one hemisphere over time. `rest`: values of nodes without a track:
 * `POSE_STRIDE` floats per node. Returns the samples, `PATH_WIDTH[path]` floats per node.
 */
export function sampleProperty(
  path: TrackPath,
  tracks: readonly (NodeTracks | undefined)[],
  rest: ArrayLike<number>,
  times: Float64Array,
): Samples {
  const width = PATH_WIDTH[path];
  const own = tracks.map((of) => of?.[path]?.spline ?? of?.[path]);
  const cursors = new Int32Array(tracks.length);
  const value = new Float64Array(4);
  const values: Float32Array[] = [];
  for (const time of times) {
    const previous = values[values.length - 1];
    const sample = new Float32Array(width * tracks.length);
    for (let n = 0; n < tracks.length; n++) {
      const track = own[n];
      if (track === undefined) for (let c = 0; c < width; c++) value[c] = rest[POSE_STRIDE * n + PATH_OFFSET[path] + c];
      else cursors[n] = sampleTrack(track, time, value, 0, cursors[n]);
      const o = width * n;
      if (path === 'rotation') {
        quat.normalize(value, 0, value, 0);
        if (previous !== undefined && quat.dot(value, 0, previous, o) < 0)
          for (let c = 0; c < 4; c++) value[c] = -value[c];
      }
      for (let c = 0; c < width; c++) sample[o + c] = value[c];
    }
    values.push(sample);
  }
  return { times, values };
}

export interface WeightSource {
  /** Morph target weights of a mesh; undefined for a static weight. */
  readonly track: MorphTrack | undefined;
  readonly target: number;
  /** The weight without a track. */
  readonly weight: number;
}

/**
 * Samples blend shape weights at the key times of all their tracks; at two times if there is only one key. Returns the samples, one float per
 * weight; null without any track.
 */
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

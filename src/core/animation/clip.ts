import type { Floats } from '../math/floats.ts';

/** Interpolation between keys, as in glTF 2.0, Appendix C. */
export type Interpolation = 'STEP' | 'LINEAR' | 'CUBICSPLINE';
/** Property of a node that a track animates. */
export type TrackPath = 'translation' | 'rotation' | 'scale';

export const TRACK_PATHS = ['translation', 'rotation', 'scale'] as const satisfies readonly TrackPath[];

/** Number of floats in one value of each path. */
export const PATH_WIDTH: Readonly<Record<TrackPath, number>> = { translation: 3, rotation: 4, scale: 3 };

/** Keys of any property: a node transform, or morph target weights. */
export interface Keys {
  /** Interpolation between the keys. */
  readonly interpolation: Interpolation;
  /** Seconds, strictly increasing, first ≥ 0. */
  readonly times: Floats;
  /** One value per key; for CUBICSPLINE three per key: in-tangent, value, out-tangent (glTF 2.0, Appendix C.5). */
  readonly values: Floats;
}

/** Keys of one property of one node, in the node's local space. */
export interface Track extends Keys {
  /** Index of the node in the skeleton. */
  readonly target: number;
  /** Animated property of the node. */
  readonly path: TrackPath;
}

/** A time in which a part of a foot stands on the ground. */
export interface ClipPlant {
  /** The foot. */
  readonly side: 'left' | 'right';
  /** The part that stands: the heel, or the toe joint (ball). */
  readonly part: 'heel' | 'ball';
  /** Seconds. */
  readonly from: number;
  /** Seconds. */
  readonly to: number;
}

/** Tracks that play together on one skeleton; at most one per target and path. */
export interface Clip {
  /** Name in the file; may be empty. */
  readonly name: string;
  /** Seconds; no key is later. */
  readonly duration: number;
  /** Tracks in any order. */
  readonly tracks: readonly Track[];
  /**
   * Seconds, ascending: the key times of the file or its frames, where tracks have other keys, such as those that a reader adds to follow a curve of Euler
   * angles. Outputs get keys and a frame rate from them. By default the key times of the tracks.
   */
  readonly keyTimes?: Floats;
  /** When feet stand, where the file says it. By default contacts find it from the movement. */
  readonly plants?: readonly ClipPlant[];
}

/** Returns the time of the last key of all tracks, seconds; 0 without keys. `tracks`: tracks or other lists of key times, seconds. */
export function lastKeyTime(tracks: readonly { readonly times: Floats }[]): number {
  let last = 0;
  for (const { times } of tracks) last = Math.max(last, times[times.length - 1] ?? 0);
  return last;
}

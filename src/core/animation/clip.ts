import type { Floats } from '../math/floats.ts';

export type Interpolation = 'STEP' | 'LINEAR' | 'CUBICSPLINE';
export type TrackPath = 'translation' | 'rotation' | 'scale';

export const TRACK_PATHS = ['translation', 'rotation', 'scale'] as const satisfies readonly TrackPath[];

/** Floats of one value of a path. */
export const PATH_WIDTH: Readonly<Record<TrackPath, number>> = { translation: 3, rotation: 4, scale: 3 };
/** Where a path lies in the ten floats of a node in a pose. */
export const PATH_OFFSET: Readonly<Record<TrackPath, number>> = { translation: 0, rotation: 3, scale: 7 };

/** Keys of any property: of a node, or of the weights of morph targets. */
export interface Keys {
  readonly interpolation: Interpolation;
  /** Seconds, strictly rising, first ≥ 0. */
  readonly times: Floats;
  /** One value a key; with CUBICSPLINE three a key: in-tangent, value, out-tangent (glTF Appendix C). */
  readonly values: Floats;
}

/** Keys of one property of one node, in the node's local space. */
export interface Track extends Keys {
  /** Node of the skeleton. */
  readonly target: number;
  readonly path: TrackPath;
}

/** Tracks that play together on one skeleton. At most one track per target and path. */
export interface Clip {
  readonly name: string;
  /** Seconds: the last key of any track. */
  readonly duration: number;
  readonly tracks: readonly Track[];
}

/** The last key time of any of the tracks, 0 without tracks. */
export function lastKeyTime(tracks: readonly { readonly times: Floats }[]): number {
  let last = 0;
  for (const { times } of tracks) last = Math.max(last, times[times.length - 1] ?? 0);
  return last;
}

/** Facial animation: weights of named expressions, and the look-at direction. */
import type { Keys } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';

/** Keys of the weight of one expression: one float per value, clamped to 0…1 where it is used. */
export interface ExpressionTrack extends Keys {
  /** A preset of VRM 1.0, or the file's own name. */
  readonly name: string;
  /** Index of the node in the file that stores the weight; −1 without. */
  readonly sourceNode: number;
}

/**
 * Keys of the look-at direction of both eyes: a unit quaternion xyzw that rotates +Z to the direction, relative to a head that faces +Z with +Y
 * up at rest. Only yaw (about Y) and pitch (about X, positive down) are used: VRMC_vrm_animation-1.0, LookAt.
 */
export interface LookAtTrack extends Keys {
  /** Index of the node in the file that stores the rotation; −1 without. */
  readonly sourceNode: number;
  /** Origin of the direction: xyz in units of the file, in local axes of the head; null where the file declares none. */
  readonly offsetFromHeadBone: readonly [number, number, number] | null;
}

/** The face of one clip. */
export interface FaceTracks {
  /** One track per expression. */
  readonly expressions: readonly ExpressionTrack[];
  /** Null without a look-at track. */
  readonly lookAt: LookAtTrack | null;
}

/** Returns how many elements a key has: 1, or 3 for CUBICSPLINE (in-tangent, value, out-tangent). */
function elements(keys: Keys): number {
  return keys.interpolation === 'CUBICSPLINE' ? 3 : 1;
}

/**
 * Extracts one component from keys with several. `keys`: keys with `width` floats per value. Returns keys with one float per value; the times are
 * shared.
 */
export function extractComponent(keys: Keys, width: number, component: number): Keys {
  const { interpolation, times, values } = keys;
  const picked = new Float64Array(times.length * elements(keys));
  for (let k = 0; k < picked.length; k++) picked[k] = values[k * width + component];
  return { interpolation, times, values: picked };
}

/** Returns whether a component is 0 in every value and every tangent. */
export function isAlwaysZero(values: Floats, width = 1, component = 0): boolean {
  for (let k = component; k < values.length; k += width) if (values[k] !== 0) return false;
  return true;
}

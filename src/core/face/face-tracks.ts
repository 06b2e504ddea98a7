/** What a motion does with a face: weights of named expressions, and where the eyes look. */
import type { Keys } from '../animation/clip.ts';
import type { Floats } from '../math/floats.ts';

/** Keys of the weight of one expression: one float a value, 0…1; what is outside counts as the nearer end. */
export interface ExpressionTrack extends Keys {
  /** A preset of VRM 1.0, or the file's own name. */
  readonly name: string;
  /** Node of the file that carries the weight; −1 where none does. */
  readonly sourceNode: number;
}

/**
 * Keys of the direction in which both eyes look: a unit quaternion that turns +Z into it, in the axes of the head that faces +Z, up +Y,
 * when the head is at rest. Only yaw (about Y) and pitch (about X, down) mean something: VRMC_vrm_animation-1.0, LookAt.
 */
export interface LookAtTrack extends Keys {
  /** Node of the file that carries the rotation; −1 where none does. */
  readonly sourceNode: number;
  /** Where the eyes look from: xyz from the head, in its local axes, units of the file; null where the file does not say. */
  readonly offsetFromHeadBone: readonly [number, number, number] | null;
}

/** The face of one clip. */
export interface FaceTracks {
  readonly expressions: readonly ExpressionTrack[];
  readonly lookAt: LookAtTrack | null;
}

/** The number itself within 0…1, the nearer end outside; 0 for what is no number. */
export function saturate(weight: number): number {
  return weight > 0 ? Math.min(weight, 1) : 0;
}

/** Elements of one value of keys among its floats: the value alone, or with CUBICSPLINE its tangents too. */
function elements(keys: Keys): number {
  return keys.interpolation === 'CUBICSPLINE' ? 3 : 1;
}

/** The keys of one of the components of keys with several. */
export function componentOf(keys: Keys, width: number, component: number): Keys {
  const { interpolation, times, values } = keys;
  const picked = new Float64Array(times.length * elements(keys));
  for (let k = 0; k < picked.length; k++) picked[k] = values[k * width + component];
  return { interpolation, times, values: picked };
}

/** Whether a component is 0 all the time: every value and every tangent. */
export function isZero(values: Floats, width = 1, component = 0): boolean {
  for (let k = component; k < values.length; k += width) if (values[k] !== 0) return false;
  return true;
}

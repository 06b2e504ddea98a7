/** Plans the hips translation: `p_t = p̄_t + k · (p_s − p̄_s)`, canonical frame, meters. */
import { isHipsHeightUsable } from '../humanoid/hips-height.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import { planHipsLegs } from './hips-position.ts';
import { restMatrix } from './node-transforms.ts';
import type { HipsPlan } from './plan-types.ts';

/**
 * Returns a rotation times a factor as a matrix.
 *
 * @param q xyzw, unit.
 * @param factor Uniform scale.
 * @returns 3×3, column-major.
 */
export function scaledRotation(q: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) {
    out[3 * column + column] = factor;
    vec3.rotate(out, 3 * column, q, 0, out, 3 * column);
  }
  return out;
}

/** Multiplies the linear part of a 4×4 by a 3×3. */
function linearAfter(inverse: Float64Array, linear: Float64Array): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) mat4.transformDirection(out, 3 * column, inverse, 0, linear, 3 * column);
  return out;
}

/** Returns the hips height, meters; without a usable one the height of the character, or 1. */
function usableHeight({ hipsHeight, height }: Humanoid): number {
  if (isHipsHeightUsable(hipsHeight, height)) return hipsHeight;
  return height > 0 ? height : 1;
}

/**
 * Plans the translation of the target hips.
 *
 * @param source The humanoid that moves.
 * @param target The humanoid that follows; its rest is what a player shows.
 * @param factor Meters of the target per meter of the source.
 * @param followsLegs False where the translations of the legs are retargeted too.
 * @returns Null if a node above the target hips has scale 0, so that no translation can move them.
 */
export function planHips(source: Humanoid, target: Humanoid, factor: number, followsLegs: boolean): HipsPlan | null {
  const sourceNode = source.map.nodes[0];
  const targetNode = target.map.nodes[0];
  const ancestors: number[] = [];
  for (let n = source.skeleton.parents[sourceNode]; n >= 0; n = source.skeleton.parents[n]) ancestors.push(n);

  const parentMatrix = new Float64Array(MATRIX_STRIDE);
  restMatrix(parentMatrix, target, target.skeleton.parents[targetNode]);
  const inverse = new Float64Array(MATRIX_STRIDE);
  if (!mat4.invertAffine(inverse, 0, parentMatrix, 0)) return null;
  const toFile = new Float64Array(4);
  quat.conjugate(toFile, 0, target.frame, 0);
  const targetBase = new Float64Array(3);
  vec3.scale(targetBase, 0, target.reference.positions, 0, 1 / target.metersPerUnit);
  vec3.rotate(targetBase, 0, toFile, 0, targetBase, 0);
  mat4.transformPoint(targetBase, 0, inverse, 0, targetBase, 0);
  const targetLinear = linearAfter(inverse, scaledRotation(toFile, 1 / target.metersPerUnit));
  return {
    sourceNode,
    targetNode,
    sourceAncestors: Int32Array.from(ancestors),
    legs: followsLegs ? planHipsLegs(source, usableHeight(source)) : null,
    sourceLinear: scaledRotation(source.frame, source.metersPerUnit),
    sourceOrigin: source.reference.positions.slice(0, 3),
    factor,
    targetLinear,
    targetBase,
    targetHeight: usableHeight(target) * vec3.length(targetLinear, 3),
  };
}

/** Deciding how the hips travel: `p_t = p̄_t + k · (p_s − p̄_s)`, canonical frame, metres. */
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { restMatrix } from './reference-nodes.ts';
import type { HipsPlan } from './retarget-plan.ts';

/** 3×3 of a rotation times a factor, column-major. */
export function scaledRotation(q: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) {
    out[3 * column + column] = factor;
    vec3.rotate(out, 3 * column, q, 0, out, 3 * column);
  }
  return out;
}

/** Columns of the linear part of an inverted matrix times a 3×3. */
function linearAfter(inverse: Float64Array, linear: Float64Array): Float64Array {
  const out = new Float64Array(9);
  for (let column = 0; column < 3; column++) mat4.transformDirection(out, 3 * column, inverse, 0, linear, 3 * column);
  return out;
}

export function hipsFactor(source: Humanoid, target: Humanoid, hipsScale: 'auto' | 'none' | number): number {
  if (typeof hipsScale === 'number') return hipsScale;
  if (hipsScale === 'none') return 1;
  const least = 0.01;
  const usable = source.hipsHeight > least * source.height && target.hipsHeight > least * target.height;
  return usable ? target.hipsHeight / source.hipsHeight : 1;
}

export function planHips(source: Humanoid, target: Humanoid, factor: number): HipsPlan | null {
  const sourceNode = source.map.nodes[0];
  const targetNode = target.map.nodes[0];
  const ancestors: number[] = [];
  for (let n = source.skeleton.parents[sourceNode]; n >= 0; n = source.skeleton.parents[n]) ancestors.push(n);

  const parentMatrix = new Float64Array(16);
  restMatrix(parentMatrix, target, target.skeleton.parents[targetNode]);
  const inverse = new Float64Array(16);
  if (!mat4.invertAffine(inverse, 0, parentMatrix, 0)) return null;
  const toFile = new Float64Array(4);
  quat.conjugate(toFile, 0, target.frame, 0);
  const targetBase = new Float64Array(3);
  vec3.scale(targetBase, 0, target.reference.positions, 0, 1 / target.metresPerUnit);
  vec3.rotate(targetBase, 0, toFile, 0, targetBase, 0);
  mat4.transformPoint(targetBase, 0, inverse, 0, targetBase, 0);
  return {
    sourceNode,
    targetNode,
    sourceAncestors: Int32Array.from(ancestors),
    sourceLinear: scaledRotation(source.frame, source.metresPerUnit),
    sourceOrigin: source.reference.positions.slice(0, 3),
    factor,
    targetLinear: linearAfter(inverse, scaledRotation(toFile, 1 / target.metresPerUnit)),
    targetBase,
  };
}

/** Deciding how the hips travel: `p_t = p̄_t + k · (p_s − p̄_s)`, canonical frame, meters. */
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

/** Hips lower than this above the ground, relative to the height of the body, give no measure. */
const LEAST_HIPS = 0.01;

/** Reference height of the hips above the ground, meters; the height of the body, or a meter, where the hips are not above the ground. */
function usableHeight({ hipsHeight, height }: Humanoid): number {
  if (hipsHeight > LEAST_HIPS * height) return hipsHeight;
  return height > 0 ? height : 1;
}

/** Meters that the target travels per meter of the source. */
export function hipsFactor(source: Humanoid, target: Humanoid, hipsScale: 'auto' | 'none' | number): number {
  if (typeof hipsScale === 'number') return hipsScale;
  if (hipsScale === 'none') return 1;
  const usable = source.hipsHeight > LEAST_HIPS * source.height && target.hipsHeight > LEAST_HIPS * target.height;
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
  vec3.scale(targetBase, 0, target.reference.positions, 0, 1 / target.metersPerUnit);
  vec3.rotate(targetBase, 0, toFile, 0, targetBase, 0);
  mat4.transformPoint(targetBase, 0, inverse, 0, targetBase, 0);
  const targetLinear = linearAfter(inverse, scaledRotation(toFile, 1 / target.metersPerUnit));
  return {
    sourceNode,
    targetNode,
    sourceAncestors: Int32Array.from(ancestors),
    sourceLinear: scaledRotation(source.frame, source.metersPerUnit),
    sourceOrigin: source.reference.positions.slice(0, 3),
    factor,
    targetLinear,
    targetBase,
    targetHeight: usableHeight(target) * vec3.length(targetLinear, 3),
  };
}

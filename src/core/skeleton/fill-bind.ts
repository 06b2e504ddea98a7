import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from './skeleton.ts';

/**
 * Fills in the bind matrices of unbound nodes: such a node keeps its rest transform relative to its parent, an unbound root its rest matrix.
 * `matrices`: bind matrices, 16 floats per node, model space; those of unbound nodes are written. `rest`: rest pose, 10 floats per node, local
 * space. `worlds`: matrices of the rest pose, 16 floats per node, model space.
 */
export function fillBind(
  matrices: Float64Array,
  bound: Uint8Array,
  parents: Int32Array,
  rest: Floats,
  worlds: Float64Array,
): void {
  for (let node = 0; node < parents.length; node++) {
    if (bound[node] === 1) continue;
    const at = node * MATRIX_STRIDE;
    if (parents[node] < 0) mat4.copy(matrices, at, worlds, at);
    else mat4.multiplyTransform(matrices, at, matrices, parents[node] * MATRIX_STRIDE, rest, node * POSE_STRIDE);
  }
}

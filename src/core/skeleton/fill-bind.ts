/** Completing a bind pose of which a file gives only some nodes. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from './skeleton.ts';

/**
 * Fills in the model-space matrices of nodes that are not bound: they stand to their parent as at rest, and roots as `worlds` (the
 * matrices of the rest pose) has them. `bound` is 1 per node whose matrix is given; parents come before children.
 */
export function fillBind(
  matrices: Float64Array,
  bound: Uint8Array,
  parents: Int32Array,
  rest: Floats,
  worlds: Float64Array,
): void {
  const local = new Float64Array(MATRIX_STRIDE);
  for (let node = 0; node < parents.length; node++) {
    if (bound[node] === 1) continue;
    const at = node * MATRIX_STRIDE;
    if (parents[node] < 0) mat4.copy(matrices, at, worlds, at);
    else {
      mat4.compose(local, 0, rest, node * POSE_STRIDE);
      mat4.multiply(matrices, at, matrices, parents[node] * MATRIX_STRIDE, local, 0);
    }
  }
}

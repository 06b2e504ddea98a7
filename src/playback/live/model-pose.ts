/** Writes local poses from model space, in which physics engines and motion capture suits report them. No allocation, no exception. */
import type { Floats } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import { findReflections } from '../../core/skeleton/reflections.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';

const ROTATION = PATH_OFFSET.rotation;
const inverse = new Float64Array(4);
const matrix = new Float64Array(MATRIX_STRIDE);
const local = new Float64Array(MATRIX_STRIDE);

/**
 * Converts model-space rotations to the local rotations of a pose: `q = W(parent)⁻¹ · W`. Translations and scales stay. Rotations of a rig with negative
 * scales are those of the same rig without them, as of `localToModelRotations`; such a rig allocates its signs.
 *
 * @param pose Receives the rotations: 10 floats per node, local space.
 * @param parents Parent of each node, −1 for a root; parents come before children.
 * @param rotations 4 floats per node: unit quaternions xyzw, model space.
 */
export function setModelRotations(pose: Floats, parents: Int32Array, rotations: Floats): void {
  const signs = findReflections({ parents, rest: pose });
  for (let node = 0; node < parents.length; node++) {
    const at = node * POSE_STRIDE + ROTATION;
    if (parents[node] < 0) quat.normalize(pose, at, rotations, 4 * node);
    else {
      quat.conjugate(inverse, 0, rotations, 4 * parents[node]);
      quat.multiply(pose, at, inverse, 0, rotations, 4 * node);
      quat.normalize(pose, at, pose, at);
    }
    if (signs !== null) for (let c = at; c < at + 3; c++) pose[c] *= signs[c];
  }
}

/**
 * Moves one node to a model-space position, by its local translation. The pose of its ancestors must be complete.
 *
 * @param pose The pose: 10 floats per node, local space; the translation of the node is written.
 * @param parents Parent of each node, −1 for a root.
 * @param node The node, usually the hips.
 * @param position Holds xyz at offset i: model space, units of the file.
 * @param i Offset of the position.
 */
export function setModelPosition(
  pose: Floats,
  parents: Int32Array,
  node: number,
  position: ArrayLike<number>,
  i: number,
): void {
  mat4.identity(matrix, 0);
  for (let at = parents[node]; at >= 0; at = parents[at]) {
    mat4.compose(local, 0, pose, at * POSE_STRIDE);
    mat4.multiply(matrix, 0, local, 0, matrix, 0);
  }
  if (mat4.invertAffine(matrix, 0, matrix, 0)) mat4.transformPoint(pose, node * POSE_STRIDE, matrix, 0, position, i);
}

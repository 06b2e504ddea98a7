/** Rest and reference transforms of single nodes of a humanoid. */
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove } from '../humanoid/node-bones.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';

/** Computes the model-space rest rotation of a node in the canonical frame. */
export function restRotation(out: Float64Array, humanoid: Humanoid, node: number): void {
  const { skeleton, frame } = humanoid;
  quat.identity(out, 0);
  for (let n = node; n >= 0; n = skeleton.parents[n]) {
    quat.multiply(out, 0, skeleton.rest, POSE_STRIDE * n + PATH_OFFSET.rotation, out, 0);
  }
  quat.multiply(out, 0, frame, 0, out, 0);
  quat.normalize(out, 0, out, 0);
}

/**
 * Computes the reference rotation of the parent of a node in the canonical frame: the reference rotation of the nearest bone above,
 * then the rest rotations of the nodes between. Without a bone above: the rest rotation of the parent.
 */
export function referenceParentRotation(out: Float64Array, humanoid: Humanoid, bones: Int16Array, node: number): void {
  const { skeleton, reference } = humanoid;
  const parent = skeleton.parents[node];
  const above = boneAtOrAbove(skeleton.parents, bones, parent);
  if (above < 0) {
    restRotation(out, humanoid, parent);
    return;
  }
  quat.identity(out, 0);
  for (let n = parent; bones[n] !== above; n = skeleton.parents[n]) {
    quat.multiply(out, 0, skeleton.rest, POSE_STRIDE * n + PATH_OFFSET.rotation, out, 0);
  }
  quat.multiply(out, 0, reference.rotations, 4 * above, out, 0);
  quat.normalize(out, 0, out, 0);
}

/** Computes the model matrix of a node in the rest pose. `out` receives a 4×4, column-major, in the axes and units of the file. */
export function restMatrix(out: Float64Array, humanoid: Humanoid, node: number): void {
  const { skeleton } = humanoid;
  const local = new Float64Array(MATRIX_STRIDE);
  mat4.identity(out, 0);
  for (let n = node; n >= 0; n = skeleton.parents[n]) {
    mat4.compose(local, 0, skeleton.rest, POSE_STRIDE * n);
    mat4.multiply(out, 0, local, 0, out, 0);
  }
}

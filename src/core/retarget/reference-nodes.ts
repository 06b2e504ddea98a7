/** Rest and reference of single nodes of a humanoid, in the canonical frame. */
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove } from '../humanoid/node-bones.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';

/** Rotation of a node of the rest pose in model space, canonical frame: the frame times the local rotations down to it. */
export function restRotation(out: Float64Array, { skeleton, frame }: Humanoid, node: number): void {
  quat.identity(out, 0);
  for (let n = node; n >= 0; n = skeleton.parents[n]) quat.multiply(out, 0, skeleton.rest, 10 * n + 3, out, 0);
  quat.multiply(out, 0, frame, 0, out, 0);
  quat.normalize(out, 0, out, 0);
}

/** Reference rotation of the parent node of a bone's node: that of the bone above it, then the rest of the nodes between. */
export function referenceParentRotation(out: Float64Array, humanoid: Humanoid, bones: Int16Array, node: number): void {
  const { skeleton, reference } = humanoid;
  const parent = skeleton.parents[node];
  const above = boneAtOrAbove(skeleton.parents, bones, parent);
  if (above < 0) {
    restRotation(out, humanoid, parent);
    return;
  }
  quat.identity(out, 0);
  for (let n = parent; bones[n] !== above; n = skeleton.parents[n])
    quat.multiply(out, 0, skeleton.rest, 10 * n + 3, out, 0);
  quat.multiply(out, 0, reference.rotations, 4 * above, out, 0);
  quat.normalize(out, 0, out, 0);
}

/** Model matrix of a node of the rest pose. */
export function restMatrix(out: Float64Array, { skeleton }: Humanoid, node: number): void {
  const local = new Float64Array(16);
  mat4.identity(out, 0);
  for (let n = node; n >= 0; n = skeleton.parents[n]) {
    mat4.compose(local, 0, skeleton.rest, 10 * n);
    mat4.multiply(out, 0, local, 0, out, 0);
  }
}

/** Rounds the scales of poses to half precision, as SkelAnimation stores them: 11 significant bits instead of 24. */
import * as mat4 from '../../../../core/math/mat4.ts';
import * as quat from '../../../../core/math/quat.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { roundToHalf } from '../../layer/half.ts';

/** Offset of the scale in a pose. */
const SCALE = PATH_OFFSET.scale;

export function halfRoundingError(value: number): number {
  return value === 0 ? 0 : Math.abs(roundToHalf(value) / value - 1);
}

/**
 * Rounds the scales of a pose to half precision and adjusts the local transforms so that every joint keeps its position in model space. The only
 * remaining error is that of a joint's own scale; the error of its ancestors' scales does not add up.
 *
 * @param pose Local pose, `POSE_STRIDE` floats per joint, changed in place.
 */
export function roundScalesToHalf(pose: Float64Array, parents: ArrayLike<number>, kept: ArrayLike<number>): void {
  const count = parents.length;
  const wanted = new Float64Array(MATRIX_STRIDE * count);
  const written = new Float64Array(MATRIX_STRIDE * count);
  const local = new Float64Array(MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  for (let joint = 0; joint < count; joint++) {
    const at = POSE_STRIDE * joint;
    const o = MATRIX_STRIDE * joint;
    const parent = parents[joint] * MATRIX_STRIDE;
    mat4.compose(wanted, o, pose, at);
    if (parent >= 0) mat4.multiply(wanted, o, wanted, parent, wanted, o);
    const canAdjust = kept[joint] === 1 && (parent < 0 || mat4.invertAffine(local, 0, written, parent));
    if (canAdjust && parent >= 0) {
      mat4.multiply(local, 0, local, 0, wanted, o);
      decomposeLike(trs, local, pose, at);
      // A matrix with zero scale does not determine the rotation.
      const isFlat = pose[at + SCALE] * pose[at + SCALE + 1] * pose[at + SCALE + 2] === 0;
      pose.set(isFlat ? trs.subarray(0, 3) : trs, at);
    }
    if (kept[joint] === 1) for (let c = at + SCALE; c < at + POSE_STRIDE; c++) pose[c] = roundToHalf(pose[c]);
    mat4.compose(written, o, pose, at);
    if (parent >= 0) mat4.multiply(written, o, written, parent, written, o);
  }
}

/** Decomposes a matrix that is close to the pose at `at`, with negative scales on the same axes. */
function decomposeLike(out: Float64Array, matrix: Float64Array, pose: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if (pose[at + SCALE + axis] >= 0) continue;
    for (let row = 0; row < 3; row++) matrix[4 * axis + row] *= -1;
  }
  mat4.decompose(out, 0, matrix, 0);
  for (let axis = 0; axis < 3; axis++) if (pose[at + SCALE + axis] < 0) out[SCALE + axis] *= -1;
  quat.normalize(out, PATH_OFFSET.rotation, out, PATH_OFFSET.rotation);
}

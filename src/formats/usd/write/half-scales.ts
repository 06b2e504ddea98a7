/** Joint poses whose scales are halves, as SkelAnimation has them: eleven bits, where the rest of a pose has twenty-four or more. */
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { roundToHalf } from '../layer/half.ts';

/** Parts of itself by which a half may miss a number. */
export function halfError(value: number): number {
  return value === 0 ? 0 : Math.abs(roundToHalf(value) / value - 1);
}

/**
 * The pose whose scales are halves and that comes nearest to a pose: every joint stands where it stood, in model space, whatever the scales above
 * were rounded to, and what is left is the rounding of its own scale. Local, `POSE_STRIDE` floats a joint, in place. Joints that are not `kept` stay
 * as they are.
 */
export function roundScales(pose: Float64Array, parents: ArrayLike<number>, kept: ArrayLike<number>): void {
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
    const isFree = kept[joint] === 1 && (parent < 0 || mat4.invertAffine(local, 0, written, parent));
    if (isFree && parent >= 0) {
      mat4.multiply(local, 0, local, 0, wanted, o);
      decomposeLike(trs, local, pose, at);
      // A joint of no size has no rotation that its matrix could tell.
      const isFlat = pose[at + 7] * pose[at + 8] * pose[at + 9] === 0;
      pose.set(isFlat ? trs.subarray(0, 3) : trs, at);
    }
    if (kept[joint] === 1) for (let c = at + 7; c < at + 10; c++) pose[c] = roundToHalf(pose[c]);
    mat4.compose(written, o, pose, at);
    if (parent >= 0) mat4.multiply(written, o, written, parent, written, o);
  }
}

/** T, R, S of a matrix that is nearly the pose at `at`: mirrored along the same axes. */
function decomposeLike(out: Float64Array, matrix: Float64Array, pose: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if (pose[at + 7 + axis] >= 0) continue;
    for (let row = 0; row < 3; row++) matrix[4 * axis + row] *= -1;
  }
  mat4.decompose(out, 0, matrix, 0);
  for (let axis = 0; axis < 3; axis++) if (pose[at + 7 + axis] < 0) out[7 + axis] *= -1;
  quat.normalize(out, 3, out, 3);
}

/** Decomposes skinning matrices to dual quaternions and stretches (scale and shear), as UsdSkel's dual quaternion skinning needs them. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE, PATH_OFFSET } from '../skeleton/skeleton.ts';
import { polarRotation } from './polar.ts';
import { normalMatrices } from './skinning-matrices.ts';

/** Floats per dual quaternion: real part xyzw, dual part xyzw. */
export const DUAL_STRIDE = 8;

/** A pose for `skinDualQuaternion`: buffers that {@link poseDualQuaternions} fills. Matrices are column-major. Plain data. */
export interface DualQuaternionPose {
  /** Rotation and translation: 8 floats per joint, real part xyzw and dual part xyzw. */
  readonly duals: Float64Array;
  /** Transforms that apply before the dual quaternions: bind shape, then scale and shear; {@link MATRIX_STRIDE} floats per joint. */
  readonly stretches: Float64Array;
  /** Inverse transposes of `stretches`, for normals. */
  readonly normalStretches: Float64Array;
  /** The bind shape alone: one matrix. */
  readonly bindShape: Float64Array;
  /** Inverse transpose of `bindShape`, for normals. */
  readonly normalBindShape: Float64Array;
  /** Whether any joint has scale or shear; otherwise only the bind shape applies before the dual quaternions. */
  hasStretch: boolean;
}

/** Allocates the buffers of a pose; {@link poseDualQuaternions} fills them. */
export function makeDualQuaternionPose(jointCount: number): DualQuaternionPose {
  return {
    duals: new Float64Array(jointCount * DUAL_STRIDE),
    stretches: new Float64Array(jointCount * MATRIX_STRIDE),
    normalStretches: new Float64Array(jointCount * MATRIX_STRIDE),
    bindShape: new Float64Array(MATRIX_STRIDE),
    normalBindShape: new Float64Array(MATRIX_STRIDE),
    hasStretch: false,
  };
}

/** Largest difference of a stretch from the identity that counts as no stretch, as in UsdSkel. */
const NO_STRETCH = 1e-6;

const rotationMatrix = new Float64Array(MATRIX_STRIDE);
const trs = new Float64Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);

/**
 * Decomposes skinning matrices to dual quaternions: each becomes translation · rotation · stretch (polar decomposition). A matrix without volume
 * becomes a zero dual quaternion without stretch, so that only the other joints of a vertex affect it (UsdSkel). No allocation.
 * {@link makeDualQuaternionPose} makes `out`. `skinning`: from `skinningMatrices` without `bindShape`: {@link MATRIX_STRIDE} floats per joint.
 * `bindShape`: one matrix. Omit it for glTF, whose inverse bind matrices include it.
 */
export function poseDualQuaternions(
  out: DualQuaternionPose,
  skinning: Float64Array,
  bindShape?: ArrayLike<number>,
): void {
  const { duals, stretches, normalStretches } = out;
  if (bindShape === undefined) mat4.identity(out.bindShape, 0);
  else mat4.copy(out.bindShape, 0, bindShape, 0);
  normalMatrices(out.normalBindShape, out.bindShape);
  out.hasStretch = false;
  for (let joint = 0; joint * DUAL_STRIDE < duals.length; joint++) {
    const m = joint * MATRIX_STRIDE;
    const d = joint * DUAL_STRIDE;
    mat4.identity(stretches, m);
    if (!polarRotation(duals, d, skinning, m)) {
      duals.fill(0, d, d + DUAL_STRIDE);
      continue;
    }
    setDualPart(duals, d, skinning[m + 12], skinning[m + 13], skinning[m + 14]);
    for (let c = 0; c < 4; c++) trs[PATH_OFFSET.rotation + c] = duals[d + c];
    mat4.compose(rotationMatrix, 0, trs, 0);
    setStretch(stretches, m, rotationMatrix, skinning);
    if (!mat4.isIdentity(stretches, m, NO_STRETCH)) out.hasStretch = true;
  }
  for (let m = 0; m < stretches.length; m += MATRIX_STRIDE) {
    mat4.multiply(stretches, m, stretches, m, out.bindShape, 0);
  }
  normalMatrices(normalStretches, stretches);
}

/** Sets the dual part for a rotation followed by a translation t: ½ t · real. */
function setDualPart(duals: Floats, d: number, tx: number, ty: number, tz: number): void {
  const x = duals[d];
  const y = duals[d + 1];
  const z = duals[d + 2];
  const w = duals[d + 3];
  duals[d + 4] = (tx * w + ty * z - tz * y) / 2;
  duals[d + 5] = (ty * w + tz * x - tx * z) / 2;
  duals[d + 6] = (tz * w + tx * y - ty * x) / 2;
  duals[d + 7] = -(tx * x + ty * y + tz * z) / 2;
}

function setStretch(out: Float64Array, m: number, rotation: Float64Array, matrix: Float64Array): void {
  for (let column = 0; column < 12; column += 4) {
    for (let row = 0; row < 3; row++) {
      const r = 4 * row;
      out[m + column + row] =
        rotation[r] * matrix[m + column] +
        rotation[r + 1] * matrix[m + column + 1] +
        rotation[r + 2] * matrix[m + column + 2];
    }
  }
}

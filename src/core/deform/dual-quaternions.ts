/** Skinning matrices as dual quaternions, with what is not rigid in them apart, as UsdSkel's dual quaternion skinning takes them. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import { polarRotation } from './polar.ts';
import { normalMatrices } from './skinning-matrices.ts';

/** Floats of a dual quaternion: real part xyzw, dual part xyzw. */
export const DUAL_STRIDE = 8;

/** A pose for `skinDualQuaternion`: buffers that {@link poseDualQuaternions} fills. Plain data. */
export interface DualQuaternionPose {
  /** Rotation and translation of every joint, {@link DUAL_STRIDE} floats each. */
  readonly duals: Float64Array;
  /** What comes before: the bind shape, then scale and shear of every joint; {@link MATRIX_STRIDE} floats each. */
  readonly stretches: Float64Array;
  /** Inverse transposes of the stretches. */
  readonly normalStretches: Float64Array;
  /** The bind shape alone, and its inverse transpose. */
  readonly bindShape: Float64Array;
  readonly normalBindShape: Float64Array;
  /** Whether any joint has scale or shear; else the bind shape alone comes before. */
  hasStretch: boolean;
}

/** Buffers for a skin of `jointCount` joints. */
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

/** What the stretch of a joint may miss the identity by and still count as none, as in UsdSkel. */
const NO_STRETCH = 1e-6;

const rotationMatrix = new Float64Array(MATRIX_STRIDE);
const trs = new Float64Array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);

/**
 * Fills `out` from skinning matrices (of `skinningMatrices`, without its `bindShape`) and the bind shape. Each matrix is taken
 * apart as translation · rotation · stretch by {@link polarRotation}. A matrix without volume gets a zero dual quaternion, so that
 * the other joints of a vertex decide, and no stretch (UsdSkel). Meshes whose bind shape is part of the inverse bind matrices (glTF) leave it out.
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
    for (let c = 0; c < 4; c++) trs[3 + c] = duals[d + c];
    mat4.compose(rotationMatrix, 0, trs, 0);
    setStretch(stretches, m, rotationMatrix, skinning);
    if (!mat4.isIdentity(stretches, m, NO_STRETCH)) out.hasStretch = true;
  }
  for (let m = 0; m < stretches.length; m += MATRIX_STRIDE) {
    mat4.multiply(stretches, m, stretches, m, out.bindShape, 0);
  }
  normalMatrices(normalStretches, stretches);
}

/** The dual part of a rotation followed by a translation t: ½ t · real. */
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

/** The 3×3 part of `rotationᵀ · matrix`, both matrices at the places of their joint. */
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

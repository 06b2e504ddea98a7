import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';

/**
 * Computes the skinning matrix of every joint of a skin: `modelMatrix(joint) · inverseBind(joint) · bindShape`, from mesh space to the space of
 * the model matrices. glTF 2.0 section 3.7.3; UsdSkel with row vectors: geomBindTransform · inverse(bind) · joint. The transform of the mesh's own
 * node is not used.
 *
 * @param out Receives {@link MATRIX_STRIDE} floats per joint.
 * @param modelMatrices {@link MATRIX_STRIDE} floats per node, from `localToModelMatrices`.
 * @param joints Node of each joint.
 * @param inverseBind {@link MATRIX_STRIDE} floats per joint; null for identities (glTF without inverseBindMatrices).
 * @param bindShape UsdSkel's geomBindTransform: one matrix. Omit it for glTF.
 * @experimental
 */
export function skinningMatrices(
  out: Float64Array,
  modelMatrices: Floats,
  joints: ArrayLike<number>,
  inverseBind: Floats | null,
  bindShape?: ArrayLike<number>,
): void {
  for (let joint = 0; joint < joints.length; joint++) {
    const o = joint * MATRIX_STRIDE;
    const node = joints[joint] * MATRIX_STRIDE;
    if (inverseBind === null) mat4.copy(out, o, modelMatrices, node);
    else mat4.multiply(out, o, modelMatrices, node, inverseBind, o);
    if (bindShape !== undefined) mat4.multiply(out, o, out, o, bindShape, 0);
  }
}

/**
 * Largest error, relative to the squared scale, of a matrix that counts as rotation times uniform scale: the rounding of float32 node matrices in
 * real files. It changes the direction of a normal by less than 0.006°.
 */
const UNIFORM_EPSILON = 1e-4;

/**
 * Computes the normal matrix of every joint: the inverse transpose of the upper 3×3 part of its skinning matrix, without translation. A singular
 * matrix gives zero, so that the joint has no effect.
 *
 * @param out Receives {@link MATRIX_STRIDE} floats per joint.
 * @param skinning From {@link skinningMatrices}: {@link MATRIX_STRIDE} floats per joint.
 * @returns True if all joints are rotations with one common scale. Normal matrices then equal the skinning matrices up to one factor, and
 * `skinLinear` does not need them.
 * @experimental
 */
export function normalMatrices(out: Float64Array, skinning: ArrayLike<number>): boolean {
  const size = Math.min(out.length, skinning.length);
  let hasCommonScale = true;
  let common = 0;
  for (let i = 0; i + MATRIX_STRIDE <= size; i += MATRIX_STRIDE) {
    const reciprocal = 1 / mat4.determinant(skinning, i);
    mat4.cofactors(out, i, skinning, i, Number.isFinite(reciprocal) ? reciprocal : 0);
    uniformSquare(SQUARE, skinning, i);
    const square = SQUARE[0];
    if (i === 0) common = square;
    if (!(square > 0 && Math.abs(square - common) <= UNIFORM_EPSILON * common)) hasCommonScale = false;
  }
  return hasCommonScale;
}

// An array, since a number that a function returns may be allocated.
const SQUARE = new Float64Array(1);

/** Computes the squared scale of a matrix that is rotation times uniform scale; 0 for all others, including mirroring ones. */
function uniformSquare(out: Float64Array, m: ArrayLike<number>, i: number): void {
  const square = (columnDot(m, i, i) + columnDot(m, i + 4, i + 4) + columnDot(m, i + 8, i + 8)) / 3;
  const bound = UNIFORM_EPSILON * square;
  const isUniform =
    mat4.determinant(m, i) > 0 &&
    Math.abs(columnDot(m, i, i) - square) <= bound &&
    Math.abs(columnDot(m, i + 4, i + 4) - square) <= bound &&
    Math.abs(columnDot(m, i, i + 4)) <= bound &&
    Math.abs(columnDot(m, i, i + 8)) <= bound &&
    Math.abs(columnDot(m, i + 4, i + 8)) <= bound;
  out[0] = isUniform ? square : 0;
}

function columnDot(m: ArrayLike<number>, a: number, b: number): number {
  return m[a] * m[b] + m[a + 1] * m[b + 1] + m[a + 2] * m[b + 2];
}

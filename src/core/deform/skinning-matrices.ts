/** What skinning turns vertices by: a matrix per joint of a skin, for points and for normals. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';

/**
 * The skinning matrix of every joint of a skin: where a point of the mesh goes when the joint alone holds it, in the space of
 * the model matrices. `modelMatrix(joint) · inverseBind(joint) · bindShape`, glTF 2.0 section 3.7.3 and UsdSkel (row vectors:
 * geomBindTransform · inverse(bind) · joint). The transform of the node that shows the mesh has no part in it.
 *
 * `modelMatrices`: {@link MATRIX_STRIDE} floats a node; `joints`: the node of each joint; `inverseBind`: {@link MATRIX_STRIDE}
 * floats a joint, null for identities (glTF without inverseBindMatrices); `bindShape`: one matrix, left out in glTF.
 * `out`: {@link MATRIX_STRIDE} floats a joint.
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
 * Share of the squared scale that a matrix may miss a rotation times a uniform scale and still count as one: what float32 node matrices of
 * real files miss. It turns a normal by less than 0.006°.
 */
const UNIFORM_EPSILON = 1e-4;

/**
 * The matrix of every joint for normals: inverse transpose of the upper 3×3 part of its skinning matrix, without translation,
 * {@link MATRIX_STRIDE} floats a joint; zero where there is none, so that the joint does not count. Returns whether these are the
 * 3×3 parts themselves up to one factor for all joints: rotations with one common scale. Linear skinning then does without them.
 */
export function normalMatrices(out: Float64Array, skinning: ArrayLike<number>): boolean {
  const size = Math.min(out.length, skinning.length);
  let areShared = true;
  let common = 0;
  for (let i = 0; i + MATRIX_STRIDE <= size; i += MATRIX_STRIDE) {
    invertTranspose(out, i, skinning, i);
    uniformSquare(SQUARE, skinning, i);
    const square = SQUARE[0];
    if (i === 0) common = square;
    if (!(square > 0 && Math.abs(square - common) <= UNIFORM_EPSILON * common)) areShared = false;
  }
  return areShared;
}

/** The inverse transpose of the upper 3×3 part of a matrix, as 4×4; zero when there is none. */
function invertTranspose(out: Float64Array, o: number, m: ArrayLike<number>, i: number): void {
  const xx = m[i];
  const xy = m[i + 1];
  const xz = m[i + 2];
  const yx = m[i + 4];
  const yy = m[i + 5];
  const yz = m[i + 6];
  const zx = m[i + 8];
  const zy = m[i + 9];
  const zz = m[i + 10];
  const reciprocal = 1 / mat4.determinant(m, i);
  const factor = Number.isFinite(reciprocal) ? reciprocal : 0;
  out[o] = (yy * zz - yz * zy) * factor;
  out[o + 1] = (yz * zx - yx * zz) * factor;
  out[o + 2] = (yx * zy - yy * zx) * factor;
  out[o + 3] = 0;
  out[o + 4] = (zy * xz - zz * xy) * factor;
  out[o + 5] = (zz * xx - zx * xz) * factor;
  out[o + 6] = (zx * xy - zy * xx) * factor;
  out[o + 7] = 0;
  out[o + 8] = (xy * yz - xz * yy) * factor;
  out[o + 9] = (xz * yx - xx * yz) * factor;
  out[o + 10] = (xx * yy - xy * yx) * factor;
  for (let c = 11; c < 15; c++) out[o + c] = 0;
  out[o + 15] = 1;
}

// In an array: a number that a function returns may be allocated.
const SQUARE = new Float64Array(1);

/** The squared scale of a matrix that is rotation times uniform scale; 0 for others, mirroring ones too. */
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

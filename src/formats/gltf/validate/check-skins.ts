import { BONES } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import * as vec3 from '../../../core/math/vec3.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import { isObject, memberAt } from '../document/json-access.ts';
import { listOf, memberOf, textOf } from '../document/loose-json.ts';
import type { CheckedDefinition } from './check-definitions.ts';
import { addIssue, type Validation } from './validation.ts';

/** A matrix is singular when its determinant is below this fraction of the product of its column lengths. */
const FLAT = 1e-9;
/** Tolerance for the last row of an inverse bind matrix, which must be 0 0 0 1. */
const LAST_ROW = 1e-6;
/** Relative tolerance between the bind matrices of a joint in two skins, for float32 rounding. */
const SAME_BIND = 1e-3;

interface BoundSkin {
  readonly index: number;
  readonly joints: readonly unknown[];
  readonly inverseBind: Float32Array;
}

function titleOf(validation: Validation, index: number): string {
  const name = textOf(listOf(validation.doc.json, 'skins')[index], 'name');
  return `Skin ${index}${name === '' ? '' : ` (${name.slice(0, 40)})`}`;
}

/** Whether a matrix has finite values and the last row 0 0 0 1. */
function isAffine(m: ArrayLike<number>, at: number): boolean {
  for (let i = 0; i < MATRIX_STRIDE; i++) if (!Number.isFinite(m[at + i])) return false;
  return [0, 0, 0, 1].every((value, column) => Math.abs(m[at + 4 * column + 3] - value) <= LAST_ROW);
}

function isInvertible(m: Float32Array, at: number): boolean {
  let size = 1;
  for (let column = 0; column < 3; column++) size *= vec3.length(m, at + 4 * column);
  return size > 0 && Math.abs(mat4.determinant(m, at)) > FLAT * size;
}

/** The matrices of a skin; null where glTF 2.0 forbids them. */
function readMatrices({ doc }: Validation, accessor: unknown, joints: readonly unknown[]): Float32Array | null {
  if (typeof accessor !== 'number') return null;
  try {
    const { type, componentType, count } = accessorInfo(doc, accessor);
    if (type !== 'MAT4' || componentType !== 5126 || count < joints.length) return null;
    const matrices = readFloats(doc, accessor);
    return joints.every((_, k) => isAffine(matrices, MATRIX_STRIDE * k)) ? matrices : null;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return null;
  }
}

/** Checks the matrices of a skin: null where they cannot be used. */
function checkMatrices(
  validation: Validation,
  accessor: unknown,
  joints: readonly unknown[],
  index: number,
): Float32Array | null {
  const matrices = readMatrices(validation, accessor, joints);
  if (matrices === null) return null;
  const flat = joints.flatMap((_, k) => (isInvertible(matrices, MATRIX_STRIDE * k) ? [] : [k]));
  if (flat.length === 0) return matrices;
  addIssue(
    validation,
    'SKIN_MATRICES',
    `/skins/${index}/inverseBindMatrices`,
    `${titleOf(validation, index)}: the matrix of joint ${flat[0]} cannot be inverted${flat.length > 1 ? `, nor can ${flat.length - 1} more` : ''}.`,
  );
  return null;
}

/** The factor between the bind spaces of two skins, computed from one joint. It is the same for all joints that both skins bind alike. */
function factorBetween(a: BoundSkin, b: BoundSkin, joint: unknown): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  const at = MATRIX_STRIDE * a.joints.indexOf(joint);
  mat4.invertAffine(out, 0, a.inverseBind, at);
  mat4.multiply(out, 0, out, 0, b.inverseBind, MATRIX_STRIDE * b.joints.indexOf(joint));
  return out;
}

/** Checks that the common joints of two skins have the same bind pose, up to one factor for all joints. */
function checkAgreement(validation: Validation, skins: readonly BoundSkin[]): void {
  for (const [k, b] of skins.entries()) {
    for (const a of skins.slice(0, k)) {
      const commonJoints = a.joints.filter((joint) => b.joints.includes(joint));
      if (commonJoints.length < 2) continue;
      const [first, ...others] = commonJoints.map((joint) => factorBetween(a, b, joint));
      const size = Math.max(...first.map(Math.abs));
      const off = others.findIndex((factor) =>
        factor.some((value, c) => Math.abs(value - first[c]) > SAME_BIND * size),
      );
      if (off < 0) continue;
      addIssue(
        validation,
        'SKIN_CONFLICT',
        `/skins/${b.index}/inverseBindMatrices`,
        `${titleOf(validation, b.index)} and ${titleOf(validation, a.index)} bind node ${commonJoints[off + 1]} in different poses. The reference pose is ambiguous; use the same bind pose in both.`,
      );
      return;
    }
  }
}

/** Checks the bind poses of the skins that have a bone of any definition among their joints. What glTF 2.0 says about skins is not checked. */
export function checkSkins(validation: Validation, definitions: readonly CheckedDefinition[]): boolean {
  const bones = new Set(
    definitions.flatMap(({ nodes }) => BONES.flatMap((_, bone) => (nodes[bone] >= 0 ? [nodes[bone]] : []))),
  );
  const bound: BoundSkin[] = [];
  let isUsable = true;
  for (const [index, skin] of listOf(validation.doc.json, 'skins').entries()) {
    const joints = memberOf(skin, 'joints');
    if (!isObject(skin) || !Array.isArray(joints) || !joints.some((joint) => bones.has(joint))) continue;
    const accessor = memberAt(skin, 'inverseBindMatrices');
    if (accessor === undefined) {
      addIssue(
        validation,
        'SKIN_NO_MATRICES',
        `/skins/${index}`,
        `${titleOf(validation, index)} has no inverse bind matrices. The reference pose was taken from the node transforms.`,
      );
      continue;
    }
    const inverseBind = checkMatrices(validation, accessor, joints, index);
    if (inverseBind === null) isUsable = false;
    else bound.push({ index, joints, inverseBind });
  }
  checkAgreement(validation, bound);
  return isUsable;
}

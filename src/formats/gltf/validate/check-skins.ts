/** Skins whose joints are humanoid bones: glTF 2.0 sections 3.7.3 and 5.28. */
import { BONES } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import { describeValue, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { type CheckedDefinition, titleOf } from './check-definitions.ts';
import { isAtOrAbove } from './node-parents.ts';
import { addIssue, attempt, isIndexOf, listOf, type Validation } from './validation.ts';

/** A matrix is singular when its determinant is below this fraction of the product of its column lengths. */
const FLAT = 1e-9;
/** Tolerance for the last row of an inverse bind matrix, which must be 0 0 0 1. */
const LAST_ROW = 1e-6;
/** Relative tolerance between the bind matrices of a joint in two skins, for float32 rounding. */
const SAME_BIND = 1e-3;

/** The usable joints and matrices of a skin. */
interface CheckedSkin {
  readonly index: number;
  readonly joints: readonly number[];
  /** Null where the skin has no usable matrices. */
  readonly inverseBind: Float32Array | null;
}

function checkJoints(validation: Validation, skin: JsonObject, pointer: string, title: string): number[] {
  const joints = memberAt(skin, 'joints');
  if (!Array.isArray(joints) || joints.length === 0) {
    addIssue(
      validation,
      'SKIN_JOINTS',
      `${pointer}/joints`,
      `${title}: joints is ${describeValue(joints)}, expected an array of at least one node.`,
    );
    return [];
  }
  const seen = new Set<number>();
  for (const [k, joint] of joints.entries()) {
    const where = `${pointer}/joints/${k}`;
    if (!isIndexOf(validation, 'nodes', joint)) {
      addIssue(
        validation,
        'SKIN_JOINTS',
        where,
        `${title}: joint ${k} is ${describeValue(joint)}, expected the index of a node.`,
      );
    } else if (seen.has(joint))
      addIssue(
        validation,
        'SKIN_JOINTS',
        where,
        `${title}: node ${joint} is listed as a joint twice. Remove one entry.`,
      );
    else seen.add(joint);
  }
  return joints as number[];
}

function checkRoots(
  validation: Validation,
  skin: JsonObject,
  joints: readonly number[],
  parents: Int32Array,
  pointer: string,
  title: string,
): void {
  const usable = joints.filter((joint) => isIndexOf(validation, 'nodes', joint));
  const rootOf = (node: number): number => {
    let root = node;
    for (let steps = 0; parents[root] >= 0 && steps <= parents.length; steps++) root = parents[root];
    return root;
  };
  const roots = new Set(usable.map(rootOf));
  if (roots.size > 1)
    addIssue(
      validation,
      'SKIN_ROOTS',
      `${pointer}/joints`,
      `${title} has joints in ${roots.size} separate trees. Joints must have a common root node.`,
    );
  const skeleton = memberAt(skin, 'skeleton');
  if (skeleton === undefined || roots.size > 1) return;
  const where = `${pointer}/skeleton`;
  if (!isIndexOf(validation, 'nodes', skeleton)) {
    addIssue(
      validation,
      'SKIN_ROOTS',
      where,
      `${title}: skeleton is ${describeValue(skeleton)}, expected the index of a node.`,
    );
  } else if (usable.some((joint) => !isAtOrAbove(parents, skeleton, joint))) {
    addIssue(
      validation,
      'SKIN_ROOTS',
      where,
      `${title}: skeleton ${skeleton} is not a common root of the joints. Remove it or set it to their common root.`,
    );
  }
}

/** Describes the defect of a matrix; null where it is valid. */
function faultOf(m: ArrayLike<number>, at: number): string | null {
  let size = 1;
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++)
      if (!Number.isFinite(m[at + 4 * column + row])) return 'has NaN or infinite values';
    if (Math.abs(m[at + 4 * column + 3] - (column === 3 ? 1 : 0)) > LAST_ROW)
      return 'has a last row other than 0 0 0 1';
    if (column < 3) size *= Math.hypot(m[at + 4 * column], m[at + 4 * column + 1], m[at + 4 * column + 2]);
  }
  return Math.abs(mat4.determinant(m as Float32Array, at)) > FLAT * size && size > 0 ? null : 'cannot be inverted';
}

function checkMatrices(
  validation: Validation,
  skin: JsonObject,
  joints: readonly number[],
  pointer: string,
  title: string,
): Float32Array | null {
  const accessor = memberAt(skin, 'inverseBindMatrices');
  const where = `${pointer}/inverseBindMatrices`;
  if (accessor === undefined) {
    addIssue(
      validation,
      'SKIN_NO_MATRICES',
      pointer,
      `${title} has no inverse bind matrices. The reference pose was taken from the node transforms.`,
    );
    return null;
  }
  if (!isIndexOf(validation, 'accessors', accessor)) {
    addIssue(
      validation,
      'SKIN_MATRICES',
      where,
      `${title}: inverseBindMatrices is ${describeValue(accessor)}, expected the index of an accessor.`,
    );
    return null;
  }
  const read = attempt(validation, 'SKIN_MATRICES', where, () => {
    const { type, componentType, count } = accessorInfo(validation.doc, accessor);
    if (type !== 'MAT4' || componentType !== 5126) {
      addIssue(
        validation,
        'SKIN_MATRICES',
        where,
        `${title}: the matrices are ${type} of component type ${componentType}, expected MAT4 of 5126 (float).`,
      );
      return null;
    }
    if (count < joints.length) {
      addIssue(
        validation,
        'SKIN_MATRICES',
        where,
        `${title} has ${count} inverse bind matrices for ${joints.length} joints, expected one per joint.`,
      );
      return null;
    }
    return readFloats(validation.doc, accessor);
  });
  if (read === undefined || read === null) return null;
  const faults = joints.flatMap((_, k) => faultOf(read, MATRIX_STRIDE * k) ?? []);
  if (faults.length > 0) {
    const k = joints.findIndex((_, joint) => faultOf(read, MATRIX_STRIDE * joint) !== null);
    addIssue(
      validation,
      'SKIN_MATRICES',
      where,
      `${title}: the matrix of joint ${k} ${faults[0]}${faults.length > 1 ? `; ${faults.length - 1} more are invalid` : ''}.`,
    );
    return null;
  }
  return read;
}

/**
 * The factor between the bind spaces of two skins, computed from one joint. It is the same for all joints that both
 * skins bind alike.
 */
function factorBetween(a: CheckedSkin, b: CheckedSkin, joint: number): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  const at = MATRIX_STRIDE * a.joints.indexOf(joint);
  mat4.invertAffine(out, 0, a.inverseBind as Float32Array, at);
  mat4.multiply(out, 0, out, 0, b.inverseBind as Float32Array, MATRIX_STRIDE * b.joints.indexOf(joint));
  return out;
}

/** Checks that the common joints of two skins have the same bind pose, up to one factor for all joints. */
function checkAgreement(validation: Validation, skins: readonly CheckedSkin[]): void {
  const usable = skins.filter(({ inverseBind }) => inverseBind !== null);
  for (const [k, b] of usable.entries()) {
    for (const a of usable.slice(0, k)) {
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
        `${titleOf(validation, 'skins', b.index)} and ${titleOf(validation, 'skins', a.index)} bind node ${commonJoints[off + 1]} in different poses. The reference pose is ambiguous; use the same bind pose in both.`,
      );
      return;
    }
  }
}

/**
 * Checks the skins that have a bone of any definition among their joints.
 *
 * @param validation The running validation.
 * @param parents Parent per glTF node, −1 for roots.
 * @param definitions The definitions found in the document.
 */
export function checkSkins(
  validation: Validation,
  parents: Int32Array,
  definitions: readonly CheckedDefinition[],
): void {
  const bones = new Set(
    definitions.flatMap(({ nodes }) => BONES.flatMap((_, bone) => (nodes[bone] >= 0 ? [nodes[bone]] : []))),
  );
  const checked: CheckedSkin[] = [];
  for (const [index, skin] of listOf(validation, 'skins').entries()) {
    if (!isObject(skin)) continue;
    const named = memberAt(skin, 'joints');
    if (!Array.isArray(named) || !named.some((joint) => bones.has(joint as number))) continue;
    const pointer = `/skins/${index}`;
    const title = titleOf(validation, 'skins', index);
    const joints = checkJoints(validation, skin, pointer, title);
    checkRoots(validation, skin, joints, parents, pointer, title);
    checked.push({ index, joints, inverseBind: checkMatrices(validation, skin, joints, pointer, title) });
  }
  checkAgreement(validation, checked);
}

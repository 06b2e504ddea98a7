/** Skins that the bones of a humanoid are joints of: glTF 2.0 sections 3.7.3 and 5.28. */
import { BONES } from '../../../core/humanoid/bones.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessor.ts';
import { isObject, type JsonObject, memberAt, nameOfValue } from '../schema.ts';
import { type CheckedDefinition, titleOf } from './check-definitions.ts';
import { attempt, type Findings, isIndexOf, listOf, note } from './findings.ts';
import { isAtOrAbove } from './node-parents.ts';

/** A determinant below this share of the lengths of its columns is that of a flat matrix. */
const FLAT = 1e-9;
/** The last row of an inverse bind matrix: 0 0 0 1, up to a rounding of float32. */
const LAST_ROW = 1e-6;
/** Matrices of one joint in two skins may differ by this share of their largest number: float32, multiplied and inverted. */
const SAME_BIND = 1e-3;

/** Joints and matrices of a skin as far as they can be used. */
interface CheckedSkin {
  readonly index: number;
  readonly joints: readonly number[];
  /** Null where the skin has none, or none that fit. */
  readonly inverseBind: Float32Array | null;
}

function checkJoints(findings: Findings, skin: JsonObject, pointer: string, title: string): number[] {
  const joints = memberAt(skin, 'joints');
  if (!Array.isArray(joints) || joints.length === 0) {
    note(
      findings,
      'SKIN_JOINTS',
      `${pointer}/joints`,
      `${title}: joints is ${nameOfValue(joints)}, expected an array of at least one node.`,
    );
    return [];
  }
  const seen = new Set<number>();
  for (const [k, joint] of joints.entries()) {
    const where = `${pointer}/joints/${k}`;
    if (!isIndexOf(findings, 'nodes', joint)) {
      note(
        findings,
        'SKIN_JOINTS',
        where,
        `${title}: joint ${k} is ${nameOfValue(joint)}, expected the index of a node.`,
      );
    } else if (seen.has(joint)) note(findings, 'SKIN_JOINTS', where, `${title}: node ${joint} is a joint twice.`);
    else seen.add(joint);
  }
  return joints as number[];
}

function checkRoots(
  findings: Findings,
  skin: JsonObject,
  joints: readonly number[],
  parents: Int32Array,
  pointer: string,
  title: string,
): void {
  const usable = joints.filter((joint) => isIndexOf(findings, 'nodes', joint));
  const rootOf = (node: number): number => {
    let root = node;
    for (let steps = 0; parents[root] >= 0 && steps <= parents.length; steps++) root = parents[root];
    return root;
  };
  const roots = new Set(usable.map(rootOf));
  if (roots.size > 1)
    note(
      findings,
      'SKIN_ROOTS',
      `${pointer}/joints`,
      `${title} has joints in ${roots.size} trees; they must have a common root node.`,
    );
  const skeleton = memberAt(skin, 'skeleton');
  if (skeleton === undefined || roots.size > 1) return;
  const where = `${pointer}/skeleton`;
  if (!isIndexOf(findings, 'nodes', skeleton)) {
    note(
      findings,
      'SKIN_ROOTS',
      where,
      `${title}: skeleton is ${nameOfValue(skeleton)}, expected the index of a node.`,
    );
  } else if (usable.some((joint) => !isAtOrAbove(parents, skeleton, joint))) {
    note(findings, 'SKIN_ROOTS', where, `${title}: skeleton ${skeleton} is not above all joints.`);
  }
}

/** What is wrong with a matrix; null when it can be used. */
function faultOf(m: ArrayLike<number>, at: number): string | null {
  let size = 1;
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++)
      if (!Number.isFinite(m[at + 4 * column + row])) return 'has numbers that are not finite';
    if (Math.abs(m[at + 4 * column + 3] - (column === 3 ? 1 : 0)) > LAST_ROW)
      return 'has a last row that is not 0 0 0 1';
    if (column < 3) size *= Math.hypot(m[at + 4 * column], m[at + 4 * column + 1], m[at + 4 * column + 2]);
  }
  return Math.abs(mat4.determinant(m as Float32Array, at)) > FLAT * size && size > 0 ? null : 'cannot be inverted';
}

function checkMatrices(
  findings: Findings,
  skin: JsonObject,
  joints: readonly number[],
  pointer: string,
  title: string,
): Float32Array | null {
  const accessor = memberAt(skin, 'inverseBindMatrices');
  const where = `${pointer}/inverseBindMatrices`;
  if (accessor === undefined) {
    note(
      findings,
      'SKIN_NO_MATRICES',
      pointer,
      `${title} has no inverse bind matrices, so the reference pose comes from the nodes.`,
    );
    return null;
  }
  if (!isIndexOf(findings, 'accessors', accessor)) {
    note(
      findings,
      'SKIN_MATRICES',
      where,
      `${title}: inverseBindMatrices is ${nameOfValue(accessor)}, expected the index of an accessor.`,
    );
    return null;
  }
  const read = attempt(findings, 'SKIN_MATRICES', where, () => {
    const { type, componentType, count } = accessorInfo(findings.doc, accessor);
    if (type !== 'MAT4' || componentType !== 5126) {
      note(
        findings,
        'SKIN_MATRICES',
        where,
        `${title}: the matrices are ${type} of component type ${componentType}, expected MAT4 of 5126 (float).`,
      );
      return null;
    }
    if (count < joints.length) {
      note(findings, 'SKIN_MATRICES', where, `${title} has ${count} matrices for ${joints.length} joints.`);
      return null;
    }
    return readFloats(findings.doc, accessor);
  });
  if (read === undefined || read === null) return null;
  const faults = joints.flatMap((_, k) => faultOf(read, MATRIX_STRIDE * k) ?? []);
  if (faults.length > 0) {
    const k = joints.findIndex((_, joint) => faultOf(read, MATRIX_STRIDE * joint) !== null);
    note(
      findings,
      'SKIN_MATRICES',
      where,
      `${title}: the matrix of joint ${k} ${faults[0]}${faults.length > 1 ? `, ${faults.length - 1} more are wrong as well` : ''}.`,
    );
    return null;
  }
  return read;
}

/** The factor between the spaces of two skins, by one joint: the same for all joints that both bind alike. */
function factorBetween(a: CheckedSkin, b: CheckedSkin, joint: number): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  const at = MATRIX_STRIDE * a.joints.indexOf(joint);
  mat4.invertAffine(out, 0, a.inverseBind as Float32Array, at);
  mat4.multiply(out, 0, out, 0, b.inverseBind as Float32Array, MATRIX_STRIDE * b.joints.indexOf(joint));
  return out;
}

/** Joints of two skins must be bound alike in both, but for one factor for all of them. */
function checkAgreement(findings: Findings, skins: readonly CheckedSkin[]): void {
  const usable = skins.filter(({ inverseBind }) => inverseBind !== null);
  for (const [k, b] of usable.entries()) {
    for (const a of usable.slice(0, k)) {
      const shared = a.joints.filter((joint) => b.joints.includes(joint));
      if (shared.length < 2) continue;
      const [first, ...others] = shared.map((joint) => factorBetween(a, b, joint));
      const size = Math.max(...first.map(Math.abs));
      const off = others.findIndex((factor) =>
        factor.some((value, c) => Math.abs(value - first[c]) > SAME_BIND * size),
      );
      if (off < 0) continue;
      note(
        findings,
        'SKIN_CONFLICT',
        `/skins/${b.index}/inverseBindMatrices`,
        `${titleOf(findings, 'skins', b.index)} binds node ${shared[off + 1]} in another pose than ${titleOf(findings, 'skins', a.index)}.`,
      );
      return;
    }
  }
}

/** Checks the skins that have a bone of any of the definitions among their joints. */
export function checkSkins(findings: Findings, parents: Int32Array, definitions: readonly CheckedDefinition[]): void {
  const bones = new Set(
    definitions.flatMap(({ nodes }) => BONES.flatMap((_, bone) => (nodes[bone] >= 0 ? [nodes[bone]] : []))),
  );
  const checked: CheckedSkin[] = [];
  for (const [index, skin] of listOf(findings, 'skins').entries()) {
    if (!isObject(skin)) continue;
    const named = memberAt(skin, 'joints');
    if (!Array.isArray(named) || !named.some((joint) => bones.has(joint as number))) continue;
    const pointer = `/skins/${index}`;
    const title = titleOf(findings, 'skins', index);
    const joints = checkJoints(findings, skin, pointer, title);
    checkRoots(findings, skin, joints, parents, pointer, title);
    checked.push({ index, joints, inverseBind: checkMatrices(findings, skin, joints, pointer, title) });
  }
  checkAgreement(findings, checked);
}

/** Joints and inverse bind matrices of skins. glTF 2.0 sections 3.7.3 and 5.28. */
import { type JsonObject, memberAt } from '../../document/json-access.ts';
import {
  accessorShape,
  type CoreCheck,
  find,
  formatOf,
  hasStride,
  isNatural,
  itemsAt,
  objectsOf,
  storedFloats,
} from './findings.ts';

/**
 * Checks skins.
 *
 * @param check The running check.
 * @param parents Parent of each node; −1 for roots.
 */
export function checkJoints(check: CoreCheck, parents: Int32Array): void {
  for (const [i, skin] of objectsOf(check, 'skins')) {
    const joints = itemsAt(skin, 'joints');
    if (joints.length > 0) checkRoots(check, skin, joints, `/skins/${i}`, parents);
    checkMatrices(check, memberAt(skin, 'inverseBindMatrices'), joints.length, `/skins/${i}/inverseBindMatrices`);
  }
}

/** A node and its ancestors; cut off in a loop. */
function ancestry(node: number, parents: Int32Array): Set<number> {
  const chain = new Set<number>();
  for (let at = node; at >= 0 && !chain.has(at); at = parents[at]) chain.add(at);
  return chain;
}

function checkRoots(
  check: CoreCheck,
  skin: JsonObject,
  joints: readonly unknown[],
  pointer: string,
  parents: Int32Array,
): void {
  const chains = joints.map((joint) => {
    return isNatural(joint) && joint < parents.length ? ancestry(joint, parents) : new Set<number>();
  });
  const common = new Set([...chains[0]].filter((node) => chains.every((chain) => chain.has(node))));
  if (common.size === 0) {
    find(check, 'SKIN_NO_COMMON_ROOT', `${pointer}/joints`, 'The joints have no common root node.');
    return;
  }
  const skeleton = memberAt(skin, 'skeleton');
  if (!isNatural(skeleton) || skeleton >= parents.length || common.has(skeleton)) return;
  find(check, 'SKIN_SKELETON_INVALID', `${pointer}/skeleton`, `Node ${skeleton} is not a common root of the joints.`);
}

function checkMatrices(check: CoreCheck, index: unknown, joints: number, pointer: string): void {
  const shape = accessorShape(check, index);
  if (shape === undefined) return;
  if (hasStride(check, shape)) {
    find(check, 'SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE', pointer, 'The view of inverse bind matrices has a byteStride.');
  }
  if (shape.type !== 'MAT4' || shape.componentType !== 5126) {
    find(check, 'SKIN_IBM_INVALID_FORMAT', pointer, `The accessor is ${formatOf(shape)}, expected {MAT4, FLOAT}.`);
    return;
  }
  if (shape.count < joints) {
    find(check, 'INVALID_IBM_ACCESSOR_COUNT', pointer, `There are ${shape.count} matrices for ${joints} joints.`);
  }
  const matrices = storedFloats(check, index as number, shape) ?? new Float32Array(0);
  const wrong = matrices.findIndex((value, i) => i % 4 === 3 && value !== (i % 16 === 15 ? 1 : 0));
  if (wrong < 0) return;
  const message = `Component ${wrong % 16} of matrix ${Math.floor(wrong / 16)} is ${matrices[wrong]}; the last row must be 0 0 0 1.`;
  find(check, 'ACCESSOR_INVALID_IBM', pointer, message);
}

/** The definitions of humanoid skeletons: EXT_skeleton_humanoid, "Skeleton definition" and "Humanoid bone set and hierarchy". */
import { BONE, BONE_COUNT, BONES, isBoneName, presentParent, REQUIRED_BONES } from '../../../core/humanoid/bones.ts';
import { closestNames } from '../../../core/report/closest-names.ts';
import { describeValue, isObject, type JsonObject, memberAt, pointerTo } from '../document/json-access.ts';
import { extensionOf, listOf } from '../document/loose-json.ts';
import { EXT_SKELETON_HUMANOID } from '../extensions/ext-skeleton-humanoid.ts';
import { isAtOrAbove } from './node-parents.ts';
import { addIssue, isIndexOf, type Validation } from './validation.ts';

export interface CheckedDefinition {
  readonly pointer: string;
  /** glTF node, −1 where it is missing or invalid. */
  readonly rootNode: number;
  /** glTF node per bone, 55 entries, −1 where absent or invalid. */
  readonly nodes: Int32Array;
}

function jointNodes(validation: Validation): Set<number> {
  const joints = new Set<number>();
  for (const skin of listOf(validation.doc.json, 'skins')) {
    for (const node of listOf(skin, 'joints')) if (isIndexOf(validation, 'nodes', node)) joints.add(node);
  }
  return joints;
}

/** The definitions of the root extension, in either form; empty without the extension. */
function definitionsOf(validation: Validation): { value: unknown; pointer: string }[] {
  const root = `/extensions/${EXT_SKELETON_HUMANOID}`;
  const extension = extensionOf(validation.doc.json, EXT_SKELETON_HUMANOID);
  if (extension === undefined) return [];
  if (!isObject(extension)) {
    addIssue(
      validation,
      'EXT_SCHEMA',
      root,
      `The extension is ${describeValue(extension)}, expected an object with the member humanoidSkeletons.`,
    );
    return [];
  }
  const list = memberAt(extension, 'humanoidSkeletons');
  if (list === undefined && memberAt(extension, 'humanoidBones') !== undefined) {
    addIssue(
      validation,
      'EXT_SINGLE_OBJECT',
      root,
      'The extension object itself is the skeleton, as in the published schema. The text of the extension expects an array humanoidSkeletons; move the skeleton into it.',
    );
    return [{ value: extension, pointer: root }];
  }
  if (!Array.isArray(list) || list.length === 0) {
    const found = Array.isArray(list) ? 'an empty array' : describeValue(list);
    addIssue(
      validation,
      'EXT_SCHEMA',
      `${root}/humanoidSkeletons`,
      `humanoidSkeletons is ${found}, expected an array of at least one skeleton.`,
    );
    return [];
  }
  return list.map((value, index) => ({ value, pointer: `${root}/humanoidSkeletons/${index}` }));
}

function checkNode(validation: Validation, value: unknown, pointer: string, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    addIssue(validation, 'EXT_SCHEMA', pointer, `${what} is ${describeValue(value)}, expected the index of a node.`);
    return -1;
  }
  if (isIndexOf(validation, 'nodes', value)) return value;
  addIssue(
    validation,
    'EXT_NODE_MISSING',
    pointer,
    `${what} has node ${value}, but the file has ${listOf(validation.doc.json, 'nodes').length} nodes.`,
  );
  return -1;
}

/** Checks a bone map entry by entry. Of two bones with one node the first one keeps it. */
function checkBones(
  validation: Validation,
  bones: JsonObject,
  pointer: string,
  joints: ReadonlySet<number>,
): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const taken = new Map<number, string>();
  const names = Object.keys(bones).filter((name) => name !== 'extensions' && name !== 'extras');
  if (names.length === 0)
    addIssue(validation, 'EXT_SCHEMA', pointer, 'humanoidBones is empty, expected at least one bone.');
  for (const name of names) {
    const where = pointerTo(pointer, name);
    if (!isBoneName(name)) {
      const close = closestNames(name, BONES);
      const hint = close.length === 0 ? '' : ` Did you mean ${close.join(' or ')}?`;
      addIssue(
        validation,
        'EXT_BONE_UNKNOWN',
        where,
        `${JSON.stringify(name)} is not one of the ${BONE_COUNT} bone names.${hint}`,
      );
      continue;
    }
    const node = checkNode(validation, bones[name], where, name);
    if (node < 0) continue;
    const other = taken.get(node);
    if (other !== undefined) {
      addIssue(
        validation,
        'EXT_BONE_REPEATED',
        where,
        `${name} has node ${node}, which already is ${other}. Each bone needs its own node.`,
      );
      continue;
    }
    taken.set(node, name);
    nodes[BONE[name]] = node;
    if (!joints.has(node)) {
      addIssue(
        validation,
        'EXT_BONE_NOT_JOINT',
        where,
        `${name} has node ${node}, which is not a joint of any skin. Bones must be joints; add the node to a skin.`,
      );
    }
  }
  return nodes;
}

/** "Between parent and child bone nodes other humanoid bone nodes of the same skeleton MUST NOT be." */
function checkTree(validation: Validation, nodes: Int32Array, parents: Int32Array, pointer: string): void {
  const bones = new Map<number, number>();
  for (const [bone, node] of nodes.entries()) if (node >= 0) bones.set(node, bone);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    let above = parents[nodes[bone]];
    for (let steps = 0; above >= 0 && !bones.has(above) && steps <= parents.length; steps++) above = parents[above];
    const found = above < 0 ? -1 : (bones.get(above) ?? -1);
    const wanted = presentParent(bone, nodes);
    if (found === wanted) continue;
    const name = (index: number): string => (index < 0 ? 'no bone' : BONES[index]);
    addIssue(
      validation,
      'EXT_BONE_HIERARCHY',
      pointerTo(pointer, BONES[bone]),
      `The nearest bone above ${BONES[bone]} is ${name(found)}, expected ${name(wanted)}. Correct the mapping or the node hierarchy.`,
    );
  }
}

/** `strict` requires the 15 bones that VRM requires; the extension itself requires none. */
export function checkDefinitions(
  validation: Validation,
  parents: Int32Array,
  { strict }: { strict: boolean },
): CheckedDefinition[] {
  const joints = jointNodes(validation);
  const checked: CheckedDefinition[] = [];
  for (const { value, pointer } of definitionsOf(validation)) {
    if (!isObject(value)) {
      addIssue(validation, 'EXT_SCHEMA', pointer, `The skeleton is ${describeValue(value)}, expected an object.`);
      continue;
    }
    const rootNode = checkNode(validation, memberAt(value, 'rootNode'), `${pointer}/rootNode`, 'rootNode');
    const bones = memberAt(value, 'humanoidBones');
    const where = `${pointer}/humanoidBones`;
    if (!isObject(bones)) {
      addIssue(
        validation,
        'EXT_SCHEMA',
        where,
        `humanoidBones is ${describeValue(bones)}, expected an object that maps bone names to node indices.`,
      );
      continue;
    }
    const nodes = checkBones(validation, bones, where, joints);
    checkTree(validation, nodes, parents, where);
    if (rootNode >= 0) {
      const outside = BONES.filter((_, bone) => nodes[bone] >= 0 && !isAtOrAbove(parents, rootNode, nodes[bone]));
      if (outside.length > 0) {
        addIssue(
          validation,
          'EXT_ROOT_NOT_ANCESTOR',
          `${pointer}/rootNode`,
          `rootNode ${rootNode} is not an ancestor of ${outside.join(', ')}. It must be above all bones.`,
        );
      }
    }
    const missing = strict ? REQUIRED_BONES.filter((bone) => nodes[BONE[bone]] < 0) : [];
    if (missing.length > 0) {
      addIssue(
        validation,
        'EXT_BONE_REQUIRED',
        where,
        `The skeleton lacks bones that VRM requires: ${missing.join(', ')}.`,
      );
    }
    checked.push({ pointer, rootNode, nodes });
  }
  return checked;
}

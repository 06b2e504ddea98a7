/** The definitions of humanoid skeletons: EXT_skeleton_humanoid, "Skeleton definition" and "Humanoid bone set and hierarchy". */
import { BONE, BONE_COUNT, BONES, isBoneName, presentParent, REQUIRED_BONES } from '../../../core/humanoid/bones.ts';
import { closestNames } from '../../../core/report/closest-names.ts';
import { EXT_SKELETON_HUMANOID } from '../extensions/ext-skeleton-humanoid.ts';
import { isObject, type JsonObject, memberAt, nameOfValue, pointerTo } from '../schema.ts';
import { extensionOf, type Findings, isIndexOf, itemOf, listOf, note } from './findings.ts';
import { isAtOrAbove } from './node-parents.ts';

/** A definition as far as it can be used. */
export interface CheckedDefinition {
  readonly pointer: string;
  /** −1 where it is missing or wrong. */
  readonly rootNode: number;
  /** glTF node per bone, −1 where absent or wrong; 55 entries. */
  readonly nodes: Int32Array;
}

/** All nodes that are joints of a skin. */
function jointNodes(findings: Findings): Set<number> {
  const joints = new Set<number>();
  for (const skin of listOf(findings, 'skins')) {
    const named = isObject(skin) ? memberAt(skin, 'joints') : undefined;
    if (Array.isArray(named)) for (const node of named) if (isIndexOf(findings, 'nodes', node)) joints.add(node);
  }
  return joints;
}

/** The definitions of the extension at the root of the file, in either form; empty when there is no such extension. */
function definitionsOf(findings: Findings): { value: unknown; pointer: string }[] {
  const root = `/extensions/${EXT_SKELETON_HUMANOID}`;
  const extension = extensionOf(findings.doc.json);
  if (extension === undefined) return [];
  if (!isObject(extension)) {
    note(
      findings,
      'EXT_SCHEMA',
      root,
      `The extension is ${nameOfValue(extension)}, expected an object with humanoidSkeletons.`,
    );
    return [];
  }
  const list = memberAt(extension, 'humanoidSkeletons');
  if (list === undefined && memberAt(extension, 'humanoidBones') !== undefined) {
    note(
      findings,
      'EXT_SINGLE_OBJECT',
      root,
      'The skeleton stands in the extension itself, as the published schema has it; the text wants an array humanoidSkeletons with it inside.',
    );
    return [{ value: extension, pointer: root }];
  }
  if (!Array.isArray(list) || list.length === 0) {
    const found = Array.isArray(list) ? 'an empty array' : nameOfValue(list);
    note(
      findings,
      'EXT_SCHEMA',
      `${root}/humanoidSkeletons`,
      `humanoidSkeletons is ${found}, expected an array of at least one skeleton.`,
    );
    return [];
  }
  return list.map((value, index) => ({ value, pointer: `${root}/humanoidSkeletons/${index}` }));
}

function checkNode(findings: Findings, value: unknown, pointer: string, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    note(findings, 'EXT_SCHEMA', pointer, `${what} is ${nameOfValue(value)}, expected the index of a node.`);
    return -1;
  }
  if (isIndexOf(findings, 'nodes', value)) return value;
  note(
    findings,
    'EXT_NODE_MISSING',
    pointer,
    `${what} is node ${value}, but the file has ${listOf(findings, 'nodes').length} nodes.`,
  );
  return -1;
}

/** The bone map, name by name. Two bones on one node: the first keeps it. */
function checkBones(findings: Findings, bones: JsonObject, pointer: string, joints: ReadonlySet<number>): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const taken = new Map<number, string>();
  const names = Object.keys(bones).filter((name) => name !== 'extensions' && name !== 'extras');
  if (names.length === 0) note(findings, 'EXT_SCHEMA', pointer, 'humanoidBones is empty, expected at least one bone.');
  for (const name of names) {
    const where = pointerTo(pointer, name);
    if (!isBoneName(name)) {
      const close = closestNames(name, BONES);
      const hint = close.length === 0 ? '' : `; did you mean ${close.join(' or ')}?`;
      note(findings, 'EXT_BONE_UNKNOWN', where, `${JSON.stringify(name)} is none of the ${BONE_COUNT} bones${hint}`);
      continue;
    }
    const node = checkNode(findings, bones[name], where, name);
    if (node < 0) continue;
    const other = taken.get(node);
    if (other !== undefined) {
      note(
        findings,
        'EXT_BONE_REPEATED',
        where,
        `${name} is node ${node}, which is ${other} already; a node can be one bone only.`,
      );
      continue;
    }
    taken.set(node, name);
    nodes[BONE[name]] = node;
    if (!joints.has(node)) {
      note(
        findings,
        'EXT_BONE_NOT_JOINT',
        where,
        `${name} is node ${node}, which is a joint of no skin; bones must be joints.`,
      );
    }
  }
  return nodes;
}

/** "Between parent and child bone nodes other humanoid bone nodes of the same skeleton MUST NOT be." */
function checkTree(findings: Findings, nodes: Int32Array, parents: Int32Array, pointer: string): void {
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
    note(
      findings,
      'EXT_BONE_HIERARCHY',
      pointerTo(pointer, BONES[bone]),
      `The nearest bone above ${BONES[bone]} is ${name(found)}, expected ${name(wanted)}.`,
    );
  }
}

/** How a file is validated. */
export interface DefinitionRules {
  /** Whether the 15 bones that VRM requires must be there; the extension itself requires none. */
  readonly strict: boolean;
}

/** Checks all definitions and gives those that can be looked at further. */
export function checkDefinitions(
  findings: Findings,
  parents: Int32Array,
  { strict }: DefinitionRules,
): CheckedDefinition[] {
  const joints = jointNodes(findings);
  const checked: CheckedDefinition[] = [];
  for (const { value, pointer } of definitionsOf(findings)) {
    if (!isObject(value)) {
      note(findings, 'EXT_SCHEMA', pointer, `The skeleton is ${nameOfValue(value)}, expected an object.`);
      continue;
    }
    const rootNode = checkNode(findings, memberAt(value, 'rootNode'), `${pointer}/rootNode`, 'rootNode');
    const bones = memberAt(value, 'humanoidBones');
    const where = `${pointer}/humanoidBones`;
    if (!isObject(bones)) {
      note(
        findings,
        'EXT_SCHEMA',
        where,
        `humanoidBones is ${nameOfValue(bones)}, expected an object of bone names and node indices.`,
      );
      continue;
    }
    const nodes = checkBones(findings, bones, where, joints);
    checkTree(findings, nodes, parents, where);
    if (rootNode >= 0) {
      const outside = BONES.filter((_, bone) => nodes[bone] >= 0 && !isAtOrAbove(parents, rootNode, nodes[bone]));
      if (outside.length > 0) {
        note(
          findings,
          'EXT_ROOT_NOT_ANCESTOR',
          `${pointer}/rootNode`,
          `rootNode ${rootNode} is not above ${outside.join(', ')}.`,
        );
      }
    }
    const missing = strict ? REQUIRED_BONES.filter((bone) => nodes[BONE[bone]] < 0) : [];
    if (missing.length > 0) {
      note(
        findings,
        'EXT_BONE_REQUIRED',
        where,
        `The skeleton has no ${missing.join(', ')}, which humanoids of VRM must have.`,
      );
    }
    checked.push({ pointer, rootNode, nodes });
  }
  return checked;
}

/** The extension must be listed where it is used: glTF 2.0 section 3.12. */
export function checkListed(findings: Findings, isUsed: boolean): void {
  const used = memberAt(findings.doc.json, 'extensionsUsed');
  const isListed = Array.isArray(used) && used.includes(EXT_SKELETON_HUMANOID);
  if (isUsed && !isListed) {
    note(findings, 'EXT_NOT_LISTED', '/extensionsUsed', `${EXT_SKELETON_HUMANOID} is used but not in extensionsUsed.`);
  }
}

/** Names a skin or an animation for messages. */
export function titleOf(findings: Findings, list: 'skins' | 'animations', index: number): string {
  const name = memberAt(itemOf(findings, list, index) ?? {}, 'name');
  const kind = list === 'skins' ? 'Skin' : 'Animation';
  return `${kind} ${index}${typeof name === 'string' && name !== '' ? ` (${name.slice(0, 40)})` : ''}`;
}

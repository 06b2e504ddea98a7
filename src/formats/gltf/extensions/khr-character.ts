/**
 * The KHR_character drafts (glTF pull request 2512): `KHR_character_skeleton_mapping` maps the joint names of a
 * vocabulary to nodes. The draft changed its layout twice. Only layouts with node indices are read; layouts with node
 * names are reported, as node names need not be unique.
 */
import { BONE, BONE_COUNT, isBoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { describeValue, isObject, type JsonObject, memberAt, pointerTo } from '../document/json-access.ts';
import { isIndex } from '../document/loose-json.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import type { FileHumanoid } from './human-bones.ts';

export const KHR_CHARACTER_SKELETON_MAPPING = 'KHR_character_skeleton_mapping';

const POINTER = `/extensions/${KHR_CHARACTER_SKELETON_MAPPING}/skeletalRigMappings`;

/** The node of a role in the layouts with indices, `{ "node": 3 }` or `3`; undefined in others. */
function nodeOf(association: unknown): unknown {
  return isObject(association)
    ? memberAt(association, 'node')
    : typeof association === 'number'
      ? association
      : undefined;
}

function unreadableReason(roles: unknown): string | null {
  if (!isObject(roles)) return `is ${describeValue(roles)}, expected an object of roles`;
  const entries = Object.entries(roles).filter(([name]) => name !== 'extensions' && name !== 'extras');
  if (entries.length === 0) return 'has no roles';
  if (entries.some(([, association]) => nodeOf(association) === undefined)) {
    return 'refers to nodes by name, as earlier drafts did; only node indices can be read';
  }
  const unknown = entries.find(([name]) => !isBoneName(name));
  return unknown === undefined
    ? null
    : `has the role ${describeValue(unknown[0])}, which is not a humanoid bone of VRM 1.0`;
}

/** glTF node per bone. Roles whose node does not exist or already has a role are reported and left out. */
function readRoles(roles: JsonObject, pointer: string, forest: NodeForest, issues: Issue[]): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const taken = new Set<unknown>();
  const count = forest.parents.length;
  for (const [name, association] of Object.entries(roles)) {
    if (!isBoneName(name)) continue;
    const node = nodeOf(association);
    if (isIndex(node, count) && !taken.has(node)) {
      nodes[BONE[name]] = node;
      taken.add(node);
      continue;
    }
    const wrong = taken.has(node) ? 'which already has another role' : `but the file has ${count} nodes`;
    const message = `The role ${name} has node ${describeValue(node)}, ${wrong}. The role was ignored.`;
    issues.push(issue('CHARACTER_DRAFT', message, { pointer: pointerTo(pointer, name) }));
  }
  return nodes;
}

/**
 * Reads the first mapping set that maps humanoid bones to node indices. `issues` receives CHARACTER_DRAFT for sets and roles that cannot be read.
 * Returns the humanoid, without a declared pose; null where no set can be read.
 */
export function readCharacterMapping(extension: JsonObject, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const sets = memberAt(extension, 'skeletalRigMappings');
  if (!isObject(sets)) {
    const message = `skeletalRigMappings is ${describeValue(sets)}, expected an object of mapping sets. The mapping was ignored.`;
    issues.push(issue('CHARACTER_DRAFT', message, { pointer: POINTER }));
    return null;
  }
  for (const [name, roles] of Object.entries(sets)) {
    const pointer = pointerTo(POINTER, name);
    const reason = unreadableReason(roles);
    if (reason !== null) {
      issues.push(
        issue('CHARACTER_DRAFT', `The mapping set ${describeValue(name)} ${reason}. The set was ignored.`, { pointer }),
      );
      continue;
    }
    const nodes = readRoles(roles as JsonObject, pointer, forest, issues);
    if (nodes.some((node) => node >= 0)) return { format: 'khr', facing: null, title: '', nodes };
  }
  return null;
}

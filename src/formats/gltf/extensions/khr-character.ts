/**
 * The drafts of KHR_character (glTF pull request 2512): `KHR_character_skeleton_mapping` says which nodes have which roles in a vocabulary.
 * The draft changed its layout twice. Roles with node indices are read; names of nodes, in either direction, are only reported: they need not be unique.
 */
import { BONE, BONE_COUNT, isBoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import type { NodeForest } from '../read-nodes.ts';
import { isObject, type JsonObject, memberAt, nameOfValue, pointerTo } from '../schema.ts';
import type { FileHumanoid } from './human-bones.ts';

export const KHR_CHARACTER_SKELETON_MAPPING = 'KHR_character_skeleton_mapping';

const POINTER = `/extensions/${KHR_CHARACTER_SKELETON_MAPPING}/skeletalRigMappings`;

/** The node that a role is given to, in the layouts with indices: `{ "node": 3 }` or `3`; undefined in others. */
function nodeOf(association: unknown): unknown {
  return isObject(association)
    ? memberAt(association, 'node')
    : typeof association === 'number'
      ? association
      : undefined;
}

/** Why a set of roles is not read; null when it is. */
function whyNot(roles: unknown): string | null {
  if (!isObject(roles)) return `is ${nameOfValue(roles)}, expected an object of roles`;
  const entries = Object.entries(roles).filter(([name]) => name !== 'extensions' && name !== 'extras');
  if (entries.length === 0) return 'has no roles';
  if (entries.some(([, association]) => nodeOf(association) === undefined)) {
    return 'names nodes by their names, as former drafts did; only node indices are read';
  }
  const stranger = entries.find(([name]) => !isBoneName(name));
  return stranger === undefined
    ? null
    : `has the role ${nameOfValue(stranger[0])}, which is none of the humanoid bones of VRM 1.0`;
}

/** Nodes of the file per bone; roles whose node does not exist or has another role are reported and left out. */
function readRoles(roles: JsonObject, pointer: string, forest: NodeForest, issues: Issue[]): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const taken = new Set<unknown>();
  const count = forest.parents.length;
  for (const [name, association] of Object.entries(roles)) {
    if (!isBoneName(name)) continue;
    const node = nodeOf(association);
    if (Number.isSafeInteger(node) && (node as number) >= 0 && (node as number) < count && !taken.has(node)) {
      nodes[BONE[name]] = node as number;
      taken.add(node);
      continue;
    }
    const wrong = taken.has(node) ? 'which has another role already' : `but the file has ${count} nodes`;
    const message = `The role ${name} has node ${nameOfValue(node)}, ${wrong}; it was left out`;
    issues.push(issue('CHARACTER_DRAFT', message, { pointer: pointerTo(pointer, name) }));
  }
  return nodes;
}

/**
 * The first set of roles that is one of humanoid bones with node indices, as a humanoid whose pose is not declared; null without one. Other sets
 * before it are reported as CHARACTER_DRAFT.
 */
export function readCharacterMapping(extension: JsonObject, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const sets = memberAt(extension, 'skeletalRigMappings');
  if (!isObject(sets)) {
    const message = `skeletalRigMappings is ${nameOfValue(sets)}, expected an object of mapping sets`;
    issues.push(issue('CHARACTER_DRAFT', message, { pointer: POINTER }));
    return null;
  }
  for (const [name, roles] of Object.entries(sets)) {
    const pointer = pointerTo(POINTER, name);
    const reason = whyNot(roles);
    if (reason !== null) {
      issues.push(
        issue('CHARACTER_DRAFT', `The mapping set ${nameOfValue(name)} ${reason}; it was left out`, { pointer }),
      );
      continue;
    }
    const nodes = readRoles(roles as JsonObject, pointer, forest, issues);
    if (nodes.some((node) => node >= 0)) return { format: 'khr', facing: null, title: '', nodes };
  }
  return null;
}

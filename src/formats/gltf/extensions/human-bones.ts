/** What the humanoid maps of VRM 0.x, VRM 1.0 and VRMA have in common. */
import {
  BONE,
  BONE_COUNT,
  BONES,
  type BoneName,
  isBoneName,
  presentParent,
  REQUIRED_BONES,
} from '../../../core/humanoid/bones.ts';
import type { DeclaredHumanoid } from '../../../core/humanoid/humanoid.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { isAncestor } from '../../../core/skeleton/topology.ts';
import type { NodeForest } from '../read-nodes.ts';
import { nameOfValue } from '../schema.ts';

/** A humanoid as a file declares it, with nodes of the file. */
export interface FileHumanoid {
  readonly format: DeclaredHumanoid['format'];
  readonly facing: DeclaredHumanoid['facing'];
  /** What the file calls the character, empty when it does not. */
  readonly title: string;
  /** Node of the file per bone, −1 where absent. */
  readonly nodes: Int32Array;
  /** Of EXT_skeleton_humanoid: the node whose space the character stands in; −1 where none is of use. */
  readonly rootNode?: number;
  /** Where it stands in the file. */
  readonly pointer?: string;
}

/** One entry of a map as it stands in the file. */
export interface BoneEntry {
  /** Of the 55; null for a name that is none of them. */
  readonly bone: BoneName | null;
  /** The bone as the file calls it. */
  readonly name: string;
  readonly node: unknown;
  readonly pointer: string;
}

/** The bone of a name in a VRM file; null for a name that is no bone. */
export function boneOfName(name: string, renamed: Readonly<Record<string, BoneName>>): BoneName | null {
  if (Object.hasOwn(renamed, name)) return renamed[name];
  return isBoneName(name) ? name : null;
}

/**
 * Node of the file per bone, −1 where absent. Entries that cannot be used are left out, and what is wrong is reported
 * as VRM_HUMANOID: unknown bones, nodes that do not exist, a node or a bone twice, required bones that are missing, bones
 * that do not hang below their parent bone.
 */
export function readBoneEntries(
  entries: Iterable<BoneEntry>,
  forest: NodeForest,
  pointer: string,
  issues: Issue[],
): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const boneOfNode = new Map<number, number>();
  const report = (message: string, where: string): void => {
    issues.push(issue('VRM_HUMANOID', message, { pointer: where }));
  };
  for (const { bone, name, node, pointer: where } of entries) {
    if (bone === null) {
      report(`${JSON.stringify(name.slice(0, 40))} is no humanoid bone; it was left out`, where);
    } else if (!isNode(node, forest)) {
      const count = forest.parents.length;
      report(`Bone ${bone} has node ${nameOfValue(node)}, but the file has ${count} nodes; it was left out`, where);
    } else if (nodes[BONE[bone]] >= 0) {
      report(`Bone ${bone} is there twice; node ${nodes[BONE[bone]]} was kept, node ${node} left out`, where);
    } else if (boneOfNode.has(node)) {
      const other = BONES[boneOfNode.get(node) as number];
      report(`Node ${node} is given as ${other} and as ${bone}; the second was left out`, where);
    } else {
      nodes[BONE[bone]] = node;
      boneOfNode.set(node, BONE[bone]);
    }
  }
  const missing = REQUIRED_BONES.filter((bone) => nodes[BONE[bone]] < 0);
  if (missing.length > 0) report(`Required bones are missing: ${missing.join(', ')}`, pointer);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const parent = nodes[bone] < 0 ? -1 : presentParent(bone, nodes);
    if (parent < 0 || isAncestor(forest.parents, forest.places[nodes[parent]], forest.places[nodes[bone]])) continue;
    report(
      `${BONES[bone]} (node ${nodes[bone]}) does not hang below ${BONES[parent]} (node ${nodes[parent]}) in the node tree`,
      pointer,
    );
  }
  return nodes;
}

function isNode(node: unknown, forest: NodeForest): node is number {
  return Number.isSafeInteger(node) && (node as number) >= 0 && (node as number) < forest.parents.length;
}

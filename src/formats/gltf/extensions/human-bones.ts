/** Bone maps: the common part of VRM 0.x, VRM 1.0 and VRMA. */
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
import { describeValue } from '../document/json-access.ts';
import { isIndex } from '../document/loose-json.ts';
import type { NodeForest } from '../read/read-nodes.ts';

/** A humanoid that a file declares, with glTF node indices. */
export interface FileHumanoid {
  readonly format: DeclaredHumanoid['format'];
  /** Direction that the character faces; null where the specification does not fix it. */
  readonly facing: DeclaredHumanoid['facing'];
  /** Name of the character in the file; empty where it has none. */
  readonly title: string;
  /** glTF node per bone, 55 entries, −1 where absent. */
  readonly nodes: Int32Array;
  /** EXT_skeleton_humanoid only: the node whose space is the model space; −1 where there is no usable one. */
  readonly rootNode?: number;
  readonly pointer?: string;
}

export interface BoneEntry {
  /** One of the 55 bones; null for an unknown name. */
  readonly bone: BoneName | null;
  readonly name: string;
  readonly node: unknown;
  readonly pointer: string;
}

/** Looks up the bone that a VRM file names. Returns the bone; null for an unknown name. */
export function boneOfName(name: string, renamed: Readonly<Record<string, BoneName>>): BoneName | null {
  if (Object.hasOwn(renamed, name)) return renamed[name];
  return isBoneName(name) ? name : null;
}

/**
 * Builds a bone map from the entries of a file. Invalid entries are left out. `issues` receives VRM_HUMANOID for unknown bones, nodes that do not
 * exist, a node or bone used twice, missing required bones, and bones that are not descendants of their parent bone.
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
      report(`${JSON.stringify(name.slice(0, 40))} is not a humanoid bone name. The entry was ignored.`, where);
    } else if (!isIndex(node, forest.parents.length)) {
      const count = forest.parents.length;
      report(
        `Bone ${bone} has node ${describeValue(node)}, but the file has ${count} nodes. The bone was ignored.`,
        where,
      );
    } else if (nodes[BONE[bone]] >= 0) {
      report(`Bone ${bone} is declared twice. Node ${nodes[BONE[bone]]} was kept, node ${node} ignored.`, where);
    } else if (boneOfNode.has(node)) {
      const other = BONES[boneOfNode.get(node) as number];
      report(`Node ${node} is mapped to both ${other} and ${bone}. The second entry was ignored.`, where);
    } else {
      nodes[BONE[bone]] = node;
      boneOfNode.set(node, BONE[bone]);
    }
  }
  const missing = REQUIRED_BONES.filter((bone) => nodes[BONE[bone]] < 0);
  if (missing.length > 0)
    report(`Bones that VRM requires are missing: ${missing.join(', ')}. The humanoid was read without them.`, pointer);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const parent = nodes[bone] < 0 ? -1 : presentParent(bone, nodes);
    if (
      parent < 0 ||
      isAncestor(forest.parents, forest.nodesBySource[nodes[parent]], forest.nodesBySource[nodes[bone]])
    )
      continue;
    report(
      `${BONES[bone]} (node ${nodes[bone]}) is not a descendant of its parent bone ${BONES[parent]} (node ${nodes[parent]}). Both bones were kept; check the map.`,
      pointer,
    );
  }
  return nodes;
}

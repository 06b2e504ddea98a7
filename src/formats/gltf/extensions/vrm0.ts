/** VRM 0.x: the root extension `VRM`. Characters face −Z; the rest pose is a T-pose with world axes. */
import type { BoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { describeValue, isObject, type JsonObject, memberAt } from '../document/json-access.ts';
import { memberOf, textOf } from '../document/loose-json.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import { type BoneEntry, boneOfName, type FileHumanoid, readBoneEntries } from './human-bones.ts';

/** VRM 0.x numbers the thumb bones one joint further out than VRM 1.0: its proximal bone is the metacarpal. */
export const RENAMED_THUMBS: Readonly<Record<string, BoneName>> = {
  leftThumbProximal: 'leftThumbMetacarpal',
  leftThumbIntermediate: 'leftThumbProximal',
  rightThumbProximal: 'rightThumbMetacarpal',
  rightThumbIntermediate: 'rightThumbProximal',
};

const POINTER = '/extensions/VRM/humanoid/humanBones';

/** Reads the humanoid of a VRM 0.x. Returns the humanoid; null, with an issue, where it has no bone. */
export function readVrm0(extension: JsonObject, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const list = memberOf(extension, 'humanoid', 'humanBones');
  if (!Array.isArray(list)) {
    const message = `VRM.humanoid.humanBones is ${describeValue(list)}, expected an array. No humanoid was read.`;
    issues.push(issue('VRM_HUMANOID', message, { pointer: POINTER }));
    return null;
  }
  const nodes = readBoneEntries(list.map(toEntry), forest, POINTER, issues);
  if (nodes.every((node) => node < 0)) return null;
  return { format: 'vrm0', facing: '-Z', title: textOf(extension, 'meta', 'title'), nodes };
}

function toEntry(item: unknown, index: number): BoneEntry {
  const pointer = `${POINTER}/${index}`;
  const name = memberOf(item, 'bone');
  if (!isObject(item) || typeof name !== 'string') {
    return { bone: null, name: describeValue(name ?? item), node: undefined, pointer };
  }
  return { bone: boneOfName(name, RENAMED_THUMBS), name, node: memberAt(item, 'node'), pointer };
}

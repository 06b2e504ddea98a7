/** VRM 1.0: the root extension `VRMC_vrm`. Characters face +Z; the rest pose is a T-pose. */
import type { BoneName } from '../../../core/humanoid/bones.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { describeValue, isObject, type JsonObject, memberAt, pointerTo } from '../document/json-access.ts';
import { memberOf, textOf } from '../document/loose-json.ts';
import type { NodeForest } from '../read/read-nodes.ts';
import { type BoneEntry, boneOfName, type FileHumanoid, readBoneEntries } from './human-bones.ts';
import { RENAMED_THUMBS } from './vrm0.ts';

const NONE: Readonly<Record<string, BoneName>> = {};

/** Reads the humanoid of a VRM 1.0. Returns the humanoid; null, with an issue, where it has no bone. */
export function readVrm1(extension: JsonObject, forest: NodeForest, issues: Issue[]): FileHumanoid | null {
  const nodes = readHumanBones(extension, 'VRMC_vrm', forest, issues);
  if (nodes === null) return null;
  return { format: 'vrm1', facing: '+Z', title: textOf(extension, 'meta', 'name'), nodes };
}

/**
 * Reads the object `humanoid.humanBones`, which VRM 1.0 and VRMA have in common. Returns glTF node per bone, 55 entries, −1 where absent; null,
 * with an issue, where there is no bone.
 */
export function readHumanBones(
  extension: JsonObject,
  extensionName: string,
  forest: NodeForest,
  issues: Issue[],
): Int32Array | null {
  const pointer = `/extensions/${extensionName}/humanoid/humanBones`;
  const bones = memberOf(extension, 'humanoid', 'humanBones');
  if (!isObject(bones)) {
    const message = `${extensionName}.humanoid.humanBones is ${describeValue(bones)}, expected an object. No humanoid was read.`;
    issues.push(issue('VRM_HUMANOID', message, { pointer }));
    return null;
  }
  // The VRM 1.0 beta named the bones of the thumbs as VRM 0.x does.
  const isBeta = Object.hasOwn(bones, 'leftThumbIntermediate') || Object.hasOwn(bones, 'rightThumbIntermediate');
  const entries = Object.entries(bones).filter(([name]) => name !== 'extensions' && name !== 'extras');
  const nodes = readBoneEntries(
    entries.map(([name, item]): BoneEntry => {
      const bone = boneOfName(name, isBeta ? RENAMED_THUMBS : NONE);
      const node = isObject(item) ? memberAt(item, 'node') : item;
      return { bone, name, node, pointer: pointerTo(pointer, name) };
    }),
    forest,
    pointer,
    issues,
  );
  return nodes.every((node) => node < 0) ? null : nodes;
}

/** Bone maps as JSON files: written by `anyrig map`, edited by people, read by the map options. */

import type { AssetSkeleton } from '../core/asset/asset.ts';
import { BONES, type BoneName } from '../core/humanoid/bones.ts';
import type { BoneMap, GivenBones } from '../core/humanoid/humanoid.ts';
import { FormatError } from '../core/report/format-error.ts';

/** A bone map file: the node of every bone that is there, by name, or by index in the file where the name would not tell. */
export interface BoneMapFile {
  readonly bones: GivenBones;
}

/** The bone map of a skeleton; node indices where a name is empty or not the only one of its kind. */
export function boneMapFile({ skeleton, sourceNodes }: AssetSkeleton, { nodes }: BoneMap): BoneMapFile {
  const counts = new Map<string, number>();
  for (const name of skeleton.names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const bones: Partial<Record<BoneName, string | number>> = {};
  for (const [bone, key] of BONES.entries()) {
    const node = nodes[bone];
    if (node < 0) continue;
    const name = skeleton.names[node];
    bones[key] = name !== '' && counts.get(name) === 1 ? name : sourceNodes[node];
  }
  return { bones };
}

/** The text of a bone map file. */
export function printBoneMap(file: BoneMapFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The bones of a bone map file. Whether bones and nodes exist is not checked here; null stands for a bone that is absent.
 *
 * @throws FormatError `JSON_INVALID`, or `BONE_MAP_INVALID` when it is not `{"bones": {bone: name or index}}`.
 */
export function parseBoneMap(bytes: Uint8Array): GivenBones {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FormatError('JSON_INVALID', `The bone map is no JSON: ${(error as Error).message}`);
  }
  const bones = isObject(json) && Object.hasOwn(json, 'bones') ? json['bones'] : undefined;
  if (!isObject(bones)) {
    const message =
      'The bone map must look like {"bones": {"hips": "node name or index", …}}, as "anyrig map" writes it';
    throw new FormatError('BONE_MAP_INVALID', message, { pointer: '/bones' });
  }
  for (const [bone, node] of Object.entries(bones)) {
    if (node === null || typeof node === 'string' || Number.isSafeInteger(node)) continue;
    const message = `The bone ${JSON.stringify(bone.slice(0, 40))} of the map must have the name or the index of a node`;
    throw new FormatError('BONE_MAP_INVALID', message, { pointer: '/bones' });
  }
  return Object.fromEntries(Object.entries(bones).filter(([, node]) => node !== null)) as GivenBones;
}

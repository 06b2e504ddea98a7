/** Bone maps as JSON files, written by `anyrig map`, edited by hand and read by the map options. */
import type { AssetSkeleton } from '../../core/asset/asset.ts';
import { BONES, type BoneName, REQUIRED_BONES } from '../../core/humanoid/bones.ts';
import type { BoneAssignments, BoneMap } from '../../core/humanoid/humanoid.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { isObject } from '../../core/text/is-object.ts';
import { nodeTree, reportNodes } from '../reports/node-report.ts';

/** Content of a bone map file. */
export interface BoneMapFile {
  /** Node of every bone that is present: its name, or its index in the file where the name is empty or not unique. Null for one to fill in. */
  readonly bones: BoneAssignments;
  /** Nodes of the character by nodes of the motion, beyond the humanoid: weapons, tails, hair. */
  readonly extra?: Readonly<Record<string, string>>;
  /** The nodes to choose from, as an indented tree of indices, names and positions; for people, ignored in reading. */
  readonly nodes?: readonly string[];
}

/** Creates a bone map file for a person to complete: all required bones, null where no node was found, and the nodes to choose from. */
export function createMapToComplete(part: AssetSkeleton, map: BoneMap): BoneMapFile {
  const { bones } = createBoneMapFile(part, map);
  const blank = Object.fromEntries(REQUIRED_BONES.map((bone) => [bone, bones[bone] ?? null]));
  return { bones: { ...blank, ...bones }, nodes: nodeTree(reportNodes(part)) };
}

/**
 * Converts a bone map to the content of a bone map file.
 *
 * @param part The skeleton.
 * @param map Bone map of the skeleton.
 * @returns Nodes by name, or by index in the file where the name is empty or not unique.
 */
export function createBoneMapFile({ skeleton, sourceNodes }: AssetSkeleton, { nodes }: BoneMap): BoneMapFile {
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

/**
 * Serializes a bone map file.
 *
 * @param file Content of the file.
 * @returns Indented JSON with a final newline.
 */
export function serializeBoneMap(file: BoneMapFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function parseJson(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FormatError(
      'JSON_INVALID',
      `${name} not valid JSON: ${(error as Error).message}; map writes a file for any rig`,
    );
  }
}

/**
 * Parses a bone map file. Whether its bones and nodes exist is checked later, against a skeleton. A bone with the value null is absent.
 *
 * @param bytes UTF-8 text.
 * @returns The nodes of the bones.
 * @throws FormatError `JSON_INVALID` for invalid JSON, `BONE_MAP_INVALID` for anything but `{"bones": {bone: name or index}}`.
 */
export function parseBoneMap(bytes: Uint8Array): BoneAssignments {
  const json = parseJson(bytes, 'The bone map is');
  const bones = isObject(json) && Object.hasOwn(json, 'bones') ? json['bones'] : undefined;
  if (!isObject(bones)) {
    const message =
      'The bone map has no object "bones"; expected {"bones": {"hips": "node name or index", …}}, as map writes it';
    throw new FormatError('BONE_MAP_INVALID', message, { pointer: '/bones' });
  }
  for (const [bone, node] of Object.entries(bones)) {
    if (node === null || typeof node === 'string' || Number.isSafeInteger(node)) continue;
    const message = `The bone ${JSON.stringify(bone.slice(0, 40))} of the bone map is neither a name nor an index; write the name or the index of a node`;
    throw new FormatError('BONE_MAP_INVALID', message, { pointer: '/bones' });
  }
  return Object.fromEntries(Object.entries(bones).filter(([, node]) => node !== null)) as BoneAssignments;
}

/**
 * Parses the pairs of nodes beyond the humanoid of a bone map file, or of a file of such pairs alone. `bytes`: UTF-8 text. Returns nodes of the
 * character by nodes of the motion; null without `extra`. Throws FormatError `JSON_INVALID` for invalid JSON, `BONE_MAP_INVALID` for an `extra`
 * that is no object of names.
 */
export function parseExtraPairs(bytes: Uint8Array): Readonly<Record<string, string>> | null {
  const json = parseJson(bytes, 'The pairs of nodes are');
  const extra = isObject(json) && Object.hasOwn(json, 'extra') ? json['extra'] : null;
  if (extra === null) return null;
  const isPairs = isObject(extra) && Object.values(extra).every((name) => typeof name === 'string' && name !== '');
  if (!isPairs) {
    const message = 'The member "extra" is no object of names; expected {"extra": {"motion node": "character node"}}';
    throw new FormatError('BONE_MAP_INVALID', message, { pointer: '/extra' });
  }
  return extra as Record<string, string>;
}

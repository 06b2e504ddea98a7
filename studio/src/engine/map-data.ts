/** The bone map of a file, for the map panel. */
import { createBoneMapFile, findHumanoid, mapFile, type OpenFile, serializeBoneMap } from 'anyrig/files';
import { humanoidOptions } from './humanoid-options.ts';
import type { HumanoidEdits, MapData } from './protocol.ts';

/** Lists the nodes of the skeleton that has the map. */
function nodesOf({ asset }: OpenFile, index: number): MapData['nodes'] {
  const part = asset.skeletons[index];
  if (part === undefined) return [];
  const { names, parents } = part.skeleton;
  return names.map((name, node) => ({ node: part.sourceNodes[node], name, parent: parents[node] }));
}

/**
 * Maps the bones of a file.
 *
 * @param file An opened file.
 * @param edits What the user decided; a user-supplied map replaces the detected one.
 * @returns The map, with reasons where it was detected.
 */
export function mapData(file: OpenFile, edits: HumanoidEdits): MapData {
  const detected = mapFile(file);
  const choice = findHumanoid(file, 'only', humanoidOptions(file, edits));
  const nodes = nodesOf(file, choice.index);
  const map = choice.found === null ? detected.map : createBoneMapFile(choice.found.part, choice.found.humanoid.map);
  const json = map === null ? '' : serializeBoneMap(map);
  return { bones: detected.bones, nodes, reason: choice.reason, json, issues: choice.issues };
}

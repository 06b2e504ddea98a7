/** The bone map of a file, for the map panel. */
import { type AssetSkeleton, BONES, type BoneAssignments, type BoneMap, listConventionMaps } from 'anyrig';
import { createBoneMapFile, type HumanoidOptions, mapFile, type OpenFile, serializeBoneMap } from 'anyrig/files';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import type { MapData, MapPreset } from './protocol.ts';

function nodesOf({ skeleton: { names, parents }, sourceNodes }: AssetSkeleton): MapData['nodes'] {
  return names.map((name, node) => ({ node: sourceNodes[node], name, parent: parents[node] }));
}

/** Share of the bones of the best convention that others must name: fewer are words that any rig has. */
const NOTABLE = 0.4;

function presetsOf({ skeleton, sourceNodes }: AssetSkeleton): MapPreset[] {
  const presets = new Map<string, MapPreset>();
  const countOf = ({ nodes }: BoneMap): number => nodes.filter((node) => node >= 0).length;
  const maps = listConventionMaps(skeleton);
  const most = Math.max(...maps.map(countOf));
  for (const map of maps) {
    const { from, nodes } = map;
    const key = nodes.join();
    if (presets.has(key) || countOf(map) < NOTABLE * most) continue;
    const bones = BONES.flatMap((bone, k) => (nodes[k] < 0 ? [] : [[bone, sourceNodes[nodes[k]]] as const]));
    presets.set(key, { convention: from, bones: Object.fromEntries(bones) as BoneAssignments });
  }
  return [...presets.values()];
}

/** Describes the map of a file. `options`: what the user decided about it. */
export function mapData(file: OpenFile, options: HumanoidOptions): MapData {
  const detected = mapFile(file, options.skeleton);
  const choice = chooseHumanoid(file, 'only', options);
  const part = file.asset.skeletons[choice.index];
  const map = choice.found === null ? detected.map : createBoneMapFile(choice.found.part, choice.found.humanoid.map);
  return {
    skeleton: choice.index,
    bones: detected.bones,
    nodes: part === undefined ? [] : nodesOf(part),
    presets: part === undefined ? [] : presetsOf(part),
    reason: choice.reason,
    json: map === null ? '' : serializeBoneMap(map),
    issues: choice.issues,
  };
}

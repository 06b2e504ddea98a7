/** Morph target weights of a motion that the character has the same targets for. */
import type { MorphTrack } from '../core/asset/asset.ts';
import { arrayAt, isObject, type JsonObject, memberAt } from '../formats/gltf/schema.ts';

/** A node with morph targets: its index in the file, and how many it has. */
interface MorphNode {
  readonly node: number;
  readonly targetCount: number;
}

/** Nodes with morph targets by name; null where several have the name. */
export type MorphNodes = ReadonlyMap<string, MorphNode | null>;

function targetCountOf(mesh: unknown): number {
  if (!isObject(mesh)) return 0;
  const [primitive] = arrayAt(mesh, 'primitives', '');
  return isObject(primitive) ? arrayAt(primitive, 'targets', '').length : 0;
}

/** The nodes of a glTF JSON whose mesh has morph targets. The JSON must have been read before, so that it is sound. */
export function morphNodes(json: JsonObject): MorphNodes {
  const meshes = arrayAt(json, 'meshes', '');
  const found = new Map<string, MorphNode | null>();
  for (const [node, value] of arrayAt(json, 'nodes', '').entries()) {
    if (!isObject(value)) continue;
    const mesh = memberAt(value, 'mesh');
    const name = memberAt(value, 'name');
    const targetCount = typeof mesh === 'number' ? targetCountOf(meshes[mesh]) : 0;
    if (targetCount === 0 || typeof name !== 'string' || name === '') continue;
    found.set(name, found.has(name) ? null : { node, targetCount });
  }
  return found;
}

/** The tracks for the nodes of the character that have the name and the number of morph targets of the motion's nodes. */
export function carryMorphs(morphs: readonly MorphTrack[], nodes: MorphNodes): MorphTrack[] {
  const taken = new Set<number>();
  return morphs.flatMap((morph) => {
    const target = nodes.get(morph.nodeName);
    if (!target || target.targetCount !== morph.targetCount || taken.has(target.node)) return [];
    taken.add(target.node);
    return [{ ...morph, sourceNode: target.node }];
  });
}

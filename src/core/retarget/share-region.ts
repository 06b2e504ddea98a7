/** The nodes below a bone down to the next bones: where they are, and which bones hang below them. */
import { BONE_PARENTS } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { boneAtOrAbove } from '../humanoid/node-bones.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';

/** A node relative to the bone above it, in the rest pose: along the axes of that bone, in its units. */
export interface Place {
  readonly rotation: Float64Array;
  readonly position: Float64Array;
}

/** The nodes below a bone down to the next bones. */
export interface Region {
  readonly bone: number;
  readonly boneNode: number;
  /** Nodes that are no bones, parents first. */
  readonly nodes: readonly number[];
  /** Bones below these nodes or right below the bone; parents first. */
  readonly below: readonly number[];
  /** Of these nodes, of the nodes of these bones, and of the node of the bone itself. */
  readonly places: ReadonlyMap<number, Place>;
}

/** Where a node is when its parent is at `above`. */
function placeBelow(above: Place, rest: ArrayLike<number>, parentScale: ArrayLike<number>, node: number): Place {
  const rotation = new Float64Array(4);
  const position = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) position[axis] = rest[10 * node + axis] * parentScale[axis];
  vec3.rotate(position, 0, above.rotation, 0, position, 0);
  vec3.add(position, 0, position, 0, above.position, 0);
  quat.multiply(rotation, 0, above.rotation, 0, rest, 10 * node + 3);
  quat.normalize(rotation, 0, rotation, 0);
  return { rotation, position };
}

/** The regions of a body that have nodes which are no bones. `boneOfNode`: bonesOfNodes of its map. */
export function shareRegions({ skeleton, map }: Humanoid, boneOfNode: Int16Array): Region[] {
  const { parents, rest } = skeleton;
  const drafts = new Map<number, { nodes: number[]; below: number[] }>();
  for (let node = 0; node < parents.length; node++) {
    const bone = boneAtOrAbove(parents, boneOfNode, parents[node]);
    if (bone < 0) continue;
    const draft = drafts.get(bone) ?? { nodes: [], below: [] };
    drafts.set(bone, draft);
    if (boneOfNode[node] < 0) draft.nodes.push(node);
    else draft.below.push(boneOfNode[node]);
  }
  const regions: Region[] = [];
  for (const [bone, { nodes, below }] of drafts) {
    if (nodes.length === 0) continue;
    const boneNode = map.nodes[bone];
    const places = new Map<number, Place>([
      [boneNode, { rotation: Float64Array.of(0, 0, 0, 1), position: new Float64Array(3) }],
    ]);
    const scales = new Map<number, Float64Array>([[boneNode, Float64Array.of(1, 1, 1)]]);
    const all = [...nodes, ...below.map((other) => map.nodes[other])].sort((a, b) => a - b);
    for (const node of all) {
      const parent = parents[node];
      const scale = scales.get(parent) as Float64Array;
      places.set(node, placeBelow(places.get(parent) as Place, rest, scale, node));
      scales.set(
        node,
        scale.map((size, axis) => size * rest[10 * node + 7 + axis]),
      );
    }
    regions.push({ bone, boneNode, nodes, below, places });
  }
  return regions;
}

/** Nodes from below the bone of a region down to above the node of a bone below it. */
export function nodesBetween({ boneNode }: Region, parents: Int32Array, node: number): number[] {
  const path: number[] = [];
  for (let n = parents[node]; n !== boneNode; n = parents[n]) path.push(n);
  return path.reverse();
}

/** Whether, in the tree of bones, `bone` is below `above`. */
export function isBoneBelow(bone: number, above: number): boolean {
  let at = BONE_PARENTS[bone];
  while (at >= 0 && at !== above) at = BONE_PARENTS[at];
  return at === above && at >= 0;
}

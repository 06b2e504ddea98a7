/** The nodes between a bone and the next bones below it, where twist joints are. */
import { BONE_PARENTS } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { boneAtOrAbove } from '../../humanoid/node-bones.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';

/** Rest transform of a node relative to the bone above it: along the axes of that bone, in its units. */
interface RelativeTransform {
  readonly rotation: Float64Array;
  readonly position: Float64Array;
}

/** The nodes below a bone, down to the next bones. */
export interface TwistRegion {
  readonly bone: number;
  readonly boneNode: number;
  /** Nodes without a bone, parents first. */
  readonly nodes: readonly number[];
  /** The next bones: children of the top bone or of these nodes; parents first. */
  readonly childBones: readonly number[];
  /** Transforms of these nodes, of the nodes of the next bones, and of the node of the top bone itself. */
  readonly transforms: ReadonlyMap<number, RelativeTransform>;
}

function childTransform(
  parent: RelativeTransform,
  rest: ArrayLike<number>,
  parentScale: ArrayLike<number>,
  node: number,
): RelativeTransform {
  const rotation = new Float64Array(4);
  const position = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) position[axis] = rest[POSE_STRIDE * node + axis] * parentScale[axis];
  vec3.rotate(position, 0, parent.rotation, 0, position, 0);
  vec3.add(position, 0, position, 0, parent.position, 0);
  quat.multiply(rotation, 0, parent.rotation, 0, rest, POSE_STRIDE * node + PATH_OFFSET.rotation);
  quat.normalize(rotation, 0, rotation, 0);
  return { rotation, position };
}

/** Finds the regions of a humanoid that contain nodes without a bone. */
export function findTwistRegions(humanoid: Humanoid, boneOfNode: Int16Array): TwistRegion[] {
  const { skeleton, map } = humanoid;
  const { parents, rest } = skeleton;
  const drafts = new Map<number, { nodes: number[]; childBones: number[] }>();
  for (let node = 0; node < parents.length; node++) {
    const bone = boneAtOrAbove(parents, boneOfNode, parents[node]);
    if (bone < 0) continue;
    const draft = drafts.get(bone) ?? { nodes: [], childBones: [] };
    drafts.set(bone, draft);
    if (boneOfNode[node] < 0) draft.nodes.push(node);
    else draft.childBones.push(boneOfNode[node]);
  }
  const regions: TwistRegion[] = [];
  for (const [bone, { nodes, childBones }] of drafts) {
    if (nodes.length === 0) continue;
    const boneNode = map.nodes[bone];
    const transforms = new Map<number, RelativeTransform>([
      [boneNode, { rotation: Float64Array.of(0, 0, 0, 1), position: new Float64Array(3) }],
    ]);
    const scales = new Map<number, Float64Array>([[boneNode, Float64Array.of(1, 1, 1)]]);
    const all = [...nodes, ...childBones.map((other) => map.nodes[other])].sort((a, b) => a - b);
    for (const node of all) {
      const parent = parents[node];
      const scale = scales.get(parent) as Float64Array;
      transforms.set(node, childTransform(transforms.get(parent) as RelativeTransform, rest, scale, node));
      scales.set(
        node,
        scale.map((size, axis) => size * rest[POSE_STRIDE * node + PATH_OFFSET.scale + axis]),
      );
    }
    regions.push({ bone, boneNode, nodes, childBones, transforms });
  }
  return regions;
}

/** Returns the transform of a node of a region relative to its bone. */
export function transformIn(region: TwistRegion, node: number): RelativeTransform {
  return region.transforms.get(node) as RelativeTransform;
}

export function nodesBetween(region: TwistRegion, parents: Int32Array, node: number): number[] {
  const path: number[] = [];
  for (let n = parents[node]; n !== region.boneNode; n = parents[n]) path.push(n);
  return path.reverse();
}

/** Tells whether a bone is a descendant of another in the tree of all 55 bones. */
export function isDescendantBone(bone: number, ancestor: number): boolean {
  let at = BONE_PARENTS[bone];
  while (at >= 0 && at !== ancestor) at = BONE_PARENTS[at];
  return at === ancestor && at >= 0;
}

/** The joints of a skeleton in one pose: the input of mapping by shape. */
import type { Clip } from '../../../animation/clip.ts';
import type { Floats } from '../../../math/floats.ts';
import { distance, pointOf } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import type { Skeleton } from '../../../skeleton/skeleton.ts';
import { childRanges } from '../../../skeleton/topology.ts';
import { bindModelPose, frameTimes, type ModelPose, restModelPose, sampleModelPose } from '../../t-pose/model-pose.ts';
import { createNodeTree, type NodeTree } from '../node-tree.ts';
import { type PossibleBones, possibleBones } from '../possible-bones.ts';

export interface PosedRig {
  readonly tree: NodeTree;
  /** Children of each node that can be bones. */
  readonly joints: readonly (readonly number[])[];
  /** Leaf children of each node that cannot be bones: ends of chains (`Hand_end`), meshes. */
  readonly ends: readonly (readonly number[])[];
  /** 1 for nodes that can be bones: joints and their ancestors; all nodes in a skeleton without joints. */
  readonly usable: Uint8Array;
  /** Number of nodes that can be bones. */
  readonly jointCount: number;
  /** 1 for nodes that the motion rotates; null without a motion. */
  readonly rotated: Uint8Array | null;
  /** All known poses. A joint that is straight in all of them is not a hinge. */
  readonly poses: readonly ModelPose[];
  /** Position of each node in the analyzed pose, 3 floats per node, model space, units of the file. */
  readonly positions: Floats;
  /** Distance of each node from its parent; 0 for roots. */
  readonly lengths: Float64Array;
  /** Length of the longest chain of joints below each node, including the end marker where no joint follows. */
  readonly reach: Float64Array;
  /** Number of nodes in the subtree of each node that can be bones, itself included. */
  readonly sizes: Int32Array;
}

/** A rotation track that changes less than this is constant (squared length of the quaternion difference). */
const STILL = 1e-6;

/** Marks the nodes that a motion rotates with 1. */
function rotatedNodes(motion: Clip, count: number): Uint8Array {
  const rotated = new Uint8Array(count);
  for (const { target, path, values } of motion.tracks) {
    if (path !== 'rotation') continue;
    for (let k = 4; k < values.length && rotated[target] === 0; k += 4) {
      let change = 0;
      for (let c = 0; c < 4; c++) change += (values[k + c] - values[c]) ** 2;
      if (change > STILL) rotated[target] = 1;
    }
  }
  return rotated;
}

/** Collects the bind pose, the node pose, and the start and the middle of the motion, as far as they exist. */
function posesOf(skeleton: Skeleton, motion: Clip | null): ModelPose[] {
  const poses: ModelPose[] = [];
  const bind = bindModelPose(skeleton);
  if (bind !== null) poses.push(bind);
  poses.push(restModelPose(skeleton));
  if (motion === null) return poses;
  const times = frameTimes(motion);
  if (times.length > 0) poses.push(sampleModelPose(skeleton, motion, times[0], 'frame:0'));
  const half = times.length >> 1;
  if (half > 0) poses.push(sampleModelPose(skeleton, motion, times[half], `frame:${half}`));
  return poses;
}

/** Lists the joints and the end markers below each node. */
function childLists(parents: Int32Array, usable: Uint8Array): Pick<PosedRig, 'joints' | 'ends'> {
  const { starts, children } = childRanges(parents);
  const joints: number[][] = [];
  const ends: number[][] = [];
  for (let node = 0; node < parents.length; node++) {
    const below = Array.from(children.subarray(starts[node], starts[node + 1]));
    joints.push(below.filter((child) => usable[child] === 1));
    ends.push(below.filter((child) => usable[child] === 0 && starts[child + 1] === starts[child]));
  }
  return { joints, ends };
}

/**
 * Creates a posed rig for each known pose of a skeleton. `motion`: a clip of the skeleton; null without one. `bones`: its joints, all by default.
 * Returns one rig per pose: bind pose, node pose, then poses of the motion.
 */
export function createPosedRigs(
  skeleton: Skeleton,
  motion: Clip | null,
  { parents, usable }: PossibleBones = possibleBones(skeleton),
): PosedRig[] {
  const count = skeleton.parents.length;
  const poses = posesOf(skeleton, motion);
  const { joints, ends } = childLists(parents, usable);
  const rotated = motion === null ? null : rotatedNodes(motion, count);
  const sizes = Int32Array.from(usable);
  for (let node = count - 1; node >= 0; node--) if (parents[node] >= 0) sizes[parents[node]] += sizes[node];
  const jointCount = usable.reduce((sum, value) => sum + value, 0);
  const common = { tree: createNodeTree(parents), joints, ends, usable, jointCount, rotated, poses, sizes };
  return poses.map(({ positions }) => {
    const lengths = new Float64Array(count);
    const reach = new Float64Array(count);
    for (let node = count - 1; node >= 0; node--) {
      const parent = parents[node];
      if (parent < 0) continue;
      lengths[node] = distance(pointOf(positions, node), pointOf(positions, parent));
      if (usable[node] === 0 && joints[parent].length > 0) continue;
      if (lengths[node] + reach[node] > reach[parent]) reach[parent] = lengths[node] + reach[node];
    }
    return { ...common, positions, lengths, reach };
  });
}

/** Returns the position of a node in the analyzed pose, model space, units of the file. */
export function positionOf(rig: PosedRig, node: number): Vec3 {
  return pointOf(rig.positions, node);
}

/** The joints of a rig as a body in space: what mapping by shape looks at instead of names. */
import type { Clip } from '../../animation/clip.ts';
import type { Floats } from '../../math/floats.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { childRanges } from '../../skeleton/topology.ts';
import { bindModelPose, clipPose, frameTimes, nodePose } from '../reference/model-pose.ts';
import { type NodeTree, nodeTree } from './node-tree.ts';
import { distance, pointOf, type Vec } from './points.ts';

/** A pose that a body is looked at in. */
export interface Look {
  readonly from: string;
  /** Model space, 3 floats a node. */
  readonly positions: Floats;
}

/** The joints of a rig in one pose. */
export interface BodyTree {
  readonly tree: NodeTree;
  /** The children of every node that may be bones. */
  readonly joints: readonly (readonly number[])[];
  /** The leaves right below every node that cannot be bones: ends of chains (`Hand_end`), meshes. */
  readonly ends: readonly (readonly number[])[];
  /** 1 where a node may be a bone: a joint of a skin or above one; in rigs without skins every node. */
  readonly usable: Uint8Array;
  /** 1 where a motion turns the node; null without a motion. */
  readonly turned: Uint8Array | null;
  /** All poses that are known: what is straight in all of them is no hinge. */
  readonly looks: readonly Look[];
  /** The pose that directions are taken from. */
  readonly positions: Floats;
  /** Way from the parent to every node; 0 for roots. */
  readonly lengths: Float64Array;
  /** Longest way from a node down its joints, to the end marker where no joint follows. */
  readonly reach: Float64Array;
  /** Usable nodes of the subtree, its own included. */
  readonly sizes: Int32Array;
}

/** 1 for joints and everything above one; all 1 in a rig without joints. */
export function touchedBySkin({ joints, parents }: Skeleton): Uint8Array {
  const touched = Uint8Array.from(joints);
  if (!touched.includes(1)) return touched.fill(1);
  for (let node = touched.length - 1; node >= 0; node--) {
    if (touched[node] === 1 && parents[node] >= 0) touched[parents[node]] = 1;
  }
  return touched;
}

/** A track that turns by less than this (squared length of the change of a quaternion) holds still. */
const STILL = 1e-6;

/** 1 for every node that a motion turns. */
function turnedBy(motion: Clip, count: number): Uint8Array {
  const turned = new Uint8Array(count);
  for (const { target, path, values } of motion.tracks) {
    if (path !== 'rotation') continue;
    for (let k = 4; k < values.length && turned[target] === 0; k += 4) {
      let change = 0;
      for (let c = 0; c < 4; c++) change += (values[k + c] - values[c]) ** 2;
      if (change > STILL) turned[target] = 1;
    }
  }
  return turned;
}

/** Bind pose, node pose, and the start and the middle of a motion, whichever there are. */
function looksOf(skeleton: Skeleton, motion: Clip | null): Look[] {
  const looks: Look[] = [];
  const bind = bindModelPose(skeleton);
  if (bind !== null) looks.push(bind);
  looks.push(nodePose(skeleton));
  if (motion === null) return looks;
  const times = frameTimes(motion);
  if (times.length > 0) looks.push(clipPose(skeleton, motion, times[0], 'frame:0'));
  const half = times.length >> 1;
  if (half > 0) looks.push(clipPose(skeleton, motion, times[half], `frame:${half}`));
  return looks;
}

/** Joints and ends below every node. */
function childLists(parents: Int32Array, usable: Uint8Array): Pick<BodyTree, 'joints' | 'ends'> {
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

/** The body of a skeleton in every pose that is known, one after the other. */
export function bodyTrees(skeleton: Skeleton, motion: Clip | null): BodyTree[] {
  const { parents } = skeleton;
  const count = parents.length;
  const looks = looksOf(skeleton, motion);
  const usable = touchedBySkin(skeleton);
  const { joints, ends } = childLists(parents, usable);
  const turned = motion === null ? null : turnedBy(motion, count);
  const sizes = Int32Array.from(usable);
  for (let node = count - 1; node >= 0; node--) if (parents[node] >= 0) sizes[parents[node]] += sizes[node];
  const common = { tree: nodeTree(parents), joints, ends, usable, turned, looks, sizes };
  return looks.map(({ positions }) => {
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

/** Where a node is, in the pose that is looked at. */
export function place(body: BodyTree, node: number): Vec {
  return pointOf(body.positions, node);
}

/** The nodes of a skeleton that can be bones, and how they hang together. */
import * as vec3 from '../../math/vec3.ts';
import { POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { localSizes } from '../../skeleton/skeleton-size.ts';
import { childRanges } from '../../skeleton/topology.ts';
import { jointsAndAncestors } from './node-tree.ts';

/** Distance of a group from the joint that it belongs to, as a fraction of the size of the skeleton, up to which they are at one position: rounding of files. */
const SAME_POSITION = 1e-5;

/** A hierarchy without groups. */
export interface PossibleBones {
  /** Parent of each node; −1 for roots and for groups, which are above nothing. */
  readonly parents: Int32Array;
  /** 1 for nodes that can be bones. */
  readonly usable: Uint8Array;
}

/**
 * Finds the nodes that can be bones: joints and their ancestors, all nodes in a skeleton without joints. Groups between joints are left out: nodes that are no joints, at the
 * position of the joint above them or of their only joint, such as the offset nodes that programs put at every joint.
 */
export function possibleBones(skeleton: Skeleton): PossibleBones {
  const { joints, rest } = skeleton;
  const usable = jointsAndAncestors(skeleton);
  const sizes = localSizes(skeleton);
  const { starts, children } = childRanges(skeleton.parents);
  const isAtParent = (node: number): boolean => vec3.length(rest, POSE_STRIDE * node) <= SAME_POSITION * sizes[node];
  /** 1 for joints, and for nodes without a skin above a single one at the same position. */
  const isAtJoint = joints.slice();
  for (let node = joints.length - 1; node >= 0; node--) {
    const [only, ...others] = children.subarray(starts[node], starts[node + 1]).filter((child) => usable[child] === 1);
    if (only !== undefined && others.length === 0 && isAtParent(only)) isAtJoint[node] |= isAtJoint[only];
  }
  const parents = skeleton.parents.slice();
  const groups = Array.from(parents.keys()).filter((node) => {
    if (joints[node] === 1 || usable[node] === 0) return false;
    const isBelowJoint = parents[node] >= 0 && joints[parents[node]] === 1 && isAtParent(node);
    if (!isBelowJoint && isAtJoint[node] === 0) return false;
    for (const child of children.subarray(starts[node], starts[node + 1])) parents[child] = parents[node];
    return true;
  });
  for (const group of groups) {
    parents[group] = -1;
    usable[group] = 0;
  }
  return { parents, usable };
}

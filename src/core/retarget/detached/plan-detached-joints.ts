/**
 * Plans the constraints of detached nodes: bones whose parent bone is not their ancestor in the node tree (feet below IK roots, a spine
 * beside the hips), and skin joints outside the bone hierarchy. Bones are rotated as all others and only need a translation; joints
 * need both.
 */
import { BONE_COUNT, presentParent } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { isAncestor } from '../../skeleton/topology.ts';
import type { DetachedJointPlan } from '../plan-types.ts';
import { bindOrBasePose, type DetachedJoint } from './find-detached-joints.ts';

/** Returns the nodes from the root down to a node, the node included; empty for −1. */
function chainTo(node: number, parents: Int32Array): Int32Array {
  const chain: number[] = [];
  for (let n = node; n >= 0; n = parents[n]) chain.push(n);
  return Int32Array.from(chain.reverse());
}

/**
 * Plans the bones whose parent bone is not their ancestor in the node tree: they keep their reference offset from that bone.
 *
 * @param target The character; its rest is what a player shows.
 * @returns In the order of the bones, not of the nodes: the shin is placed before the foot, even if its node comes later.
 */
export function planDetachedBones(target: Humanoid): DetachedJointPlan[] {
  const { parents } = target.skeleton;
  const { nodes } = target.map;
  const { rotations, positions } = target.reference;
  const plans: DetachedJointPlan[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    const parentBone = presentParent(bone, nodes);
    if (parentBone < 0 || isAncestor(parents, nodes[parentBone], nodes[bone])) continue;
    const offset = new Float64Array(3);
    const toBone = new Float64Array(4);
    vec3.subtract(offset, 0, positions, 3 * bone, positions, 3 * parentBone);
    vec3.scale(offset, 0, offset, 0, 1 / target.metersPerUnit);
    quat.conjugate(toBone, 0, rotations, 4 * parentBone);
    vec3.rotate(offset, 0, toBone, 0, offset, 0);
    plans.push({
      targetNode: nodes[bone],
      boneChain: chainTo(nodes[parentBone], parents),
      parentChain: chainTo(parents[nodes[bone]], parents),
      offset,
      rotation: null,
    });
  }
  return plans;
}

/**
 * Plans detached skin joints: each keeps the offset and the rotation relative to its anchor that it has in the bind pose.
 *
 * @param target The character.
 * @param joints From {@link findDetachedJoints}.
 * @returns In the order of `joints`.
 */
export function planDetachedJoints(target: Humanoid, joints: readonly DetachedJoint[]): DetachedJointPlan[] {
  if (joints.length === 0) return [];
  const { parents } = target.skeleton;
  const { rotations, positions } = bindOrBasePose(target);
  const toBone = new Float64Array(4);
  return joints.map(({ node, anchor }) => {
    const offset = new Float64Array(3);
    const rotation = new Float64Array(4);
    quat.conjugate(toBone, 0, rotations, 4 * anchor);
    quat.multiply(rotation, 0, toBone, 0, rotations, 4 * node);
    vec3.subtract(offset, 0, positions, 3 * node, positions, 3 * anchor);
    vec3.rotate(offset, 0, toBone, 0, offset, 0);
    const [boneChain, parentChain] = [chainTo(anchor, parents), chainTo(parents[node], parents)];
    return { targetNode: node, boneChain, parentChain, offset, rotation };
  });
}

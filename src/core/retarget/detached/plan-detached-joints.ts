/**
 * Plans the constraints of detached nodes: bones whose parent bone is not their ancestor in the node tree (feet below IK roots, a spine
 * beside the hips), and skin joints outside the bone hierarchy. Bones are rotated as all others and only need a translation; joints
 * need both.
 */
import { BONE_COUNT, presentParent } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../humanoid/node-bones.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { localSizes } from '../../skeleton/skeleton-size.ts';
import { carrierBone } from '../carrier-bone.ts';
import type { DetachedJointPlan, DetachedSegment } from '../plan-types.ts';
import { bindOrBasePose, type DetachedJoint } from './find-detached-joints.ts';

/** Returns the nodes from the root down to a node, the node included; empty for −1. */
function chainTo(node: number, parents: Int32Array): Int32Array {
  const chain: number[] = [];
  for (let n = node; n >= 0; n = parents[n]) chain.push(n);
  return Int32Array.from(chain.reverse());
}

function vectorAlong({ reference, metersPerUnit }: Humanoid, bone: number, child: number): Float64Array {
  const out = new Float64Array(3);
  const toBone = new Float64Array(4);
  vec3.subtract(out, 0, reference.positions, 3 * child, reference.positions, 3 * bone);
  vec3.scale(out, 0, out, 0, 1 / metersPerUnit);
  quat.conjugate(toBone, 0, reference.rotations, 4 * bone);
  vec3.rotate(out, 0, toBone, 0, out, 0);
  return out;
}

/**
 * Plans the bones whose parent bone is not the next bone above them in the node tree: they keep their reference offset from that bone. Hips below another
 * bone are among them.
 */
export function planDetachedBones(target: Humanoid): DetachedJointPlan[] {
  const { parents } = target.skeleton;
  const { nodes } = target.map;
  const carrier = carrierBone(target);
  const boneOfNode = mapNodesToBones(nodes, parents.length);
  const sizes = localSizes(target.skeleton);
  const plans: DetachedJointPlan[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0 || bone === carrier) continue;
    const parentBone = presentParent(bone, nodes);
    if (parentBone >= 0 && boneAtOrAbove(parents, boneOfNode, parents[nodes[bone]]) === parentBone) continue;
    plans.push({
      targetNode: nodes[bone],
      boneChain: chainTo(nodes[parentBone < 0 ? bone : parentBone], parents),
      parentChain: chainTo(parents[nodes[bone]], parents),
      offset: parentBone < 0 ? new Float64Array(3) : vectorAlong(target, parentBone, bone),
      segments: [],
      rotation: null,
      size: sizes[nodes[bone]],
    });
  }
  return plans;
}

/**
 * Plans bones of a node tree that is not that of a human, such as one that is rooted at the chest: bones that are above their own parent bone, and
 * all that depend on these. Each is placed from the bone that carries the character, along the bones between.
 */
export function planCircularBones(target: Humanoid, circular: readonly DetachedJointPlan[]): DetachedJointPlan[] {
  const { skeleton, map } = target;
  const { parents } = skeleton;
  const boneOfNode = mapNodesToBones(map.nodes, parents.length);
  const start = chainTo(map.nodes[carrierBone(target)], parents);
  /** The vectors from the hips to a bone. */
  const fromHips = (bone: number, sign: number): DetachedSegment[] => {
    const segments: DetachedSegment[] = [];
    for (
      let at = bone, above = presentParent(at, map.nodes);
      above >= 0;
      at = above, above = presentParent(at, map.nodes)
    )
      segments.push({
        boneChain: chainTo(map.nodes[above], parents),
        offset: vectorAlong(target, above, at).map((value) => sign * value),
      });
    return segments;
  };
  return circular
    .filter(({ rotation }) => rotation === null)
    .sort((a, b) => a.targetNode - b.targetNode)
    .map((plan) => ({
      ...plan,
      boneChain: start,
      offset: new Float64Array(3),
      segments: [...fromHips(carrierBone(target), -1), ...fromHips(boneOfNode[plan.targetNode], 1)],
    }));
}

/** Plans detached skin joints: each keeps the offset and the rotation relative to its anchor that it has in the bind pose. */
export function planDetachedJoints(target: Humanoid, joints: readonly DetachedJoint[]): DetachedJointPlan[] {
  if (joints.length === 0) return [];
  const { parents } = target.skeleton;
  const { rotations, positions } = bindOrBasePose(target);
  const toBone = new Float64Array(4);
  const sizes = localSizes(target.skeleton);
  return joints.map(({ node, anchor }) => {
    const offset = new Float64Array(3);
    const rotation = new Float64Array(4);
    quat.conjugate(toBone, 0, rotations, 4 * anchor);
    quat.multiply(rotation, 0, toBone, 0, rotations, 4 * node);
    vec3.subtract(offset, 0, positions, 3 * node, positions, 3 * anchor);
    vec3.rotate(offset, 0, toBone, 0, offset, 0);
    const [boneChain, parentChain] = [chainTo(anchor, parents), chainTo(parents[node], parents)];
    return { targetNode: node, boneChain, parentChain, offset, segments: [], rotation, size: sizes[node] };
  });
}

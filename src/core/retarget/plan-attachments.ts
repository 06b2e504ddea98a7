/**
 * Deciding how bones that hang elsewhere in the node tree stay at the end of their limb: feet below IK roots of their own, a
 * spine beside the hips. Their rotation follows the world law like any other; only their place needs a translation.
 */
import { BONE_COUNT, presentParent } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { isAncestor } from '../skeleton/topology.ts';
import type { AttachmentPlan } from './retarget-plan.ts';

/** Nodes from the root down to a node, the node included. */
export function chainTo(node: number, parents: Int32Array): Int32Array {
  const chain: number[] = [];
  for (let n = node; n >= 0; n = parents[n]) chain.push(n);
  return Int32Array.from(chain.reverse());
}

/**
 * Attachments of the bones whose parent bone is not above them in the node tree. In the order of the bones, not of the nodes: the
 * node of a shin may come after that of its foot, but must be at its place before the foot is put to its end.
 */
export function planAttachments(target: Humanoid): AttachmentPlan[] {
  const { parents } = target.skeleton;
  const { nodes } = target.map;
  const { rotations, positions } = target.reference;
  const attachments: AttachmentPlan[] = [];
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    const holder = presentParent(bone, nodes);
    if (holder < 0 || isAncestor(parents, nodes[holder], nodes[bone])) continue;
    const offset = new Float64Array(3);
    const toHolder = new Float64Array(4);
    vec3.subtract(offset, 0, positions, 3 * bone, positions, 3 * holder);
    vec3.scale(offset, 0, offset, 0, 1 / target.metersPerUnit);
    quat.conjugate(toHolder, 0, rotations, 4 * holder);
    vec3.rotate(offset, 0, toHolder, 0, offset, 0);
    attachments.push({
      targetNode: nodes[bone],
      holderChain: chainTo(nodes[holder], parents),
      parentChain: chainTo(parents[nodes[bone]], parents),
      offset,
      turn: null,
    });
  }
  return attachments;
}

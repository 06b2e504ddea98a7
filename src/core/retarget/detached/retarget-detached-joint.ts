/** Detached joints at run time: no allocation, no exception. */
import type { Floats } from '../../math/floats.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import type { DetachedJointPlan } from '../plan-types.ts';
import { toParentSpace } from '../transform-point.ts';

const inverse = new Float64Array(4);
const rotation = new Float64Array(4);
const position = new Float64Array(3);
const offset = new Float64Array(3);

/** Computes, in model space, the `rotation` of the bone and the `position` of the joint that is constrained to it. */
function computeModelTransform(
  { boneChain, offset: fromBone, segments }: DetachedJointPlan,
  targetLocal: Floats,
): void {
  quat.identity(rotation, 0);
  vec3.set(position, 0, 0, 0, 0);
  for (let k = boneChain.length - 1; k >= 0; k--) {
    const at = POSE_STRIDE * boneChain[k];
    quat.multiply(rotation, 0, targetLocal, at + PATH_OFFSET.rotation, rotation, 0);
    toParentSpace(position, targetLocal, at);
  }
  vec3.rotate(offset, 0, rotation, 0, fromBone, 0);
  vec3.add(position, 0, position, 0, offset, 0);
  for (let k = 0; k < segments.length; k++) {
    const segment = segments[k];
    vec3.copy(offset, 0, segment.offset, 0);
    for (let i = segment.boneChain.length - 1; i >= 0; i--) {
      vec3.rotate(offset, 0, targetLocal, POSE_STRIDE * segment.boneChain[i] + PATH_OFFSET.rotation, offset, 0);
    }
    vec3.add(position, 0, position, 0, offset, 0);
  }
}

/** Transforms `rotation` and `position` from the space of the parent of a node (10 floats at `at`) to that of the node. */
function toNodeSpace(local: Floats, at: number): void {
  vec3.subtract(position, 0, position, 0, local, at);
  quat.conjugate(inverse, 0, local, at + PATH_OFFSET.rotation);
  vec3.rotate(position, 0, inverse, 0, position, 0);
  quat.multiply(rotation, 0, inverse, 0, rotation, 0);
  for (let axis = 0; axis < 3; axis++) {
    const scale = local[at + PATH_OFFSET.scale + axis];
    position[axis] = scale === 0 ? 0 : position[axis] / scale;
  }
}

/**
 * Writes the local translation of a detached joint, and its local rotation if the plan has one, so that the joint keeps its offset from its bone.
 * `targetLocal`: local pose of the target, 10 floats per node; the bone and the ancestors of the joint are already written.
 */
export function retargetDetachedJoint(targetLocal: Floats, plan: DetachedJointPlan): void {
  const at = POSE_STRIDE * plan.targetNode;
  computeModelTransform(plan, targetLocal);
  for (let k = 0; k < plan.parentChain.length; k++) toNodeSpace(targetLocal, POSE_STRIDE * plan.parentChain[k]);
  vec3.copy(targetLocal, at, position, 0);
  if (plan.rotation === null) return;
  quat.multiply(rotation, 0, rotation, 0, plan.rotation, 0);
  quat.normalize(targetLocal, at + PATH_OFFSET.rotation, rotation, 0);
}

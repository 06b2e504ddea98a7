/** Retargeting at run time, pose by pose: no allocation, no exception. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { reflectPose } from '../skeleton/reflections.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { retargetDetachedJoint } from './detached/retarget-detached-joint.ts';
import { hipsOffset } from './hips-position.ts';
import type { HipsPlan, RetargetPlan, ScalePlan, TranslationPlan, TwistPlan } from './plan-types.ts';
import { applyLinear } from './transform-point.ts';
import { twistRotation } from './twist/twist-rotation.ts';

const factor = new Float64Array(4);
const product = new Float64Array(4);
const point = new Float64Array(3);

/**
 * Computes the local rotation of a target bone from the local pose of the source. `out` receives xyzw at `o`. `sourceLocal`: local pose of the
 * source, 10 floats per node.
 */
export function retargetRotation(out: Floats, o: number, plan: RetargetPlan, k: number, sourceLocal: Floats): void {
  quat.copy(product, 0, plan.left, 4 * k);
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    const rotation = POSE_STRIDE * plan.pathNodes[entry] + PATH_OFFSET.rotation;
    if (plan.pathInverted[entry] === 1) {
      quat.conjugate(factor, 0, sourceLocal, rotation);
      quat.multiply(product, 0, product, 0, factor, 0);
    } else {
      quat.multiply(product, 0, product, 0, sourceLocal, rotation);
    }
  }
  quat.multiply(product, 0, product, 0, plan.right, 4 * k);
  quat.normalize(out, o, product, 0);
}

/**
 * Computes the local translation of the node that carries the target's pelvis from the local pose of the source. `out` receives xyz at `o`, units
 * of the target file. `sourceLocal`: local pose of the source, 10 floats per node.
 */
export function retargetHips(out: Floats, o: number, hips: HipsPlan, sourceLocal: Floats): void {
  hipsOffset(point, hips, sourceLocal);
  applyLinear(point, 0, hips.targetLinear, point, 0);
  vec3.add(out, o, point, 0, hips.targetBase, 0);
}

/**
 * Computes the local translation of a bone other than the hips. `out` receives xyz at `o`, units of the target file. `source`: local translation of
 * the source bone, xyz at `i`, units of the source file.
 */
export function retargetTranslation(
  out: Floats,
  o: number,
  plan: TranslationPlan,
  source: ArrayLike<number>,
  i: number,
): void {
  vec3.subtract(point, 0, source, i, plan.origin, 0);
  applyLinear(point, 0, plan.linear, point, 0);
  vec3.add(out, o, point, 0, plan.base, 0);
}

/**
 * Computes the local scale of a bone. The scale of the source relative to its rest is applied to each axis of the target bone; the length of the
 * scaled axis is the new scale, as in a decomposition of the scaled matrix. `out` receives xyz at `o`. `source`: local scale of the source bone,
 * xyz at `i`.
 */
export function retargetScale(out: Floats, o: number, plan: ScalePlan, source: ArrayLike<number>, i: number): void {
  for (let axis = 0; axis < 3; axis++) {
    vec3.set(point, 0, axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0);
    vec3.rotate(point, 0, plan.toSourceAxes, 0, point, 0);
    for (let k = 0; k < 3; k++) point[k] *= plan.sourceRest[k] === 0 ? 1 : source[i + k] / plan.sourceRest[k];
    out[o + axis] = plan.targetRest[axis] * vec3.length(point, 0);
  }
}

/** Writes the rotation of a twist joint; a mapped bone gets it in front of its own rotation. */
function applyTwist(targetLocal: Floats, plan: RetargetPlan, twist: TwistPlan): void {
  const at = POSE_STRIDE * twist.targetNode + PATH_OFFSET.rotation;
  const driver = POSE_STRIDE * plan.targetNodes[twist.driver] + PATH_OFFSET.rotation;
  twistRotation(product, 0, twist, targetLocal, driver);
  if (twist.bone >= 0) quat.multiply(product, 0, product, 0, targetLocal, at);
  quat.normalize(targetLocal, at, product, 0);
}

/**
 * Retargets one pose between the rigs of a plan without their negative scales, see {@link retargetPose}. Both local poses are without reflections;
 * `targetLocal` is written in place.
 */
export function retargetStraightPose(plan: RetargetPlan, sourceLocal: Floats, targetLocal: Floats): void {
  for (let k = 0; k < plan.constantChannels.length; k++) {
    const { targetNode, path, value } = plan.constantChannels[k];
    const at = POSE_STRIDE * targetNode + PATH_OFFSET[path];
    for (let c = 0; c < value.length; c++) targetLocal[at + c] = value[c];
  }
  if (plan.rotation) {
    for (let k = 0; k < plan.bones.length; k++) {
      retargetRotation(targetLocal, POSE_STRIDE * plan.targetNodes[k] + PATH_OFFSET.rotation, plan, k, sourceLocal);
    }
    for (let k = 0; k < plan.twists.length; k++) applyTwist(targetLocal, plan, plan.twists[k]);
  }
  if (plan.hips !== null) retargetHips(targetLocal, POSE_STRIDE * plan.hips.targetNode, plan.hips, sourceLocal);
  for (let k = 0; k < plan.translations.length; k++) {
    const translation = plan.translations[k];
    const { sourceNode, targetNode } = translation;
    retargetTranslation(targetLocal, POSE_STRIDE * targetNode, translation, sourceLocal, POSE_STRIDE * sourceNode);
  }
  for (let k = 0; k < plan.scales.length; k++) {
    const scale = plan.scales[k];
    const from = POSE_STRIDE * scale.sourceNode + PATH_OFFSET.scale;
    retargetScale(targetLocal, POSE_STRIDE * scale.targetNode + PATH_OFFSET.scale, scale, sourceLocal, from);
  }
  for (let k = 0; k < plan.detachedJoints.length; k++) retargetDetachedJoint(targetLocal, plan.detachedJoints[k]);
}

/** Source pose without reflections, for all plans: grows to the largest one. */
let straightSource = new Float64Array(0);

/**
 * Retargets one pose. Writes the mapped nodes of the target, its twist joints and its detached joints. Nodes and components that the plan
 * does not drive keep the values of the buffer: fill it with the rest pose of the target once.
 *
 * @param plan From {@link planRetarget}.
 * @param sourceLocal Local pose of the source, 10 floats per node.
 * @param targetLocal Local pose of the target, 10 floats per node; written in place.
 * @returns `targetLocal`.
 * @example
 * const plan = planRetarget(source, target);
 * const sourceLocal = restPose(source.skeleton);
 * const targetLocal = restPose(target.skeleton);
 * sampleClip(clip, time, sourceLocal);
 * retargetPose(plan, sourceLocal, targetLocal);
 */
export function retargetPose<T extends Floats>(plan: RetargetPlan, sourceLocal: Floats, targetLocal: T): T {
  const { sourceSigns, targetSigns } = plan;
  let source = sourceLocal;
  if (sourceSigns !== null) {
    if (straightSource.length < sourceSigns.length) straightSource = new Float64Array(sourceSigns.length);
    reflectPose(straightSource, sourceLocal, sourceSigns);
    source = straightSource;
  }
  if (targetSigns !== null) reflectPose(targetLocal, targetLocal, targetSigns);
  retargetStraightPose(plan, source, targetLocal);
  if (targetSigns !== null) reflectPose(targetLocal, targetLocal, targetSigns);
  return targetLocal;
}

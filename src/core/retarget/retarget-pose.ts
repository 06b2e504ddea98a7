/** The run-time side: one pose of the source in, one pose of the target out. No allocation, no exception. */
import type { Floats } from '../math/floats.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import type { AttachmentPlan, HipsPlan, RetargetPlan, ScalePlan, SharePlan, TranslationPlan } from './retarget-plan.ts';
import { shareRotation } from './share-rotation.ts';

const factor = new Float64Array(4);
const product = new Float64Array(4);
const point = new Float64Array(3);
const offset = new Float64Array(3);

/** Multiplies a vector by a 3×3 (column-major); `out` may be the vector. */
export function applyLinear(out: Floats, o: number, linear: Float64Array, v: ArrayLike<number>, i: number): void {
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  out[o] = linear[0] * x + linear[3] * y + linear[6] * z;
  out[o + 1] = linear[1] * x + linear[4] * y + linear[7] * z;
  out[o + 2] = linear[2] * x + linear[5] * y + linear[8] * z;
}

/** Local rotation of bone `k` of the plan from the local pose of the source. */
export function retargetRotation(out: Floats, o: number, plan: RetargetPlan, k: number, sourceLocal: Floats): void {
  quat.copy(product, 0, plan.left, 4 * k);
  for (let entry = plan.pathStart[k]; entry < plan.pathStart[k + 1]; entry++) {
    const rotation = 10 * plan.pathNodes[entry] + 3;
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

/** Carries a point from the space of a node (ten floats at `at`) into that of its parent. */
function carryUp(v: Float64Array, local: Floats, at: number): void {
  v[0] *= local[at + 7];
  v[1] *= local[at + 8];
  v[2] *= local[at + 9];
  vec3.rotate(v, 0, local, at + 3, v, 0);
  vec3.add(v, 0, v, 0, local, at);
}

/** Model position of the source hips: its local translation carried up through its ancestors. */
function sourceHipsPosition(out: Float64Array, hips: HipsPlan, sourceLocal: Floats): void {
  vec3.copy(out, 0, sourceLocal, 10 * hips.sourceNode);
  for (let k = 0; k < hips.sourceAncestors.length; k++) {
    carryUp(out, sourceLocal, 10 * hips.sourceAncestors[k]);
  }
}

/** Local translation of the target hips from the local pose of the source. */
export function retargetHips(out: Floats, o: number, hips: HipsPlan, sourceLocal: Floats): void {
  sourceHipsPosition(point, hips, sourceLocal);
  applyLinear(point, 0, hips.sourceLinear, point, 0);
  vec3.subtract(point, 0, point, 0, hips.sourceOrigin, 0);
  vec3.scale(point, 0, point, 0, hips.factor);
  applyLinear(point, 0, hips.targetLinear, point, 0);
  vec3.add(out, o, point, 0, hips.targetBase, 0);
}

/** Local translation of a bone that is not the hips from that of its source (3 floats at `i`). */
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
 * Local scale of a bone from that of its source (3 floats at `i`): the stretch relative to the rest, seen along the axes of
 * the target bone: the length of its axis after the source's stretch, as a decomposition of the stretched matrix gives it.
 */
export function retargetScale(out: Floats, o: number, plan: ScalePlan, source: ArrayLike<number>, i: number): void {
  for (let axis = 0; axis < 3; axis++) {
    vec3.set(point, 0, axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0);
    vec3.rotate(point, 0, plan.turn, 0, point, 0);
    for (let k = 0; k < 3; k++) point[k] *= plan.sourceRest[k] === 0 ? 1 : source[i + k] / plan.sourceRest[k];
    out[o + axis] = plan.targetRest[axis] * vec3.length(point, 0);
  }
}

/** Rotation (`product`) and position (`point`) of what an attachment is held by, model space. */
function placeOfHolder({ holderChain, offset: fromHolder }: AttachmentPlan, targetLocal: Floats): void {
  quat.identity(product, 0);
  vec3.set(point, 0, 0, 0, 0);
  for (let k = holderChain.length - 1; k >= 0; k--) {
    const at = 10 * holderChain[k];
    quat.multiply(product, 0, targetLocal, at + 3, product, 0);
    carryUp(point, targetLocal, at);
  }
  vec3.rotate(offset, 0, product, 0, fromHolder, 0);
  vec3.add(point, 0, point, 0, offset, 0);
}

/** Carries `product` and `point` from the space of the parent of a node (ten floats at `at`) into that of the node. */
function carryDown(local: Floats, at: number): void {
  vec3.subtract(point, 0, point, 0, local, at);
  quat.conjugate(factor, 0, local, at + 3);
  vec3.rotate(point, 0, factor, 0, point, 0);
  quat.multiply(product, 0, factor, 0, product, 0);
  for (let axis = 0; axis < 3; axis++) {
    const scale = local[at + 7 + axis];
    point[axis] = scale === 0 ? 0 : point[axis] / scale;
  }
}

/**
 * Puts an attached node where the target's pose so far carries the end of its limb, below its own parent node: its local translation,
 * and its local rotation where the plan has one.
 */
function retargetAttachment(targetLocal: Floats, plan: AttachmentPlan): void {
  placeOfHolder(plan, targetLocal);
  for (let k = 0; k < plan.parentChain.length; k++) carryDown(targetLocal, 10 * plan.parentChain[k]);
  vec3.copy(targetLocal, 10 * plan.targetNode, point, 0);
  if (plan.turn === null) return;
  quat.multiply(product, 0, product, 0, plan.turn, 0);
  quat.normalize(targetLocal, 10 * plan.targetNode + 3, product, 0);
}

/** Turns a node by its share of the turn of a bone, a bone on top of its own rotation. */
function retargetShare(targetLocal: Floats, plan: RetargetPlan, share: SharePlan): void {
  const at = 10 * share.targetNode + 3;
  shareRotation(product, 0, share, targetLocal, 10 * plan.targetNodes[share.driver] + 3);
  if (share.bone >= 0) quat.multiply(product, 0, product, 0, targetLocal, at);
  quat.normalize(targetLocal, at, product, 0);
}

/**
 * Retargets a pose: `sourceLocal` (10 floats a node of the source) → the mapped nodes of `targetLocal` (10 floats a node of the target), and
 * those that follow them.
 * Nodes and components that the plan does not drive are left as they are: fill `targetLocal` with the target's rest pose once.
 */
export function retargetPose<T extends Floats>(plan: RetargetPlan, sourceLocal: Floats, targetLocal: T): T {
  for (let k = 0; k < plan.held.length; k++) {
    const { targetNode, path, value } = plan.held[k];
    const at = 10 * targetNode + (path === 'translation' ? 0 : path === 'rotation' ? 3 : 7);
    for (let c = 0; c < value.length; c++) targetLocal[at + c] = value[c];
  }
  if (plan.rotation) {
    for (let k = 0; k < plan.bones.length; k++)
      retargetRotation(targetLocal, 10 * plan.targetNodes[k] + 3, plan, k, sourceLocal);
    for (let k = 0; k < plan.shares.length; k++) retargetShare(targetLocal, plan, plan.shares[k]);
  }
  if (plan.hips !== null) retargetHips(targetLocal, 10 * plan.hips.targetNode, plan.hips, sourceLocal);
  for (let k = 0; k < plan.translations.length; k++) {
    const translation = plan.translations[k];
    retargetTranslation(
      targetLocal,
      10 * translation.targetNode,
      translation,
      sourceLocal,
      10 * translation.sourceNode,
    );
  }
  for (let k = 0; k < plan.scales.length; k++) {
    const scale = plan.scales[k];
    retargetScale(targetLocal, 10 * scale.targetNode + 7, scale, sourceLocal, 10 * scale.sourceNode + 7);
  }
  for (let k = 0; k < plan.attachments.length; k++) {
    retargetAttachment(targetLocal, plan.attachments[k]);
  }
  return targetLocal;
}

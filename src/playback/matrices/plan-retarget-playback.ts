/** Plans playback of clips of one humanoid on the skeleton of another, from compiled frames straight to matrices. */
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import * as quat from '../../core/math/quat.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import {
  neededNodes,
  type PlannedMatrix,
  type PlaybackPlanning,
  planMatrices,
  planSteps,
  reflectSkin,
} from './plan-playback.ts';
import type { PlaybackPlan, PlaybackSkin } from './playback-plan.ts';

/** Explains why a plan needs local poses; null if model rotations are enough. */
function retargetRefusal({ skeleton }: Humanoid, plan: RetargetPlan): string | null {
  const nodeName = (node: number): string => `node ${node} ${JSON.stringify(skeleton.names[node])}`;
  if (!plan.rotation) return 'the plan does not retarget rotations';
  if (plan.twists.length > 0) return `${nodeName(plan.twists[0].targetNode)} is a twist joint`;
  if (plan.detachedJoints.length > 0) return `${nodeName(plan.detachedJoints[0].targetNode)} is a detached joint`;
  if (plan.translations.length > 0) return 'the plan retargets translations of bones';
  if (plan.scales.length > 0) return 'the plan retargets scales';
  return null;
}

/** Lists the source nodes that drive a bone, and all nodes above them, ascending. */
function stepNodesOf(source: Humanoid, plan: RetargetPlan): number[] {
  const { parents } = source.skeleton;
  const needed = new Set<number>();
  for (const driver of plan.drivers) {
    for (let node = source.map.nodes[driver]; node >= 0 && !needed.has(node); node = parents[node]) needed.add(node);
  }
  return [...needed].sort((a, b) => a - b);
}

/** Computes the rotation from the axes of the source file to those of the target file. */
function frameOf(target: Humanoid, plan: RetargetPlan, rest: Float64Array): Float64Array {
  const top = plan.above.indexOf(-1);
  const frame = plan.left.slice(4 * top, 4 * top + 4);
  const { parents } = target.skeleton;
  for (let node = parents[plan.targetNodes[top]]; node >= 0; node = parents[node]) {
    quat.multiply(frame, 0, rest, POSE_STRIDE * node + PATH_OFFSET.rotation, frame, 0);
  }
  quat.normalize(frame, 0, frame, 0);
  return frame;
}

/**
 * Plans playback of clips of one humanoid on another: with the world delta D of the driver, a bone shows `D · W̄_t = frame · W_s · (W̄_s⁻¹ ·
 * W̄_t)`, W world rotations, a bar the reference pose, s the source and t the target. So the model rotation of the driver and one constant rotation
 * per joint are enough. Targets with twist joints, detached joints, or scales that are not uniform take the general path: `retargetPose`.
 */
export function planRetargetPlayback(
  source: Humanoid,
  target: Humanoid,
  plan: RetargetPlan,
  skin: PlaybackSkin | null,
): PlaybackPlanning {
  const reason = retargetRefusal(target, plan);
  if (reason !== null) return { plan: null, reason };
  if (plan.targetSigns !== null && skin === null) return { plan: null, reason: 'a node has a negative scale' };
  const rest = plan.targetRest.slice();
  for (const { targetNode, path, value } of plan.constantChannels) {
    rest.set(value, POSE_STRIDE * targetNode + PATH_OFFSET[path]);
  }
  const { stepOf, ...steps } = planSteps(stepNodesOf(source, plan), plan.sourceParents, plan.sourceRest);
  const { parents } = target.skeleton;
  const boneOfNode = new Int32Array(parents.length).fill(-1);
  for (const [k, node] of plan.targetNodes.entries()) boneOfNode[node] = k;
  const plannedOf: (PlannedMatrix | undefined)[] = [];
  const planned = neededNodes(parents, skin).map((node): PlannedMatrix => {
    const k = boneOfNode[node];
    const after = new Float64Array(4);
    let driver = -1;
    if (k >= 0) {
      driver = stepOf[source.map.nodes[plan.drivers[k]]];
      quat.copy(after, 0, plan.right, 4 * k);
    } else {
      const above = parents[node] < 0 ? undefined : plannedOf[parents[node]];
      if (above === undefined) quat.identity(after, 0);
      else quat.copy(after, 0, above.after, 0);
      driver = above?.driver ?? -1;
      quat.multiply(after, 0, after, 0, rest, POSE_STRIDE * node + PATH_OFFSET.rotation);
    }
    const matrix = { node, driver, after };
    plannedOf[node] = matrix;
    return matrix;
  });
  const lists = planMatrices(planned, parents, rest, reflectSkin(skin, plan.targetSigns));
  if (typeof lists === 'string') return { plan: null, reason: lists };
  const playback: PlaybackPlan = {
    nodeCount: plan.sourceParents.length,
    signs: plan.sourceSigns,
    ...steps,
    frame: frameOf(target, plan, rest),
    ...lists,
    hips: plan.hips,
    isRetargeted: true,
  };
  return { plan: playback, reason: null };
}

/** Orders constraints so that each one reads only transforms that are already written. */
import type { DetachedJointPlan } from '../plan-types.ts';

/**
 * Orders the constraints of detached joints by their dependencies. Joints that depend on each other in a circle, as in damaged files, cannot
 * all keep their offsets: these are left out and keep their rest transform.
 *
 * @param plans Constraints in any order.
 * @returns Every constraint whose result depends only on constraints before it; otherwise in the order of `plans`.
 */
export function orderDetachedJoints(plans: readonly DetachedJointPlan[]): DetachedJointPlan[] {
  const pending = new Set(plans);
  const unwritten = new Set(plans.map(({ targetNode }) => targetNode));
  const isUnwritten = (node: number): boolean => unwritten.has(node);
  const ordered: DetachedJointPlan[] = [];
  for (let count = -1; count < ordered.length; ) {
    count = ordered.length;
    for (const plan of pending) {
      if (plan.boneChain.some(isUnwritten) || plan.parentChain.some(isUnwritten)) continue;
      pending.delete(plan);
      unwritten.delete(plan.targetNode);
      ordered.push(plan);
    }
  }
  return ordered;
}

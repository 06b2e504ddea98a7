/** Orders constraints so that each one reads only transforms that are already written. */
import type { DetachedJointPlan } from '../plan-types.ts';

/** Constraints in the order in which they are applied. */
interface OrderedJoints {
  /** Every constraint whose result depends only on constraints before it; otherwise in the order of the input. */
  readonly ordered: DetachedJointPlan[];
  /** Constraints that depend on each other in a circle, and those that depend on these. */
  readonly circular: DetachedJointPlan[];
}

export function orderDetachedJoints(plans: readonly DetachedJointPlan[]): OrderedJoints {
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
  return { ordered, circular: [...pending] };
}

/** Which transforms a plan reads of the source and writes to the target. */
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';

/** Nodes of the source whose transforms count, rising. */
export function readNodesOf(plan: RetargetPlan): Int32Array {
  const nodes = new Set<number>(plan.rotation ? plan.pathNodes : []);
  if (plan.hips !== null) for (const node of [plan.hips.sourceNode, ...plan.hips.sourceAncestors]) nodes.add(node);
  for (const { sourceNode } of [...plan.translations, ...plan.scales]) nodes.add(sourceNode);
  return Int32Array.from(nodes).sort();
}

/** Nodes of the target of which the plan sets the translation, rotation and scale, each rising. */
export interface WrittenNodes {
  readonly translation: Int32Array;
  readonly rotation: Int32Array;
  readonly scale: Int32Array;
}

export function writtenNodesOf(plan: RetargetPlan): WrittenNodes {
  const heldOn = (path: string): number[] =>
    plan.constantChannels.filter((held) => held.path === path).map(({ targetNode }) => targetNode);
  const moved = [...(plan.hips === null ? [] : [plan.hips]), ...plan.translations, ...plan.detachedJoints];
  const turned = [...plan.twists, ...plan.detachedJoints.filter(({ rotation }) => rotation !== null)];
  const sorted = (nodes: readonly number[]): Int32Array => Int32Array.from(new Set(nodes)).sort();
  return {
    translation: sorted([...heldOn('translation'), ...moved.map(({ targetNode }) => targetNode)]),
    rotation: sorted([
      ...heldOn('rotation'),
      ...(plan.rotation ? plan.targetNodes : []),
      ...turned.map(({ targetNode }) => targetNode),
    ]),
    scale: sorted([...heldOn('scale'), ...plan.scales.map(({ targetNode }) => targetNode)]),
  };
}

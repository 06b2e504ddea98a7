import { nodesAroundHips } from '../../core/retarget/hips-position.ts';
import type { RetargetPlan } from '../../core/retarget/plan-types.ts';

export function listReadNodes(plan: RetargetPlan): Int32Array {
  const nodes = new Set<number>(plan.rotation ? plan.pathNodes : []);
  if (plan.hips !== null) for (const node of [plan.hips.sourceNode, ...nodesAroundHips(plan.hips)]) nodes.add(node);
  for (const { sourceNode } of [...plan.translations, ...plan.scales]) nodes.add(sourceNode);
  return Int32Array.from(nodes).sort();
}

/** Lists the target nodes that a plan writes, per path, ascending. */
export function listWrittenNodes(plan: RetargetPlan): {
  translation: Int32Array;
  rotation: Int32Array;
  scale: Int32Array;
} {
  const constantNodes = (path: string): number[] =>
    plan.constantChannels.filter((channel) => channel.path === path).map(({ targetNode }) => targetNode);
  const translated = [...(plan.hips === null ? [] : [plan.hips]), ...plan.translations, ...plan.detachedJoints];
  const rotated = [...plan.twists, ...plan.detachedJoints.filter(({ rotation }) => rotation !== null)];
  const sorted = (nodes: readonly number[]): Int32Array => Int32Array.from(new Set(nodes)).sort();
  return {
    translation: sorted([...constantNodes('translation'), ...translated.map(({ targetNode }) => targetNode)]),
    rotation: sorted([
      ...constantNodes('rotation'),
      ...(plan.rotation ? plan.targetNodes : []),
      ...rotated.map(({ targetNode }) => targetNode),
    ]),
    scale: sorted([...constantNodes('scale'), ...plan.scales.map(({ targetNode }) => targetNode)]),
  };
}

/** Morph target weights of a motion that the character has the same targets for. */
import type { MorphTrack } from '../core/asset/asset.ts';
import type { MorphNode } from '../core/face/face-rig.ts';

/** Whether two lists of targets are the same; where one of them has no names, their number decides. */
function haveSameTargets({ targetCount, targetNames }: MorphTrack, node: MorphNode): boolean {
  if (targetCount !== node.weights.length) return false;
  const { targetNames: others } = node;
  return targetNames === undefined || others === null || targetNames.every((name, i) => name === others[i]);
}

/**
 * The tracks for the nodes of the character that have the name and the morph targets of the motion's nodes: as many, and by the same
 * names where both have some. Nodes whose name several have, or none, get nothing.
 */
export function carryMorphs(morphs: readonly MorphTrack[], nodes: readonly MorphNode[]): MorphTrack[] {
  const byName = new Map<string, MorphNode | null>();
  for (const node of nodes) if (node.name !== '') byName.set(node.name, byName.has(node.name) ? null : node);
  const taken = new Set<number>();
  return morphs.flatMap((morph) => {
    const target = byName.get(morph.nodeName);
    if (!target || !haveSameTargets(morph, target) || taken.has(target.node)) return [];
    taken.add(target.node);
    return [{ ...morph, sourceNode: target.node }];
  });
}

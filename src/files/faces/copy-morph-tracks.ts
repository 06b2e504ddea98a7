import type { MorphTrack } from '../../core/asset/asset.ts';
import type { MorphNode } from '../../core/face/face-rig.ts';

/** Compares morph targets by number, and by name where both sides have names. */
function haveSameTargets({ targetCount, targetNames }: MorphTrack, node: MorphNode): boolean {
  if (targetCount !== node.weights.length) return false;
  const { targetNames: others } = node;
  return targetNames === undefined || others === null || targetNames.every((name, i) => name === others[i]);
}

/**
 * Copies morph weights to the nodes of a character that have the same name and the same morph targets. Node names that are empty or not unique match
 * nothing.
 */
export function copyMorphTracks(morphs: readonly MorphTrack[], nodes: readonly MorphNode[]): MorphTrack[] {
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

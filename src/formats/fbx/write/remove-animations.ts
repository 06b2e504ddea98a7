/** Finds the animations of a file and what only they need. */
import type { FbxScene } from '../nodes/fbx-scene.ts';

/** Kinds of objects below an animation stack, from the top, with the kind of object that needs them. */
const CHAIN: readonly (readonly [kind: string, user: string])[] = [
  ['AnimationLayer', 'AnimationStack'],
  ['AnimationCurveNode', 'AnimationLayer'],
  ['AnimationCurve', 'AnimationCurveNode'],
];

/** Returns the ids of all animation stacks, and of the layers, curve nodes and curves that nothing else needs. */
export function animationIds({ objects, parentConnections }: FbxScene): Set<string> {
  const ids = new Set<string>();
  for (const { id, kind } of objects.values()) if (kind === 'AnimationStack') ids.add(id);
  for (const [kind, user] of CHAIN) {
    for (const object of objects.values()) {
      if (object.kind !== kind) continue;
      const users = (parentConnections.get(object.id) ?? []).filter(
        ({ destination }) => objects.get(destination)?.kind === user,
      );
      if (users.length > 0 && users.every(({ destination }) => ids.has(destination))) ids.add(object.id);
    }
  }
  return ids;
}

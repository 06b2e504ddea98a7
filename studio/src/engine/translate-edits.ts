/** Decisions on nodes of the GLB that is shown, as decisions on nodes of the file that it was made from. */
import type { BoneAssignments } from 'anyrig';
import type { OpenFile } from 'anyrig/files';
import type { HumanoidEdits } from './protocol.ts';

/** Finds the node with the same name in another file. */
function nodeMapper(from: OpenFile, to: OpenFile): (node: number) => number {
  const names = new Map<number, string>();
  const nodes = new Map<string, number>();
  for (const { skeleton, sourceNodes } of from.asset.skeletons) {
    skeleton.names.forEach((name, k) => {
      names.set(sourceNodes[k], name);
    });
  }
  for (const { skeleton, sourceNodes } of to.asset.skeletons) {
    skeleton.names.forEach((name, k) => {
      if (!nodes.has(name)) nodes.set(name, sourceNodes[k]);
    });
  }
  return (node) => nodes.get(names.get(node) ?? '') ?? -1;
}

/** Translates decisions from the nodes of one file to those of another by name. */
export function translateEdits(edits: HumanoidEdits, from: OpenFile, to: OpenFile): HumanoidEdits {
  if (from === to || (edits.map === null && edits.pose.kind !== 'edited')) return edits;
  const nodeOf = nodeMapper(from, to);
  const bones = Object.entries(edits.map ?? {}).map(([bone, node]) => {
    return [bone, typeof node === 'number' ? nodeOf(node) : node] as const;
  });
  const { pose } = edits;
  return {
    map: edits.map === null ? null : (Object.fromEntries(bones) as BoneAssignments),
    pose:
      pose.kind === 'edited'
        ? { ...pose, rotations: pose.rotations.map((one) => ({ ...one, node: nodeOf(one.node) })) }
        : pose,
  };
}

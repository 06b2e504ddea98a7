/** Whether the bones of a map hang together as those of a body do. */
import { BONE, BONE_COUNT, presentParent } from '../bones.ts';
import { boneAtOrAbove, bonesOfNodes } from '../node-bones.ts';

/**
 * The bone that these may hang below as well: Biped rigs have thighs below the first spine bone and clavicles below the
 * neck. Retargeting goes by world rotations, so nothing is wrong with that.
 */
const ALSO: Readonly<Record<number, number>> = {
  [BONE.leftUpperLeg]: BONE.spine,
  [BONE.rightUpperLeg]: BONE.spine,
  [BONE.leftShoulder]: BONE.neck,
  [BONE.rightShoulder]: BONE.neck,
  [BONE.leftUpperArm]: BONE.neck,
  [BONE.rightUpperArm]: BONE.neck,
};

/** Whether `above` may be the nearest bone above `bone`, going by the bones that a map has. */
export function mayHangBelow(bone: number, above: number, nodes: ArrayLike<number>): boolean {
  return above === presentParent(bone, nodes) || (above >= 0 && ALSO[bone] === above);
}

/** 1 for every bone of a map whose nearest bone above, in the node tree, is another than in the tree of bones. */
export function hierarchyFaults(parents: Int32Array, nodes: ArrayLike<number>): Uint8Array {
  const faults = new Uint8Array(BONE_COUNT);
  const bones = bonesOfNodes(nodes, parents.length);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    const above = boneAtOrAbove(parents, bones, parents[nodes[bone]]);
    if (!mayHangBelow(bone, above, nodes)) faults[bone] = 1;
  }
  return faults;
}

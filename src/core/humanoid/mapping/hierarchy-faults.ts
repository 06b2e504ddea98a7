import { BONE, BONE_COUNT, presentParent } from '../bones.ts';
import { boneAtOrAbove, mapNodesToBones } from '../node-bones.ts';

/**
 * Ancestors that are accepted beside the parent bone: Biped rigs have the thighs below the first spine bone and the
 * clavicles below the neck. Retargeting uses world rotations, so these hierarchies work.
 */
const ALSO: Readonly<Record<number, number>> = {
  [BONE.leftUpperLeg]: BONE.spine,
  [BONE.rightUpperLeg]: BONE.spine,
  [BONE.leftShoulder]: BONE.neck,
  [BONE.rightShoulder]: BONE.neck,
  [BONE.leftUpperArm]: BONE.neck,
  [BONE.rightUpperArm]: BONE.neck,
};

export function isAllowedAncestor(bone: number, above: number, nodes: ArrayLike<number>): boolean {
  return above === presentParent(bone, nodes) || (above >= 0 && ALSO[bone] === above);
}

/** Finds the bones whose nearest mapped ancestor in the node tree is not their parent in the humanoid hierarchy. */
export function hierarchyFaults(parents: Int32Array, nodes: ArrayLike<number>): Uint8Array {
  const faults = new Uint8Array(BONE_COUNT);
  const bones = mapNodesToBones(nodes, parents.length);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    const above = boneAtOrAbove(parents, bones, parents[nodes[bone]]);
    if (!isAllowedAncestor(bone, above, nodes)) faults[bone] = 1;
  }
  return faults;
}

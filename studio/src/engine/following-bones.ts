/** The bones that follow from those that a person pointed at. It runs in the page: a worker that retargets would answer a click seconds later. */
import { BONES, type BoneAssignments, type Clip, type Skeleton } from 'anyrig';
import { mapFromEnds } from '../../../src/core/humanoid/mapping/by-shape/map-from-ends.ts';
import { helperNames } from '../../../src/core/retarget/helper-names.ts';

/** A skeleton of a file, and what its first clip does. */
export interface Rig {
  readonly skeleton: Skeleton;
  /** Node of the file of each node. */
  readonly sourceNodes: ArrayLike<number>;
  /** Null without a clip that animates it. */
  readonly motion: Clip | null;
}

/** Completes a map with the bones that follow from those known, by nodes of the file. */
export function followingBones({ skeleton, sourceNodes, motion }: Rig, known: BoneAssignments): BoneAssignments {
  const nodes = Int32Array.from(BONES, (bone) => {
    const wanted = known[bone];
    return wanted === undefined || wanted === null ? -1 : Array.prototype.indexOf.call(sourceNodes, Number(wanted));
  });
  const found = mapFromEnds(skeleton, motion, nodes, helperNames(skeleton).isTwist);
  const entries = BONES.flatMap((bone, k) => (found[k] < 0 ? [] : [[bone, sourceNodes[found[k]]] as const]));
  return Object.fromEntries(entries.filter(([, node]) => node >= 0)) as BoneAssignments;
}

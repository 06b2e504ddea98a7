/** The trees of a file, one per ROOT, and the meaning of their position channels. */

import * as vec3 from '../../core/math/vec3.ts';
import { boxDiagonal } from '../../core/skeleton/skeleton-size.ts';
import type { BvhJoint, BvhMotion, BvhTree } from './bvh-tree.ts';
import { positionsAreOffsets } from './position-meaning.ts';

/** A joint keeps its OFFSET within this distance, relative to the size of the skeleton: 0.002 mm on a person. */
const STAYS = 1e-6;

/** One ROOT with its descendants: a contiguous range of the joints of the file. */
export interface RootedTree {
  /** Index of the ROOT in the file. */
  readonly first: number;
  /** The ROOT and its descendants, in file order. */
  readonly joints: readonly BvhJoint[];
}

/** Splits the joints of a file by ROOT. */
export function splitByRoot({ joints }: Pick<BvhTree, 'joints'>): RootedTree[] {
  const firsts: number[] = [];
  for (const [i, { kind }] of joints.entries()) if (kind === 'root') firsts.push(i);
  return firsts.map((first, k) => ({ first, joints: joints.slice(first, firsts[k + 1]) }));
}

/** Whether the position channels of a tree replace the OFFSETs or are added to them. */
export interface PositionMeaning {
  /** Whether positions of the root are added to its OFFSET; otherwise they replace it. */
  readonly rootIsAdded: boolean;
  /** The same for all other joints. */
  readonly othersAreAdded: boolean;
}

/** Finds the meaning of position channels from a motion. */
export function meaningOfPositions(rooted: RootedTree, motion: BvhMotion | null): PositionMeaning {
  if (motion === null) return { rootIsAdded: false, othersAreAdded: false };
  const tolerance = stayTolerance(rooted);
  return {
    rootIsAdded: positionsAreOffsets(rooted.joints.slice(0, 1), motion, tolerance),
    othersAreAdded: positionsAreOffsets(rooted.joints.slice(1), motion, tolerance),
  };
}

/**
 * Computes the distance within which a joint keeps its OFFSET.
 *
 * @returns Distance, unit of the file.
 */
export function stayTolerance(rooted: RootedTree): number {
  return STAYS * sizeOfTree(rooted);
}

/** Computes the size of a tree, as `skeletonSize` does: the diagonal of the box around its joints at rest, unit of the file. */
export function sizeOfTree({ joints, first }: RootedTree): number {
  const positions = new Float64Array(joints.length * 3);
  for (const [node, { parent, offset }] of joints.entries()) {
    if (parent >= 0) vec3.add(positions, 3 * node, positions, 3 * (parent - first), offset, 0);
  }
  return boxDiagonal(positions);
}

/** The trees of a file, one per ROOT, and the meaning of their position channels. */
import * as vec3 from '../../core/math/vec3.ts';
import { boxDiagonal } from '../../core/skeleton/skeleton-size.ts';
import { axisOf, type BvhJoint, type BvhMotion, type BvhTree, isPosition } from './bvh-tree.ts';

/** Axes along which an OFFSET has less than this part of its length are no evidence. */
const EVIDENCE_PART = 0.1;
/** Positions whose mean magnitude is below this part of the OFFSET are offsets from the OFFSET. */
const NEAR_ZERO_PART = 0.05;

/**
 * Decides whether the position channels of joints are added to their OFFSETs. Normally they replace the OFFSET (in Blender, MotionBuilder,
 * mocopi and Rokoko). Some files, for example from MakeHuman, have 0 where the joint is at its OFFSET; read the normal way, all bones would
 * have length 0. The evidence is the motion: numbers near 0 along axes on which the OFFSET is not.
 *
 * @param shortest Shorter OFFSETs are rounding noise and are ignored, unit of the file.
 */
export function positionsAreOffsets(joints: readonly BvhJoint[], motion: BvhMotion, shortest: number): boolean {
  const { values, frameCount } = motion;
  const stride = frameCount === 0 ? 0 : values.length / frameCount;
  let moved = 0;
  let offsets = 0;
  for (const { offset, channels, column } of joints) {
    const length = Math.hypot(offset[0]!, offset[1]!, offset[2]!);
    if (length <= shortest) continue;
    for (const [k, channel] of channels.entries()) {
      const along = Math.abs(offset[axisOf(channel)]!);
      if (!isPosition(channel) || along < length * EVIDENCE_PART) continue;
      for (let at = column + k; at < values.length; at += stride) moved += Math.abs(values[at]!);
      offsets += along * frameCount;
    }
  }
  return offsets > 0 && moved <= offsets * NEAR_ZERO_PART;
}

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

/** The trees of a file, one a ROOT, and what the position channels of each mean. */
import { positionsAreMoves } from './positions.ts';
import type { BvhJoint, BvhMotion, BvhTree } from './tree.ts';

/** Joints keep their OFFSET if they stay this close to it, in parts of the size of the skeleton: 0.002 mm on a person. */
const STAYS = 1e-6;

/** One ROOT and all below it: a run of the joints of the file. */
export interface RootedTree {
  readonly first: number;
  readonly joints: readonly BvhJoint[];
}

export function splitByRoot({ joints }: Pick<BvhTree, 'joints'>): RootedTree[] {
  const firsts: number[] = [];
  for (const [i, { kind }] of joints.entries()) if (kind === 'root') firsts.push(i);
  return firsts.map((first, k) => ({ first, joints: joints.slice(first, firsts[k + 1]) }));
}

/** What the position channels of a tree are added to. */
export interface PositionMeaning {
  /** Whether those of the root are moves away from its OFFSET; else they take its place. */
  readonly rootMoves: boolean;
  /** The same for all joints below. */
  readonly othersMove: boolean;
}

/** What position channels mean, told by a motion; without frames they take the place of the OFFSETs. */
export function meaningOfPositions(rooted: RootedTree, motion: BvhMotion | null): PositionMeaning {
  if (motion === null) return { rootMoves: false, othersMove: false };
  const tolerance = stayTolerance(rooted);
  return {
    rootMoves: positionsAreMoves(rooted.joints.slice(0, 1), motion, tolerance),
    othersMove: positionsAreMoves(rooted.joints.slice(1), motion, tolerance),
  };
}

/** How far a joint may be off its OFFSET and still keep it, units of the file. */
export function stayTolerance(rooted: RootedTree): number {
  return STAYS * sizeOf(rooted);
}

/** Diagonal of the box around the rest pose. */
export function sizeOf({ joints, first }: RootedTree): number {
  const positions = new Float64Array(joints.length * 3);
  const low = [0, 0, 0];
  const high = [0, 0, 0];
  for (const [node, { parent, offset }] of joints.entries()) {
    if (parent < 0) continue;
    for (let axis = 0; axis < 3; axis++) {
      const position = positions[(parent - first) * 3 + axis]! + offset[axis]!;
      positions[node * 3 + axis] = position;
      low[axis] = Math.min(low[axis]!, position);
      high[axis] = Math.max(high[axis]!, position);
    }
  }
  return Math.hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!);
}

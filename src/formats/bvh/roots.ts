import * as vec3 from '../../core/math/vec3.ts';
import { boxDiagonal } from '../../core/skeleton/skeleton-size.ts';
import { axisOf, type BvhJoint, type BvhMotion, type BvhTree, isPosition } from './bvh-tree.ts';

/** Axes along which an OFFSET has less than this part of its length are no evidence. */
const EVIDENCE_PART = 0.1;
/** Positions whose mean magnitude is below this part of the OFFSET are offsets from the OFFSET. */
const NEAR_ZERO_PART = 0.05;

/**
 * Decides whether the position channels of joints are added to their OFFSETs. Normally they replace the OFFSET (in Blender, MotionBuilder, mocopi
 * and Rokoko). Some files, for example from MakeHuman, have 0 where the joint is at its OFFSET; read the normal way, all bones would have length 0.
 * The evidence is the motion: numbers near 0 along axes on which the OFFSET is not. `shortest`: shorter OFFSETs are rounding noise and are ignored,
 * unit of the file.
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
  readonly first: number;
  /** The ROOT and its descendants, in file order. */
  readonly joints: readonly BvhJoint[];
}

export function splitByRoot({ joints }: Pick<BvhTree, 'joints'>): RootedTree[] {
  const firsts: number[] = [];
  for (const [i, { kind }] of joints.entries()) if (kind === 'root') firsts.push(i);
  return firsts.map((first, k) => ({ first, joints: joints.slice(first, firsts[k + 1]) }));
}

/** What position channels are: instead of the OFFSET, added to it, or in the space of the file. */
export type PositionKind = 'replaced' | 'added' | 'world';

/** What the position channels of a tree are. */
export interface PositionMeaning {
  /** Of the root, for which the first and the last kind are the same. */
  readonly root: 'replaced' | 'added';
  /** Of all other joints. */
  readonly others: PositionKind;
}

const EVIDENCE_FRAMES = 32;
/** Deviation of the length of bones from that of their OFFSETs, relative to it, up to which positions in the space of the file keep the skeleton together: what bodies and markers move. */
const TOGETHER = 0.35;
/** The same of positions in the space of the parent, from which on they tear the skeleton apart. */
const APART = 1;

export function hasPosition({ channels }: BvhJoint): boolean {
  return new Set(channels.filter(isPosition)).size === 3;
}

/** Returns the position channels of a joint that has all three, in a frame. */
function positionIn({ channels, column }: BvhJoint, { values }: BvhMotion, row: number): readonly number[] {
  const out = [0, 0, 0];
  for (const [k, channel] of channels.entries())
    if (isPosition(channel)) out[axisOf(channel)] = values[row + column + k]!;
  return out;
}

/**
 * Decides whether position channels are in the space of the file, as programs of motion capture write them for segments that are tracked apart. The evidence is the length of
 * bones between joints with positions: about that of the OFFSET from joint to joint, and far longer from the origin.
 */
function positionsAreWorld({ first, joints }: RootedTree, motion: BvhMotion, shortest: number): boolean {
  const stride = motion.values.length / Math.max(1, motion.frameCount);
  const step = Math.max(1, Math.floor(motion.frameCount / EVIDENCE_FRAMES));
  let [length, together, apart] = [0, 0, 0];
  for (const joint of joints) {
    const parent = joints[joint.parent - first];
    if (parent === undefined || !hasPosition(joint) || !hasPosition(parent)) continue;
    const bone = vec3.length(joint.offset, 0);
    if (!(bone > shortest)) continue;
    for (let frame = 0; frame < motion.frameCount; frame += step) {
      const [own, above] = [joint, parent].map((one) => positionIn(one, motion, frame * stride));
      length += bone;
      together += Math.abs(vec3.distance(own!, 0, above!, 0) - bone);
      apart += Math.abs(vec3.length(own!, 0) - bone);
    }
  }
  return length > 0 && together < TOGETHER * length && apart > APART * length;
}

/** Finds the meaning of position channels from a motion. */
export function meaningOfPositions(rooted: RootedTree, motion: BvhMotion | null): PositionMeaning {
  if (motion === null) return { root: 'replaced', others: 'replaced' };
  const tolerance = stayTolerance(rooted);
  const kindOf = (joints: readonly BvhJoint[]): 'replaced' | 'added' =>
    positionsAreOffsets(joints, motion, tolerance) ? 'added' : 'replaced';
  const others = positionsAreWorld(rooted, motion, tolerance) ? 'world' : kindOf(rooted.joints.slice(1));
  return { root: kindOf(rooted.joints.slice(0, 1)), others };
}

/** Computes the distance within which a joint keeps its OFFSET. Returns distance, unit of the file. */
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

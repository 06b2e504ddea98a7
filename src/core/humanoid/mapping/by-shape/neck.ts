import { cosine, dot, minus } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/** Position of the shoulders and size of the trunk: the reference for measuring a head. */
export interface Shoulders {
  /** Midpoint of the shoulder joints, model space. */
  readonly middle: Vec3;
  /** Unit direction from the hip joints to the shoulders. */
  readonly up: Vec3;
  /** Unit direction along the line of the shoulders. */
  readonly side: Vec3;
  /** Distance from the hip joints to the shoulder joints, units of the file. */
  readonly trunk: number;
}

/**
 * Score of a head with as many joints after it as after the foot (a rig without toes), and with another number. Rigs
 * have end joints everywhere or nowhere.
 */
const ENDS_OF_FOOT = 0.6;
const OTHER_ENDS = 0.15;
/**
 * Factors for a joint with one child from which more joints follow: in the direction of the neck, the child is more
 * likely the head; in another direction it is hair or a hat.
 */
const GOES_ON = 0.5;
const BENT_OFF = 0.8;
/**
 * The same for a joint after which the neck does not go on in even segments, and for one that the motion rotates while it
 * never rotates the child.
 */
const GOES_ON_UNEVENLY = 0.7;
/** A chain turns where the cosine of its angle is below this. */
const STRAIGHT_ON = 0.85;
/** Maximum number of end joints after a head. */
const MAX_ENDS = 2;
/**
 * Factors for each neck joint after the first: where it divides the neck evenly, and elsewhere, where it is more likely
 * the head. Even segments differ in length by at most this fraction.
 */
const EVEN_NECK = 0.95;
const UNEVEN_NECK = 0.5;
const EVEN = 0.18;
/**
 * Factors for a joint after a branch: of what branches off, a pair (eyes, ears, hair) shows that the branch is the head;
 * single chains may be a collar.
 */
const AFTER_PAIR = 0.1;
const AFTER_CHAINS = 0.35;
const AFTER_CHAIN = 0.6;
/** Maximum distance of coincident joints, in trunk lengths. */
const COINCIDENT = 0.005;
/** A joint within this distance of the middle plane is not one of a pair, in trunk lengths. */
const PAIR_ASIDE = 0.01;

/**
 * A single child is a jaw when the cosine between its direction and up is below this, it is within this fraction of
 * the trunk length, and it has at most this many joints.
 */
const AHEAD = 0.75;
const JAW = 0.2;
const JAW_JOINTS = 2;

/** Returns the sideways offset of a node from its parent, in trunk lengths. */
function sideOffset(rig: PosedRig, node: number, { side, trunk }: Shoulders): number {
  return dot(minus(positionOf(rig, node), positionOf(rig, rig.tree.parents[node])), side) / trunk;
}

/** Tests whether a small chain leaves its parent to the front. */
export function isJaw(rig: PosedRig, node: number, { up, trunk }: Shoulders): boolean {
  if (rig.lengths[node] > JAW * trunk || rig.sizes[node] > JAW_JOINTS) return false;
  return cosine(minus(positionOf(rig, node), positionOf(rig, rig.tree.parents[node])), up) < AHEAD;
}

/** Tests whether two sideways offsets mirror each other, as those of eyes do. */
function isMirrorPair(a: number, b: number): boolean {
  return Math.abs(a) > PAIR_ASIDE && Math.abs(a + b) < Math.abs(a) / 4;
}

/** Tests whether a joint has a sibling on the other side of the middle. */
export function isPaired(rig: PosedRig, node: number, shoulders: Shoulders): boolean {
  const aside = sideOffset(rig, node, shoulders);
  if (Math.abs(aside) <= PAIR_ASIDE) return false;
  return rig.joints[rig.tree.parents[node]].some((other) => isMirrorPair(aside, sideOffset(rig, other, shoulders)));
}

/** Scores what else branches off from a joint before the head. */
export function branchFit(rig: PosedRig, from: number, next: number, shoulders: Shoulders): number {
  // A rigid mesh may be a joint at the same position.
  const others = rig.joints[from].filter(
    (node) => node !== next && (rig.sizes[node] > 1 || rig.lengths[node] > COINCIDENT * shoulders.trunk),
  );
  if (others.length === 0) return 1;
  if (others.some((node) => isPaired(rig, node, shoulders))) return AFTER_PAIR;
  return others.length > 1 ? AFTER_CHAINS : AFTER_CHAIN;
}

/** Returns the cosine of the angle between the segments before and after a joint. */
function straightness(rig: PosedRig, node: number, next: number): number {
  const here = positionOf(rig, node);
  return cosine(minus(here, positionOf(rig, rig.tree.parents[node])), minus(positionOf(rig, next), here));
}

/** Tests whether the segments before and after a joint are equally long and in the same direction. */
function isEven(rig: PosedRig, node: number, next: number): boolean {
  return (
    Math.abs(Math.log(rig.lengths[next] / rig.lengths[node])) < EVEN && straightness(rig, node, next) > STRAIGHT_ON
  );
}

/** Tests whether the motion rotates the parent of a joint, but never the joint. */
export function isStill(rig: PosedRig, node: number): boolean {
  const { rotated, tree } = rig;
  return rotated !== null && rotated[node] === 0 && rotated[tree.parents[node]] === 1;
}

/** Scores one child of a head, from which more joints follow; `isFirst` for the first joint of the neck. */
function onlyChildFit(rig: PosedRig, head: number, child: number, isFirst: boolean): number {
  if (isStill(rig, child)) return 1;
  if (straightness(rig, head, child) <= STRAIGHT_ON) return BENT_OFF;
  return isFirst || isEven(rig, head, child) ? GOES_ON : GOES_ON_UNEVENLY;
}

/** Scores the joints after a head. */
export function endsFit(
  rig: PosedRig,
  head: number,
  isFirst: boolean,
  ends: readonly [least: number, most: number],
  shoulders: Shoulders,
): number {
  if (rig.joints[head].length > 1) return 1;
  let behind = 0;
  let node = head;
  for (; rig.joints[node].length === 1 && behind <= MAX_ENDS; behind++) [node] = rig.joints[node];
  if (behind > MAX_ENDS || rig.joints[node].length > 0) return onlyChildFit(rig, head, rig.joints[head][0], isFirst);
  // A joint with an end marker is not an end joint.
  if (rig.ends[node].length > 0) return behind === 0 ? 1 : OTHER_ENDS;
  if (behind === 1 && isJaw(rig, node, shoulders)) return 1;
  const [least, most] = ends;
  if (behind >= least && behind <= most) return 1;
  return behind === most + 1 ? ENDS_OF_FOOT : OTHER_ENDS;
}

/** Scores the joints between the first neck joint and the head. */
export function neckFit(rig: PosedRig, neck: readonly number[], head: number): number {
  let fit = 1;
  for (const [k, node] of neck.entries()) {
    if (k > 0) fit *= isEven(rig, node, neck[k + 1] ?? head) ? EVEN_NECK : UNEVEN_NECK;
  }
  return fit;
}

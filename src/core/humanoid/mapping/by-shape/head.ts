/** Finds neck and head by shape: the chain that leads upwards between the arms. */

import { clamp01, cosine, dot, gaussian, minus, norm, perpendicular, type Vec } from '../vectors.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/** Position of the shoulders and size of the trunk: the reference for measuring a head. */
export interface Shoulders {
  /** Midpoint of the shoulder joints, model space. */
  readonly middle: Vec;
  /** Unit direction from the hip joints to the shoulders. */
  readonly up: Vec;
  /** Unit direction along the line of the shoulders. */
  readonly side: Vec;
  /** Distance from the hip joints to the shoulder joints, units of the file. */
  readonly trunk: number;
}

/** Neck and head of one interpretation. */
export interface HeadFit {
  /** Nodes between the spine and the neck. */
  readonly below: readonly number[];
  /** Node of the neck; −1 where the head is a child of the trunk. */
  readonly neck: number;
  /** Node of the head. */
  readonly head: number;
  /** How well it fits, 0…1. */
  readonly score: number;
}

/** Expected height of the head joint above the shoulders, in trunk lengths: 0.2 to 0.4 for adults, 0.7 for a robot. */
const HEAD_HEIGHT = 0.3;
/** Standard deviation of the logarithm of that height. */
const HEAD_WIDTH = 0.8;
/** Minimum height of a head above the shoulders, in trunk lengths. */
const LOWEST_HEAD = 0.04;
/** A joint of the chain that is lower than this, relative to the shoulders, belongs to the spine. */
const LOWEST_NECK = -0.15;
/**
 * Standard deviation of the distance of heads from the trunk axis, in trunk lengths; a bent neck reaches twice that.
 */
const HEAD_OFF = 0.3;
/**
 * Score of a head with as many joints after it as after the foot (a rig without toes), and with another number. Rigs
 * have end joints everywhere or nowhere.
 */
const ENDS_OF_FOOT = 0.6;
const OTHER_ENDS = 0.15;
/** Maximum number of end joints after a head. */
const MAX_ENDS = 2;
/** Maximum number of joints from the trunk to the head. */
const LONGEST = 12;
/** Factor for a head without a neck. */
const NO_NECK = 0.95;

/** Returns the height of a node above the shoulders, in trunk lengths. */
function height(rig: PosedRig, node: number, { middle, up, trunk }: Shoulders): number {
  return dot(minus(positionOf(rig, node), middle), up) / trunk;
}

/** Returns the distance of a node from the trunk axis, in trunk lengths. */
function distanceFromAxis(rig: PosedRig, node: number, { middle, up, trunk }: Shoulders): number {
  return norm(perpendicular(minus(positionOf(rig, node), middle), up)) / trunk;
}

/** A branching neck continues with a child above this height, in trunk lengths: heads are higher. */
const MAX_NECK_HEIGHT = 0.15;

/** A child further to the side than this is an eye or an ear, in trunk lengths. */
const ASIDE = 0.1;
/** A child within this distance is in the middle, in trunk lengths. */
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
function isJaw(rig: PosedRig, node: number, { up, trunk }: Shoulders): boolean {
  if (rig.lengths[node] > JAW * trunk || rig.sizes[node] > JAW_JOINTS) return false;
  return cosine(minus(positionOf(rig, node), positionOf(rig, rig.tree.parents[node])), up) < AHEAD;
}

/** Tests whether two sideways offsets mirror each other, as those of eyes do. */
function isMirrorPair(a: number, b: number): boolean {
  return Math.abs(a) > PAIR_ASIDE && Math.abs(a + b) < Math.abs(a) / 4;
}

/**
 * Finds the next joint of a neck: the only child, or the one that leads upwards and has a face or is as high as a
 * head.
 */
function nextNeckJoint(rig: PosedRig, node: number, shoulders: Shoulders): number {
  const below = rig.joints[node];
  if (below.length === 0) return -1;
  if (below.length === 1) {
    return isJaw(rig, below[0], shoulders) ? -1 : below[0];
  }
  const here = height(rig, node, shoulders);
  let next = -1;
  for (const child of below) {
    const there = height(rig, child, shoulders);
    const aside = sideOffset(rig, child, shoulders);
    const isPaired = below.some((other) => isMirrorPair(aside, sideOffset(rig, other, shoulders)));
    if (there < here + LOWEST_HEAD || Math.abs(aside) > ASIDE || isPaired || isJaw(rig, child, shoulders)) continue;
    const isHead = rig.joints[child].length > 1 || (here < MAX_NECK_HEIGHT && there > MAX_NECK_HEIGHT);
    if (isHead && (next < 0 || rig.sizes[child] > rig.sizes[next])) next = child;
  }
  return next;
}

/**
 * Finds the head on the chain that starts with `first`; null when the chain does not reach the height of heads.
 * `ends` is the number of end joints of the legs.
 */
function headOnChain(rig: PosedRig, first: number, shoulders: Shoulders, ends: number): HeadFit | null {
  const chain = [first];
  for (let node = nextNeckJoint(rig, first, shoulders); node >= 0 && chain.length < LONGEST; ) {
    chain.push(node);
    node = nextNeckJoint(rig, node, shoulders);
  }
  const last = chain[chain.length - 1];
  // A joint with children or an end marker is not an end joint.
  const isLeaf = rig.joints[last].length === 0 && rig.ends[last].length === 0;
  let best: HeadFit | null = null;
  for (let behind = 0; behind <= Math.min(isLeaf ? MAX_ENDS : 0, chain.length - 1); behind++) {
    const at = chain.length - 1 - behind;
    const head = chain[at];
    const up = height(rig, head, shoulders);
    if (up < LOWEST_HEAD) continue;
    const rough =
      gaussian(Math.log(up / HEAD_HEIGHT), HEAD_WIDTH) * gaussian(distanceFromAxis(rig, head, shoulders), HEAD_OFF);
    const before = chain.slice(0, at);
    const start = before.findIndex((node) => height(rig, node, shoulders) > LOWEST_NECK);
    const neck = start < 0 ? -1 : before[start];
    const score = rough * (isLeaf ? endsFit(behind, ends) : 1) * (neck < 0 ? NO_NECK : 1);
    if (best !== null && score <= best.score) continue;
    best = { below: start < 0 ? [] : before.slice(0, start), neck, head, score };
  }
  return best;
}

/** Scores the number of joints after a head, with `ends` joints after the toes. */
function endsFit(behind: number, ends: number): number {
  if (behind === ends) return 1;
  return behind === ends + 1 ? ENDS_OF_FOOT : OTHER_ENDS;
}

/**
 * Finds the best head among the chains that branch off from the trunk.
 *
 * @param rig The posed rig.
 * @param trunk Nodes of the trunk that a neck may branch off from.
 * @param never Tests whether a node already belongs to the trunk or to a limb.
 * @param shoulders The shoulders.
 * @param ends Number of end joints of the legs.
 * @returns The best head; null without one.
 */
export function findHead(
  rig: PosedRig,
  trunk: readonly number[],
  never: (node: number) => boolean,
  shoulders: Shoulders,
  ends: number,
): HeadFit | null {
  let best: HeadFit | null = null;
  for (const from of trunk) {
    for (const first of rig.joints[from]) {
      if (never(first)) continue;
      const found = headOnChain(rig, first, shoulders, ends);
      if (found !== null && (best === null || found.score > best.score)) best = found;
    }
  }
  return best;
}

/** A trunk that ends this high above the shoulders ends in the neck if there is no other neck, in trunk lengths. */
const NECK_HEIGHT = 0.1;

/**
 * Tests whether the node that the arms branch off from is the neck: it is above them, and the head follows directly
 * (Biped).
 *
 * @param rig The posed rig.
 * @param top Node that the arms branch off from.
 * @param head The head that was found.
 * @param shoulders The shoulders.
 * @returns True for a neck.
 */
export function isNeckBetweenArms(rig: PosedRig, top: number, { neck }: HeadFit, shoulders: Shoulders): boolean {
  return neck < 0 && clamp01(height(rig, top, shoulders)) > NECK_HEIGHT;
}

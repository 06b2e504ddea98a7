/** Scores how human an interpretation is: its proportions, its posture, and the other chains of the rig. */

import { isInSubtree } from '../node-tree.ts';
import { clamp01, cosine, distance, dot, gaussian, midpoint, minus, unit, type Vec } from '../vectors.ts';
import { endsOfLegs, jointMidpoint, type UnscoredFit } from './humanoid-fit.ts';
import type { LimbFit } from './limb-joints.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/**
 * Expected ratios of trunk and arms to legs, and the standard deviations of their logarithms. Adults have 0.65 and
 * 0.7, toys 1.6 and 1.3.
 */
const TRUNK_BY_LEGS = 0.65;
const TRUNK_WIDTH = 0.9;
const ARMS_BY_LEGS = 0.7;
const ARMS_WIDTH = 0.9;
/**
 * Two further chains on the trunk that are at least as long as this fraction of arms or legs (tails, skirts, wings)
 * multiply the score by the cost.
 */
const OTHER_LIMB = 0.6;
const OTHER_LIMB_COST = 0.6;
/** Factor for a humanoid whose arms and legs branch off from the same node. */
const NO_SPINE = 0.4;
/** Factor for different numbers of end joints after the hands and after the toes. */
const OTHER_ENDS = 0.8;

/**
 * Compares the joints after hands and toes: rigs have end joints everywhere or nowhere. Hands with fingers are
 * ignored.
 */
function endsFit(legFit: LimbFit, armFit: LimbFit): number {
  const behind = armFit.pair.sides[0].length - 1 - armFit.end;
  const isKnown = behind < 2 && legFit.end < legFit.pair.sides[0].length;
  const ends = endsOfLegs(legFit);
  // The toes may be an end joint of the foot.
  return isKnown && behind !== ends && behind !== ends + 1 ? OTHER_ENDS : 1;
}

/** Returns the depth of the lowest joint below the hips. */
function depthOf(rig: PosedRig, hips: number, from: Vec, up: Vec): number {
  const { starts, ends } = rig.tree;
  let deepest = 0;
  for (let node = 0; node < rig.usable.length; node++) {
    if (rig.usable[node] === 0 || starts[node] < starts[hips] || starts[node] >= ends[hips]) continue;
    deepest = Math.max(deepest, -dot(minus(positionOf(rig, node), from), up));
  }
  return deepest;
}

/** Cosine between trunk and legs; humans stay well above it in standing and sitting poses. */
const ACROSS = 0.65;
/** Hands within this height of the soles are on the ground as well, in leg lengths. */
const LEVEL = 0.4;
/** Bounds of the length of fore legs, in lengths of hind legs. */
const FORE_LEGS: readonly [number, number] = [0.6, 1.6];
/** Factor for a quadruped. */
const QUADRUPED_COST = 0.1;

/** Joints of both legs that are further apart than this are not in the middle of the humanoid, in leg lengths. */
const APART = 0.1;

/** Returns the midpoint of the first joints of a pair that are apart: where the legs leave the trunk. */
function topOf(rig: PosedRig, { pair, upper, lower }: LimbFit): Vec {
  const [a, b] = pair.sides;
  const k = a.findIndex(
    (node, at) => distance(positionOf(rig, node), positionOf(rig, b[at])) > APART * (upper + lower),
  );
  return midpoint(positionOf(rig, a[Math.max(0, k)]), positionOf(rig, b[Math.max(0, k)]));
}

/** Returns the midpoint of the two ends of a pair: on each side the joint that is furthest along a direction. */
function endAlong(rig: PosedRig, { pair, sides }: LimbFit, along: Vec): Vec {
  const furthest = [0, 1].map((side) =>
    [...pair.sides[side], sides[side][2]].reduce((best, node) =>
      dot(positionOf(rig, node), along) > dot(positionOf(rig, best), along) ? node : best,
    ),
  );
  return midpoint(positionOf(rig, furthest[0]), positionOf(rig, furthest[1]));
}

/**
 * Tests whether the arms reach down along the legs to the ground, and the trunk is across both.
 *
 * @param fit The interpretation of the rig.
 * @returns True for a quadruped.
 */
export function hasQuadrupedStance({ rig, legs, arms, legFit, armFit }: UnscoredFit): boolean {
  const hip = topOf(rig, legFit);
  const shoulder = jointMidpoint(rig, arms, 0);
  const sole = endAlong(rig, legFit, minus(jointMidpoint(rig, legs, 2), hip));
  const down = unit(minus(sole, hip));
  const length = dot(minus(sole, hip), down);
  const reach = dot(minus(endAlong(rig, armFit, down), shoulder), down) / length;
  const above = dot(minus(sole, endAlong(rig, armFit, down)), down) / length;
  if (!(Math.abs(cosine(minus(shoulder, hip), down)) < ACROSS)) return false;
  return Math.abs(above) < LEVEL && reach > FORE_LEGS[0] && reach < FORE_LEGS[1];
}

/**
 * Scores an interpretation: the product of all terms, 0…1 each.
 *
 * @param fit The interpretation of the rig.
 * @param sideCosine Cosine between the lines of the hips and of the shoulders.
 * @param isQuadruped Whether the fit is a quadruped.
 * @returns 0…1
 */
export function scoreHumanoid(fit: UnscoredFit, sideCosine: number, isQuadruped: boolean): number {
  const { rig, legs, legFit, armFit, hips, spine, head, up, side, trunk } = fit;
  const legLength = legFit.upper + legFit.lower;
  const armLength = armFit.upper + armFit.lower;
  const hipMiddle = jointMidpoint(rig, legs, 0);
  const down = minus(jointMidpoint(rig, legs, 2), hipMiddle);
  const deepest = depthOf(rig, hips, hipMiddle, up);
  const soles = legFit.pair.sides.flat().map((node) => -dot(minus(positionOf(rig, node), hipMiddle), up));
  const reached = deepest > 0 ? clamp01(Math.max(...soles, -dot(down, up)) / deepest) : 0;
  const terms = [
    legFit.score,
    armFit.score,
    head.score,
    gaussian(Math.log(trunk / legLength / TRUNK_BY_LEGS), TRUNK_WIDTH),
    gaussian(Math.log(armFit.whole / legFit.whole / ARMS_BY_LEGS), ARMS_WIDTH),
    endsFit(legFit, armFit),
    // Legs point away from the arms: straight down when standing, 45° off on a chair (1 up to 60° off, 0 at 110°).
    clamp01((0.35 - cosine(down, up)) / 0.85),
    // The feet are the lowest joints below the hips, unless a skirt or a tail is lower.
    0.3 + 0.7 * reached,
    // The lines of hips and shoulders are parallel unless the trunk is twisted, and perpendicular to the trunk unless
    // it leans sideways.
    0.4 + 0.6 * Math.abs(sideCosine),
    1 - 0.8 * dot(side, up) ** 2,
  ];
  const product = terms.reduce(
    (all, term) => all * term,
    (spine.length === 0 ? NO_SPINE : 1) * (isQuadruped ? QUADRUPED_COST : 1),
  );
  return product * OTHER_LIMB_COST ** (countOtherLimbs(fit, OTHER_LIMB * Math.min(legLength, armLength)) / 2);
}

/** Counts the chains on the trunk that are as long as limbs and belong neither to a limb nor to the head. */
function countOtherLimbs({ rig, legFit, armFit, spine, hips, head, path }: UnscoredFit, least: number): number {
  const own = new Set([
    ...path,
    ...spine,
    head.neck,
    head.head,
    ...legFit.pair.sides.flat(),
    ...armFit.pair.sides.flat(),
  ]);
  let count = 0;
  for (const from of [hips, ...path]) {
    for (const first of rig.joints[from]) {
      const isOwn = own.has(first) || isInSubtree(rig.tree, legFit.pair.parent, first);
      if (!isOwn && rig.reach[first] >= least) count++;
    }
  }
  return count;
}

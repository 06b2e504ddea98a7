/** How much a reading of a rig as a body is like a human: its proportions, its posture, and what else hangs on it. */
import type { Draft, Joints } from './body-fit.ts';
import { type BodyTree, place } from './body-tree.ts';
import type { LimbFit } from './limb-joints.ts';
import { isWithin } from './node-tree.ts';
import { clamp01, cosine, distance, dot, fits, middle, minus, unit, type Vec } from './points.ts';

/** Logarithms of the trunk and the arms by the legs: adults are at 0.65 and 0.7, toys at 1.6 and 1.3. */
const TRUNK_BY_LEGS = 0.65;
const TRUNK_WIDTH = 0.9;
const ARMS_BY_LEGS = 0.7;
const ARMS_WIDTH = 0.9;
/** Two more chains on the trunk, at least as long as this share of arms or legs, make it less of a human: tails, skirts, wings. */
const OTHER_LIMB = 0.6;
const OTHER_LIMB_COST = 0.6;
/** What a body is worth whose arms and legs leave one node. */
const NO_SPINE = 0.4;
/** What a body is worth that has other joints behind its hands than behind its toes. */
const OTHER_ENDS = 0.8;

/** The middle of a joint of both sides. */
export const mid = (body: BodyTree, [a, b]: readonly [Joints, Joints], joint: 0 | 1 | 2): Vec =>
  middle(place(body, a[joint]), place(body, b[joint]));

/** How many joints come behind the toes. */
export function endsOfLegs({ pair, end }: LimbFit): number {
  return Math.max(0, pair.sides[0].length - 2 - end);
}

/** Joints behind hands and behind toes are the same: rigs have end joints everywhere or nowhere. Hands with fingers say nothing. */
function endsFit(legFit: LimbFit, armFit: LimbFit): number {
  const behind = armFit.pair.sides[0].length - 1 - armFit.end;
  const isKnown = behind < 2 && legFit.end < legFit.pair.sides[0].length;
  const ends = endsOfLegs(legFit);
  // What counts as toes may be an end joint of the foot.
  return isKnown && behind !== ends && behind !== ends + 1 ? OTHER_ENDS : 1;
}

/** How deep the lowest joint below the hips lies, downwards. */
function depthOf(body: BodyTree, hips: number, from: Vec, up: Vec): number {
  const { starts, ends } = body.tree;
  let deepest = 0;
  for (let node = 0; node < body.usable.length; node++) {
    if (body.usable[node] === 0 || starts[node] < starts[hips] || starts[node] >= ends[hips]) continue;
    deepest = Math.max(deepest, -dot(minus(place(body, node), from), up));
  }
  return deepest;
}

/** Cosine between trunk and legs, of which people stay well above while they stand, sit or hang. */
const ACROSS = 0.65;
/** Hands that are no further above the soles than this, by the length of the legs, stand on the ground as well. */
const LEVEL = 0.4;
/** Fore legs are as long as hind legs, within these bounds. */
const FORE_LEGS: readonly [number, number] = [0.6, 1.6];
/** What a body that stands on four legs is worth as a human. */
const ON_FOUR_COST = 0.1;

/** Joints of both legs that are further apart than this, by the length of the leg, are not in the middle of the body. */
const APART = 0.1;

/** The first joints of the chains of a pair that are apart: where legs leave the trunk. */
function topOf(body: BodyTree, { pair, upper, lower }: LimbFit): Vec {
  const [a, b] = pair.sides;
  const k = a.findIndex((node, at) => distance(place(body, node), place(body, b[at])) > APART * (upper + lower));
  return middle(place(body, a[Math.max(0, k)]), place(body, b[Math.max(0, k)]));
}

/** The middle of the two ends of a pair, as far along a direction as any joints of it. */
function endAlong(body: BodyTree, { pair, sides }: LimbFit, along: Vec): Vec {
  const furthest = [0, 1].map((side) =>
    [...pair.sides[side], sides[side][2]].reduce((best, node) =>
      dot(place(body, node), along) > dot(place(body, best), along) ? node : best,
    ),
  );
  return middle(place(body, furthest[0]), place(body, furthest[1]));
}

/** Whether arms reach down along the legs to where these stand, and the trunk lies across. */
export function standsOnFour({ body, legs, arms, legFit, armFit }: Draft): boolean {
  const hip = topOf(body, legFit);
  const shoulder = mid(body, arms, 0);
  const sole = endAlong(body, legFit, minus(mid(body, legs, 2), hip));
  const down = unit(minus(sole, hip));
  const length = dot(minus(sole, hip), down);
  const reach = dot(minus(endAlong(body, armFit, down), shoulder), down) / length;
  const above = dot(minus(sole, endAlong(body, armFit, down)), down) / length;
  if (!(Math.abs(cosine(minus(shoulder, hip), down)) < ACROSS)) return false;
  return Math.abs(above) < LEVEL && reach > FORE_LEGS[0] && reach < FORE_LEGS[1];
}

/** 0…1: the product of what speaks for a human, each term 0…1. `sideCosine` is that between the lines of hips and shoulders. */
export function scoreBody(fit: Draft, sideCosine: number, onFour: boolean): number {
  const { body, legs, legFit, armFit, hips, spine, head, up, side, trunk } = fit;
  const legLength = legFit.upper + legFit.lower;
  const armLength = armFit.upper + armFit.lower;
  const hipMiddle = mid(body, legs, 0);
  const down = minus(mid(body, legs, 2), hipMiddle);
  const deepest = depthOf(body, hips, hipMiddle, up);
  const soles = legFit.pair.sides.flat().map((node) => -dot(minus(place(body, node), hipMiddle), up));
  const reached = deepest > 0 ? clamp01(Math.max(...soles, -dot(down, up)) / deepest) : 0;
  const terms = [
    legFit.score,
    armFit.score,
    head.score,
    fits(Math.log(trunk / legLength / TRUNK_BY_LEGS), TRUNK_WIDTH),
    fits(Math.log(armFit.whole / legFit.whole / ARMS_BY_LEGS), ARMS_WIDTH),
    endsFit(legFit, armFit),
    // Legs go away from the arms: straight down when standing, 45° off on a chair (1 up to 60° off, nothing at 110°).
    clamp01((0.35 - cosine(down, up)) / 0.85),
    // Nothing below the hips is lower than the feet, unless a skirt or a tail is.
    0.3 + 0.7 * reached,
    // The lines of hips and shoulders run the same way, unless the body is twisted, and across the trunk, unless it leans sideways.
    0.4 + 0.6 * Math.abs(sideCosine),
    1 - 0.8 * dot(side, up) ** 2,
  ];
  const product = terms.reduce(
    (all, term) => all * term,
    (spine.length === 0 ? NO_SPINE : 1) * (onFour ? ON_FOUR_COST : 1),
  );
  return product * OTHER_LIMB_COST ** (otherLimbs(fit, OTHER_LIMB * Math.min(legLength, armLength)) / 2);
}

/** How many chains on the trunk are as long as limbs and are none of the body's, nor its head. */
function otherLimbs({ body, legFit, armFit, spine, hips, head, path }: Draft, least: number): number {
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
    for (const first of body.joints[from]) {
      const isOwn = own.has(first) || isWithin(body.tree, legFit.pair.parent, first);
      if (!isOwn && body.reach[first] >= least) count++;
    }
  }
  return count;
}

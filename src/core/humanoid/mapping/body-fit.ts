/**
 * Reads two pairs of limbs as the legs and the arms of one body: hips where both meet, the spine between, the head above,
 * and how well all that fits the shape of people.
 */
import { findHead, type HeadFit, isNeckOfArms, type Shoulders } from './body-head.ts';
import { type BodyTree, place } from './body-tree.ts';
import type { LimbFit } from './limb-joints.ts';
import type { LimbPair } from './limb-pairs.ts';
import { isWithin, lowestAbove } from './node-tree.ts';
import { clamp01, cosine, distance, dot, fits, middle, minus, norm, plus, times, unit, type Vec } from './points.ts';

type Joints = readonly [number, number, number];

/** One reading of a rig as a body. */
export interface BodyFit {
  readonly body: BodyTree;
  /** Thigh, shin, foot of both sides; the first is on the side that `side` points to. */
  readonly legs: readonly [Joints, Joints];
  /** Upper arm, fore-arm, hand of both sides; the first is on the same side as the first leg. */
  readonly arms: readonly [Joints, Joints];
  readonly legFit: LimbFit;
  readonly armFit: LimbFit;
  /** Joints before the upper arms: −1 where they hang on the trunk. */
  readonly shoulders: readonly [number, number];
  /** Joints behind the feet; −1 without, or where there are several toes. */
  readonly toes: readonly [number, number];
  readonly hips: number;
  /** The nodes from above the hips to the one that the arms hang on. */
  readonly path: readonly number[];
  /** The bones of the spine from the hips upwards, without them. */
  readonly spine: readonly number[];
  readonly head: HeadFit;
  /** Unit directions: hips to shoulders, and from the second side to the first. */
  readonly up: Vec;
  readonly side: Vec;
  /** From the hip joints to the shoulder joints. */
  readonly trunk: number;
  /** Whether it stands on its arms as well as on its legs, its trunk across both. */
  readonly onFour: boolean;
  /** 0…1: how human it is. */
  readonly score: number;
}

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
/** The node where legs and spine meet is the hips, unless one above it is this much nearer to the hip joints (Biped). */
const NEARER = 0.5;
/** … and it is further off than this, by the length of the trunk. */
const FAR = 0.05;
/** A node of the spine lies no lower than this below the hip joints, by the length of the trunk: a pelvis does. */
const BELOW_HIPS = -0.01;
/** What a body is worth that has other joints behind its hands than behind its toes. */
const OTHER_ENDS = 0.8;
/** Joints in the same place, by the length of the trunk. */
const SAME = 0.005;

const mid = (body: BodyTree, [a, b]: readonly [Joints, Joints], joint: 0 | 1 | 2): Vec =>
  middle(place(body, a[joint]), place(body, b[joint]));

/** From the second side to the first, by the joints of a limb; what coincides counts nothing. */
function sideLine(body: BodyTree, [a, b]: readonly [Joints, Joints]): Vec {
  let line: Vec = [0, 0, 0];
  for (const k of [0, 1] as const) line = plus(line, minus(place(body, a[k]), place(body, b[k])));
  return line;
}

/** Whether one of the pairs hangs on the other. */
function areTangled(body: BodyTree, a: LimbPair, b: LimbPair): boolean {
  const on = (top: LimbPair, node: number): boolean => top.sides.some(([first]) => isWithin(body.tree, node, first));
  return on(a, b.parent) || on(b, a.parent) || a.sides[0][0] === b.sides[0][0] || a.sides[1][0] === b.sides[1][0];
}

/** The reading of two fits as legs and arms; null where that makes no body. */
export function fitBody(body: BodyTree, legFit: LimbFit, armFit: LimbFit): BodyFit | null {
  if (areTangled(body, legFit.pair, armFit.pair)) return null;
  const legs = legFit.sides;
  const top = armFit.pair.parent;
  const meeting = lowestAbove(body.tree, [legFit.pair.parent, top]);
  if (meeting < 0 || body.usable[meeting] === 0) return null;
  const legLine = sideLine(body, legs);
  const armLine = sideLine(body, armFit.sides);
  const isCrossed = dot(legLine, armLine) < 0;
  const arms: BodyFit['arms'] = isCrossed ? [armFit.sides[1], armFit.sides[0]] : armFit.sides;
  const hipMiddle = mid(body, legs, 0);
  const shoulderMiddle = mid(body, arms, 0);
  const rise = minus(shoulderMiddle, hipMiddle);
  const trunk = norm(rise);
  if (!(trunk > 0)) return null;
  const up = unit(rise);
  const side = unit(plus(legLine, times(armLine, isCrossed ? -1 : 1)));
  const { hips, path } = hipsAndPath(body, meeting, top, hipMiddle, up, trunk);
  const shoulders: Shoulders = { middle: shoulderMiddle, up, side, trunk };
  const taken = new Set([...path, ...legFit.pair.sides.flat(), ...armFit.pair.sides.flat()]);
  const from = [top, ...path.slice(0, -1).reverse(), hips];
  const head = findHead(body, from, (node) => taken.has(node), shoulders, endsOfLegs(legFit));
  if (head === null) return null;
  const isNeck = path.length > 1 && isNeckOfArms(body, top, head, shoulders);
  const spine = [...(isNeck ? path.slice(0, -1) : path), ...head.below];
  const draft = {
    body,
    path,
    legs,
    arms,
    legFit,
    armFit,
    shoulders: isCrossed ? swap(shouldersOf(armFit)) : shouldersOf(armFit),
    toes: toesOf(body, legFit),
    hips,
    spine: withoutCopies(
      body,
      spine.filter((node) => dot(minus(place(body, node), hipMiddle), up) > BELOW_HIPS * trunk),
      trunk,
    ),
    head: isNeck ? { ...head, neck: top } : head,
    up,
    side,
    trunk,
  };
  const onFour = standsOnFour(draft);
  const score = scoreBody(draft, cosine(legLine, armLine)) * (onFour ? ON_FOUR_COST : 1);
  return { ...draft, onFour, score };
}

function swap<T>([a, b]: readonly [T, T]): readonly [T, T] {
  return [b, a];
}

/** The hips, and the nodes from above them to the one that the arms hang on. */
function hipsAndPath(
  body: BodyTree,
  meeting: number,
  top: number,
  hipMiddle: Vec,
  up: Vec,
  trunk: number,
): { hips: number; path: number[] } {
  const { parents } = body.tree;
  const path: number[] = [];
  for (let node = top; node !== meeting; node = parents[node]) path.unshift(node);
  const far = distance(place(body, meeting), hipMiddle);
  const isAbove = dot(minus(place(body, meeting), hipMiddle), up) > FAR * trunk;
  let hips = meeting;
  if (isAbove) {
    for (let node = parents[meeting]; node >= 0 && body.usable[node] === 1; node = parents[node]) {
      if (distance(place(body, node), hipMiddle) > NEARER * far) break;
      hips = node;
    }
  }
  // Biped: the thighs hang on the first spine bone.
  return { hips, path: hips === meeting ? path : [meeting, ...path] };
}

/** Of joints in one place the last, whose rotation holds those of all. */
function withoutCopies(body: BodyTree, spine: readonly number[], trunk: number): number[] {
  return spine.filter((node, k) => {
    const next = spine[k + 1];
    return next === undefined || distance(place(body, node), place(body, next)) > SAME * trunk;
  });
}

/** How many joints come behind the toes. */
function endsOfLegs({ pair, end }: LimbFit): number {
  return Math.max(0, pair.sides[0].length - 2 - end);
}

function toesOf(body: BodyTree, { pair, end, sides }: LimbFit): readonly [number, number] {
  if (end >= pair.sides[0].length) return [-1, -1];
  // More than two chains behind the foot are single toes.
  if (sides.some(([, , foot]) => body.joints[foot].length > 2)) return [-1, -1];
  return [pair.sides[0][end + 1] ?? -1, pair.sides[1][end + 1] ?? -1];
}

function shouldersOf({ pair, start }: LimbFit): readonly [number, number] {
  return [pair.sides[0][start - 1] ?? -1, pair.sides[1][start - 1] ?? -1];
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

type Draft = Omit<BodyFit, 'score' | 'onFour'>;

/** Cosine between trunk and legs, of which people stay well above while they stand, sit or hang. */
const ACROSS = 0.65;
/** Hands that are no further above the soles than this, by the length of the legs, stand on the ground as well. */
const LEVEL = 0.4;
/** Fore legs are as long as hind legs, within these bounds. */
const FORE_LEGS: readonly [number, number] = [0.6, 1.6];
/** What a body that stands on four legs is worth as a human. */
const ON_FOUR_COST = 0.1;

/** The first joints of the chains of a pair that are apart: where legs leave the trunk. */
function topOf(body: BodyTree, { pair, upper, lower }: LimbFit): Vec {
  const [a, b] = pair.sides;
  const k = a.findIndex((node, at) => distance(place(body, node), place(body, b[at])) > 0.1 * (upper + lower));
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
function standsOnFour({ body, legs, arms, legFit, armFit }: Draft): boolean {
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

/** 0…1: the product of what speaks for a human, each term 0…1. */
function scoreBody(fit: Draft, sideCosine: number): number {
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
    // Legs go away from the arms: straight down when standing, 45° off on a chair.
    clamp01((0.35 - cosine(down, up)) / 0.85),
    // Nothing below the hips is lower than the feet; skirts and tails are not.
    0.3 + 0.7 * reached,
    // The lines of hips and shoulders run the same way, across the trunk.
    0.4 + 0.6 * Math.abs(sideCosine),
    1 - 0.8 * dot(side, up) ** 2,
  ];
  const product = terms.reduce((all, term) => all * term, spine.length === 0 ? NO_SPINE : 1);
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

/** Which joints of a chain are the three that bend: hip, knee and ankle, or shoulder, elbow and wrist. */
import { type BodyTree, place } from './body-tree.ts';
import type { LimbPair } from './limb-pairs.ts';
import { clamp01, cosine, distance, fits, minus, offSegment, plus, pointOf, times } from './points.ts';

/** One way to read a pair of chains as limbs. */
export interface LimbFit {
  readonly pair: LimbPair;
  /** Nodes of both sides: upper joint, middle joint, end joint. */
  readonly sides: readonly [readonly [number, number, number], readonly [number, number, number]];
  /** Where the upper joint is in the chain. */
  readonly start: number;
  /** Where the end joint is in the chain; its length where the end joint hangs somewhere else. */
  readonly end: number;
  readonly upper: number;
  readonly lower: number;
  /** Way from the upper joint to the end of the chain, hand or foot included. */
  readonly whole: number;
  /** 0…1 */
  readonly score: number;
}

/**
 * Logarithm of upper by lower length. Adults are at 0 ± 0.15; toys and ogres at ±0.7, the lumberjack's fore-arms are less than half
 * of its upper arms.
 */
const RATIO_WIDTH = 0.6;
/** Joints between two that bend lie on the line between them, but for this share of its length: twist joints. */
const LINE_WIDTH = 0.04;
/** Radians that a middle joint is bent by in some pose, so that it is seen to be a hinge. */
const BENT = 0.14;
/** What a middle joint is worth that is straight in all poses, as a T-pose has it. */
const STRAIGHT = 0.75;
/** The joints before the upper one count half: shoulders are short. */
const LEAD = 0.5;
/** What follows the end joint, foot or hand, by the length of the limb: adults 0.35, toys 0.5. */
const TAIL_MOST = 0.7;

/** What a limb is worth that has a fan of chains (fingers, toes) inside of its bones, or one more chain there. */
const FAN_INSIDE = 0.2;
const CHAIN_INSIDE = 0.6;
/** A joint this far along the lower bone of a limb is an ankle or a wrist, and what the limb is worth that goes on behind it. */
const LAST_BEND: readonly [number, number] = [0.7, 0.98];
const GOES_ON = 0.7;
/**
 * A joint that is straight in all poses, but for this many radians, in a chain that bends somewhere by more than that, is a twist
 * joint; what a limb is worth that has one for a hinge.
 */
const NEVER_BENT = 0.03;
const BENDS = 0.3;
const TWIST = 0.25;

/**
 * The upper joints of both sides are this far apart at least, by the length of the limb: adults 0.7 at the shoulders, 0.2 at the
 * hips. Clavicles, and helpers before the thighs, start in the middle of the body.
 */
const ARMS_APART = 0.35;
const LEGS_APART = 0.1;
/** What a limb is worth that starts in the middle of the body. */
const NOT_APART = 0.15;

/** The mean over both sides of a length between places `i` and `j` of the chain. */
type Between = (i: number, j: number) => number;
/** Places of the three joints in a chain. */
type Places = readonly [number, number, number];

/** How far the joints between two are off their line in any pose, by its length. */
function offLine(body: BodyTree, chain: readonly number[], i: number, j: number): number {
  let most = 0;
  for (let k = i + 1; k < j; k++) {
    for (const { positions } of body.looks) {
      const [a, b] = [pointOf(positions, chain[i]), pointOf(positions, chain[j])];
      const length = distance(a, b);
      if (length > 0) most = Math.max(most, offSegment(pointOf(positions, chain[k]), a, b) / length);
    }
  }
  return most;
}

/** The largest angle that a chain is bent by at place `j` in any pose, radians. */
function bendAt(body: BodyTree, i: number, j: number, k: number): number {
  let most = 0;
  for (const { positions } of body.looks) {
    const [a, b, c] = [pointOf(positions, i), pointOf(positions, j), pointOf(positions, k)];
    most = Math.max(most, Math.acos(Math.min(1, Math.max(-1, cosine(minus(b, a), minus(c, b))))));
  }
  return most;
}

/** Chains that start this near to the next joint of a limb, by the way to it, belong there. */
const BESIDE_NEXT = 0.25;

/** What chains beside a limb's own, off the joints inside of its bones, take from it. */
function insideFit(body: BodyTree, chain: readonly number[], i: number, j: number, k: number): number {
  let worst = 1;
  for (let at = i + 1; at < k; at++) {
    const next = chain[at + 1];
    if (chain[at] === undefined || next === undefined) continue;
    // Palms in the place of the next joint, and a thumb beside them, are no chains of this joint.
    const near = BESIDE_NEXT * body.lengths[next];
    const isOther = (node: number): boolean =>
      node !== next && body.sizes[node] > 1 && distance(place(body, node), place(body, next)) > near;
    const others = body.joints[chain[at]].filter(isOther).length;
    worst = Math.min(worst, others > 1 ? FAN_INSIDE : others === 1 && at !== j ? CHAIN_INSIDE : 1);
  }
  return worst;
}

/** Whether a joint inside of the lower bone lies where an end joint would. */
function goesOn(ways: Float64Array, j: number, k: number): boolean {
  const share = (ways[k - 1] - ways[j]) / (ways[k] - ways[j]);
  return k - 1 > j && share > LAST_BEND[0] && share < LAST_BEND[1];
}

/** The fan of chains (fingers) on a limb begins no further behind its end than this, by the length of the lower limb. */
const FAN_BEHIND = 0.3;
const FAN_WIDTH = 0.25;

/** Way from the end of a limb to where its chain fans out into three chains or more; 0 where it never does. */
function wayToFan(body: BodyTree, chain: readonly number[], ways: Float64Array, k: number): number {
  for (let at = k; at < chain.length; at++) {
    if (body.joints[chain[at]].filter((node) => body.sizes[node] > 1).length > 2) return ways[at] - ways[k];
  }
  return 0;
}

/** The largest angle that a chain is bent by at each of its joints, in any pose. */
function bendsOf(body: BodyTree, chain: readonly number[]): number[] {
  return chain.map((node, k) => (k > 0 && k + 1 < chain.length ? bendAt(body, chain[k - 1], node, chain[k + 1]) : 0));
}

/** How much the joints that are to bend look like hinges. Ankles and feet bend anyway. */
function hingeFit(
  body: BodyTree,
  chain: readonly number[],
  bends: readonly number[],
  [i, j, k]: Places,
  isArm: boolean,
): number {
  const isTwist = (at: number): boolean => at > 0 && at + 1 < chain.length && bends[at] < NEVER_BENT;
  // What has one joint below it may be a joint of the arm as well as its end; what has several is a hand.
  const isHand = !isArm || body.joints[chain[k]]?.length !== 1;
  const looked = bends.slice(i + 1, isHand ? k : k + 1);
  if (Math.max(...looked) > BENDS && (isTwist(i) || isTwist(j))) return TWIST;
  return STRAIGHT + (1 - STRAIGHT) * clamp01(bendAt(body, chain[i], chain[j], chain[k]) / BENT);
}

/** All ways to read a pair of chains as arms or as legs, best first, `most` at most. */
export function limbFits(body: BodyTree, pair: LimbPair, isArm: boolean, most: number): LimbFit[] {
  const { tips } = pair;
  const chains = pair.sides.map((side, k) => (tips === null ? side : [...side, tips[k]]));
  const count = chains[0].length;
  const joints = pair.sides[0].length;
  const free = tips !== null && joints === 2 ? freeEnds(body, pair, tips) : null;
  const between: Between = (i, j) =>
    chains.reduce((sum, c) => sum + distance(pointOf(body.positions, c[i]), pointOf(body.positions, c[j])), 0) / 2;
  const ways = new Float64Array(count);
  for (let k = 1; k < count; k++) ways[k] = ways[k - 1] + between(k - 1, k);
  const bends = chains.map((c) => bendsOf(body, c));
  const found: LimbFit[] = [];
  for (let i = 0; i < count - 2; i++) {
    for (let j = i + 1; j < count - 1; j++) {
      const upper = between(i, j);
      for (let k = j + 1; k < count; k++) {
        if (k >= joints && free === null) continue;
        const lower = between(j, k);
        if (!(upper > 0 && lower > 0)) continue;
        const rough =
          fits(Math.log(upper / lower), RATIO_WIDTH) * lengthFit(upper + lower, ways[i], ways[count - 1] - ways[k]);
        if (rough < 0.02) continue;
        const off = Math.max(...chains.flatMap((c) => [offLine(body, c, i, j), offLine(body, c, j, k)]));
        const hinge = Math.max(...chains.map((c, side) => hingeFit(body, c, bends[side], [i, j, k], isArm)));
        const inside = Math.max(...pair.sides.map((c) => insideFit(body, c, i, j, k)));
        const fan = Math.max(...pair.sides.map((c) => wayToFan(body, c, ways, k))) / lower;
        const apart = distance(place(body, chains[0][i]), place(body, chains[1][i])) / (upper + lower);
        const wide = clamp01(NOT_APART + ((1 - NOT_APART) * apart) / (isArm ? ARMS_APART : LEGS_APART));
        const score =
          rough *
          fits(off, LINE_WIDTH) *
          hinge *
          inside *
          wide *
          (goesOn(ways, j, k) ? GOES_ON : 1) *
          fits(Math.max(0, fan - FAN_BEHIND), FAN_WIDTH);
        const sides = chains.map((c, side) => [c[i], c[j], k < joints ? c[k] : (free as number[])[side]]);
        found.push({
          pair,
          sides: sides as never,
          start: i,
          end: k,
          upper,
          lower,
          whole: ways[count - 1] - ways[i],
          score,
        });
      }
    }
  }
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, most).map((fit) => settleEnd(body, fit));
}

/** 0…1: a limb is most of its chain; less goes before it, and some after it. */
function lengthFit(whole: number, lead: number, tail: number): number {
  const cover = whole / (whole + LEAD * lead);
  return cover * fits(Math.max(0, tail / whole - TAIL_MOST), 0.5);
}

/** A free joint lies at the end marker of a limb, but for this share of its length. */
const SAME_PLACE = 0.05;

/** Joints outside of the limb that lie where its ends are: feet that hang on the root, for inverse kinematics. */
function freeEnds(body: BodyTree, pair: LimbPair, tips: readonly [number, number]): [number, number] | null {
  const found = tips.map((tip, side) => {
    const [first] = pair.sides[side];
    let best = -1;
    let least = SAME_PLACE * pair.length;
    for (let node = 0; node < body.usable.length; node++) {
      const { starts, ends } = body.tree;
      if (body.usable[node] === 0 || (starts[node] >= starts[first] && starts[node] < ends[first])) continue;
      const far = distance(pointOf(body.positions, node), pointOf(body.positions, tip));
      if (far < least) {
        least = far;
        best = node;
      }
    }
    return best;
  });
  return found[0] >= 0 && found[1] >= 0 && found[0] !== found[1] ? [found[0], found[1]] : null;
}

/** A joint this near to the next one, by the length of the lower limb, may be a mere fixing of it. */
const NEAR = 0.4;
/** Joints in one place, by the length of the lower limb. */
const COINCIDE = 0.01;

/**
 * The end joint itself, where the chain leads to one of several in its place, or to a fixing. Of palms side by side the one that
 * bears most is the hand. A joint that a motion never turns, where it turns the next one right behind it, is a fixing (a wrist of
 * a game rig): the next one is the hand.
 */
function settleEnd(body: BodyTree, fit: LimbFit): LimbFit {
  const { turned } = body;
  const { sides } = fit.pair;
  const next = fit.end + 1;
  const isFixing =
    turned !== null &&
    next < sides[0].length &&
    sides.every((chain) => {
      const [here, there] = [chain[fit.end], chain[next]];
      return turned[here] === 0 && turned[there] === 1 && body.lengths[there] < NEAR * fit.lower;
    });
  const ends = fit.sides.map(([, , end], side) =>
    isFixing ? sides[side][next] : largestInPlace(body, end, COINCIDE * fit.lower),
  );
  const moved = fit.sides.map(([upper, middle], side) => [upper, middle, ends[side]]);
  return { ...fit, sides: moved as never, end: isFixing ? next : fit.end };
}

/** Of a node and its siblings in the same place the one that bears most; of those that bear as much, the one in the middle. */
function largestInPlace(body: BodyTree, node: number, same: number): number {
  const parent = body.tree.parents[node];
  if (parent < 0) return node;
  const here = body.joints[parent].filter((other) => distance(place(body, other), place(body, node)) < same);
  const most = Math.max(...here.map((other) => body.sizes[other]));
  const best = here.filter((other) => body.sizes[other] === most && body.joints[other].length > 0);
  if (best.length < 2) return best[0] ?? node;
  const points = best.map((other) => place(body, body.joints[other][0]));
  const center = times(points.reduce(plus), 1 / points.length);
  const far = points.map((point) => distance(point, center));
  return best[far.indexOf(Math.min(...far))];
}

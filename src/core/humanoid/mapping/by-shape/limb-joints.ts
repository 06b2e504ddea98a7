/** Finds the three joints of a chain that form a limb: hip, knee and ankle, or shoulder, elbow and wrist. */
import { clamp01 } from '../../../math/floats.ts';
import { distance, plus, pointOf, times } from '../../../math/triples.ts';
import type { LimbPair } from './limb-pairs.ts';
import {
  bendsOf,
  distanceToFan,
  hasEarlyJoint,
  hasLateJoint,
  hingeFit,
  insideFit,
  lengthFit,
  offLine,
} from './limb-score.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';
import { gaussian } from './score-rules.ts';

export interface LimbFit {
  readonly pair: LimbPair;
  /** Nodes of both sides: upper joint, middle joint, end joint. */
  readonly sides: readonly [readonly [number, number, number], readonly [number, number, number]];
  /** Index of the upper joint in the chain. */
  readonly start: number;
  /** Index of the end joint in the chain; the length of the chain where the end joint is parented to another node. */
  readonly end: number;
  /** Length from the upper joint to the middle joint, mean of both sides. */
  readonly upper: number;
  /** Length from the middle joint to the end joint, mean of both sides. */
  readonly lower: number;
  /** Length from the upper joint to the end of the chain, hand or foot included. */
  readonly whole: number;
  /** How well it fits, 0…1. */
  readonly score: number;
}

/** Standard deviation of the logarithm of upper length by lower length. Adults have 0 ± 0.15, toys and ogres up to ±0.7. */
const RATIO_WIDTH = 0.75;
/** Standard deviation of the distance of twist joints from the line between two bending joints, as a fraction of its length. */
const LINE_WIDTH = 0.04;
/** Factor for a limb that continues after an ankle or a wrist. */
const LATE_JOINT = 0.7;
/** Factor for an arm that starts with a shoulder. */
const EARLY_JOINT = 0.75;
/**
 * Expected distance of the upper joints of both sides, in limb lengths: adults 0.7 at the shoulders, 0.2 at the hips.
 * Clavicles, and helpers before the thighs, start in the middle.
 */
const ARMS_APART = 0.35;
const LEGS_APART = 0.1;
/** Factor for a limb that starts in the middle of the trunk. */
const NOT_APART = 0.15;
/**
 * Maximum distance from the end of a limb to its fan of chains (fingers) without a penalty, and the standard
 * deviation beyond it, in lengths of the lower bone.
 */
const FAN_BEHIND = 0.3;
const FAN_WIDTH = 0.25;

export function limbFits(rig: PosedRig, pair: LimbPair, isArm: boolean, most: number): LimbFit[] {
  const { tips } = pair;
  const chains = pair.sides.map((side, k) => (tips === null ? side : [...side, tips[k]]));
  const count = chains[0].length;
  const joints = pair.sides[0].length;
  const free = tips !== null && joints === 2 ? detachedEnds(rig, pair, tips) : null;
  // The mean distance of both sides.
  const between = (i: number, j: number): number =>
    chains.reduce((sum, c) => sum + distance(pointOf(rig.positions, c[i]), pointOf(rig.positions, c[j])), 0) / 2;
  const ways = new Float64Array(count);
  for (let k = 1; k < count; k++) ways[k] = ways[k - 1] + between(k - 1, k);
  const bends = chains.map((c) => bendsOf(rig, c));
  const found: LimbFit[] = [];
  for (let i = 0; i < count - 2; i++) {
    for (let j = i + 1; j < count - 1; j++) {
      const upper = between(i, j);
      for (let k = j + 1; k < count; k++) {
        if (k >= joints && free === null) continue;
        const lower = between(j, k);
        if (!(upper > 0 && lower > 0)) continue;
        const rough =
          gaussian(Math.log(upper / lower), RATIO_WIDTH) * lengthFit(upper + lower, ways[i], ways[count - 1] - ways[k]);
        if (rough < 0.02) continue;
        const off = Math.max(...chains.flatMap((c) => [offLine(rig, c, i, j), offLine(rig, c, j, k)]));
        const hinge = Math.max(...chains.map((c, side) => hingeFit(rig, c, bends[side], [i, j, k], isArm)));
        const inside = Math.max(...pair.sides.map((c) => insideFit(rig, c, i, j, k)));
        const fan = Math.max(...pair.sides.map((c) => distanceToFan(rig, c, ways, k))) / lower;
        const apart = distance(positionOf(rig, chains[0][i]), positionOf(rig, chains[1][i])) / (upper + lower);
        const wide = clamp01(NOT_APART + ((1 - NOT_APART) * apart) / (isArm ? ARMS_APART : LEGS_APART));
        const score =
          rough *
          gaussian(off, LINE_WIDTH) *
          hinge *
          inside *
          wide *
          (hasLateJoint(ways, j, k) ? LATE_JOINT : 1) *
          (isArm && hasEarlyJoint(ways, i, j) ? EARLY_JOINT : 1) *
          gaussian(Math.max(0, fan - FAN_BEHIND), FAN_WIDTH);
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
  return found.slice(0, most).map((fit) => withDetachedFeet(rig, resolveEndJoint(rig, fit), isArm));
}

/** Maximum distance of a detached end joint from the end marker of its limb, as a fraction of the length of the pair. */
const COINCIDENT = 0.05;

/** Finds joints outside of the limb at the positions of its end markers: feet that are parented to the root for inverse kinematics. */
function detachedEnds(rig: PosedRig, pair: LimbPair, tips: readonly [number, number]): [number, number] | null {
  const found = tips.map((tip, side) => {
    const [first] = pair.sides[side];
    let best = -1;
    let least = COINCIDENT * pair.length;
    for (let node = 0; node < rig.usable.length; node++) {
      const { starts, ends } = rig.tree;
      if (rig.usable[node] === 0 || (starts[node] >= starts[first] && starts[node] < ends[first])) continue;
      const far = distance(pointOf(rig.positions, node), pointOf(rig.positions, tip));
      if (far < least) {
        least = far;
        best = node;
      }
    }
    return best;
  });
  return found[0] >= 0 && found[1] >= 0 && found[0] !== found[1] ? [found[0], found[1]] : null;
}

/** Replaces the ends of legs by coincident feet that are parented to another node: the legs end there, and the feet go on. */
function withDetachedFeet(rig: PosedRig, fit: LimbFit, isArm: boolean): LimbFit {
  const ends = fit.sides.map(([, , end]) => end);
  const isEnd = (node: number): boolean => rig.joints[node].length + rig.ends[node].length === 0;
  if (isArm || !ends.every(isEnd)) return fit;
  const feet = detachedEnds(rig, fit.pair, [ends[0], ends[1]]);
  if (feet === null || feet.some(isEnd)) return fit;
  const sides = fit.sides.map(([upper, middle], side) => [upper, middle, feet[side]]);
  return { ...fit, sides: sides as never, end: fit.pair.sides[0].length };
}

/** A joint this near to the next one may be a rigid mount of it, in lengths of the lower bone. */
const NEAR = 0.4;
/** Maximum distance of coincident joints, in lengths of the lower bone. */
const COINCIDENT_END = 0.01;

/**
 * Resolves the end joint where the chain leads to one of several coincident joints, or to a rigid mount. Among
 * coincident palms, the one with most descendants is the hand. A joint that a motion never rotates, while it rotates
 * the next one right after it, is a mount (the wrist of a game rig): the next joint is the hand.
 */
function resolveEndJoint(rig: PosedRig, fit: LimbFit): LimbFit {
  const { rotated } = rig;
  const { sides } = fit.pair;
  const next = fit.end + 1;
  const isRigidMount =
    rotated !== null &&
    next < sides[0].length &&
    sides.every((chain) => {
      const [here, there] = [chain[fit.end], chain[next]];
      return rotated[here] === 0 && rotated[there] === 1 && rig.lengths[there] < NEAR * fit.lower;
    });
  const ends = fit.sides.map(([, , end], side) =>
    isRigidMount ? sides[side][next] : largestCoincident(rig, end, COINCIDENT_END * fit.lower),
  );
  const moved = fit.sides.map(([upper, middle], side) => [upper, middle, ends[side]]);
  return { ...fit, sides: moved as never, end: isRigidMount ? next : fit.end };
}

/** Chooses among a node and its coincident siblings the one with most descendants; among equals, the one in the middle. */
function largestCoincident(rig: PosedRig, node: number, same: number): number {
  const parent = rig.tree.parents[node];
  if (parent < 0) return node;
  const here = rig.joints[parent].filter((other) => distance(positionOf(rig, other), positionOf(rig, node)) < same);
  const most = Math.max(...here.map((other) => rig.sizes[other]));
  const best = here.filter((other) => rig.sizes[other] === most && rig.joints[other].length > 0);
  if (best.length < 2) return best[0] ?? node;
  const points = best.map((other) => positionOf(rig, rig.joints[other][0]));
  const center = times(points.reduce(plus), 1 / points.length);
  const far = points.map((point) => distance(point, center));
  return best[far.indexOf(Math.min(...far))];
}

/** Scores how well three joints of a chain fit as a limb: lengths, twist joints, hinges, and other chains. */
import { clamp01 } from '../../../math/floats.ts';
import { cosine, distance, distanceToSegment, minus, pointOf } from '../../../math/triples.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';
import { gaussian } from './score-rules.ts';

/** A middle joint that bends by this angle in some pose is a hinge, radians. */
const BENT = 0.14;

/** Factor for a middle joint that is straight in all poses, as in a T-pose. */
const STRAIGHT = 0.75;

/** Weight of the chain before the upper joint: shoulders are short. */
const LEAD = 0.5;

/** Maximum length of the chain after the end joint, foot or hand, in limb lengths: adults 0.35, toys 0.5. */
const MAX_TAIL = 0.9;

/** Factors for a limb with a fan of chains (fingers, toes) off its inner joints, and with one such chain. */
const FAN_INSIDE = 0.2;

const CHAIN_INSIDE = 0.6;

/** A joint within these fractions of the lower bone is an ankle or a wrist; a limb that continues after it is less likely. */
const LAST_BEND: readonly [number, number] = [0.7, 0.98];

/**
 * A joint that never bends by this angle (radians), in a chain that bends by more than BENDS somewhere, is a twist
 * joint. TWIST is the factor of a limb that uses it as a hinge.
 */
const NEVER_BENT = 0.05;

const BENDS = 0.3;

const TWIST = 0.12;

/** A joint whose bend changes by this angle between poses is a hinge, radians; TWIST is milder where none does. */
const HINGES = 0.15;

const MAYBE_TWIST = 0.35;

/** Bounds of the length of a lower arm, in upper arm lengths, where the end joint of an arm may be its elbow. */
const FOREARM: readonly [number, number] = [0.3, 1.6];

/** Returns the maximum distance of the joints between two joints from their line in any pose. `j`: index of the second joint in the chain. */
export function offLine(rig: PosedRig, chain: readonly number[], i: number, j: number): number {
  let most = 0;
  for (let k = i + 1; k < j; k++) {
    for (const { positions } of rig.poses) {
      const [a, b] = [pointOf(positions, chain[i]), pointOf(positions, chain[j])];
      const length = distance(a, b);
      if (length > 0) most = Math.max(most, distanceToSegment(pointOf(positions, chain[k]), a, b) / length);
    }
  }
  return most;
}

/** Angles of a joint over all poses, radians. */
interface Bend {
  /** The maximum angle. */
  readonly most: number;
  /** The difference of the maximum and the minimum angle: 0 for a joint that no pose rotates. */
  readonly range: number;
}

/** Returns the angles at node `j` between nodes `i` and `k` over all poses. */
function bendAt(rig: PosedRig, i: number, j: number, k: number): Bend {
  let most = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const { positions } of rig.poses) {
    const [a, b, c] = [pointOf(positions, i), pointOf(positions, j), pointOf(positions, k)];
    const angle = Math.acos(Math.min(1, Math.max(-1, cosine(minus(b, a), minus(c, b)))));
    most = Math.max(most, angle);
    least = Math.min(least, angle);
  }
  return { most, range: most - least };
}

/** Chains that start this near to the next joint of a limb belong to that joint, as a fraction of the distance to it. */
const BESIDE_NEXT = 0.25;

/** Scores the other chains that branch off from the inner joints of a limb. */
export function insideFit(rig: PosedRig, chain: readonly number[], i: number, j: number, k: number): number {
  let worst = 1;
  for (let at = i + 1; at < k; at++) {
    const next = chain[at + 1];
    if (chain[at] === undefined || next === undefined) continue;
    // Palms that coincide with the next joint, and a thumb beside them, do not count as chains of this joint.
    const near = BESIDE_NEXT * rig.lengths[next];
    const isOther = (node: number): boolean =>
      node !== next && rig.sizes[node] > 1 && distance(positionOf(rig, node), positionOf(rig, next)) > near;
    const others = rig.joints[chain[at]].filter(isOther).length;
    worst = Math.min(worst, others > 1 ? FAN_INSIDE : others === 1 && at !== j ? CHAIN_INSIDE : 1);
  }
  return worst;
}

/** Tests whether a joint within the lower bone is at the position of an end joint. */
export function hasLateJoint(ways: Float64Array, j: number, k: number): boolean {
  const fraction = (ways[k - 1] - ways[j]) / (ways[k] - ways[j]);
  return k - 1 > j && fraction > LAST_BEND[0] && fraction < LAST_BEND[1];
}

/** A joint this near to the upper joint is the real upper joint, as a fraction of the upper bone. */
const FIRST_BEND: readonly [number, number] = [0, 0.2];

/** Tests whether a joint within the upper bone is at the position of the upper joint: then the upper joint is a shoulder. */
export function hasEarlyJoint(ways: Float64Array, i: number, j: number): boolean {
  const fraction = (ways[i + 1] - ways[i]) / (ways[j] - ways[i]);
  return j > i + 1 && fraction > FIRST_BEND[0] && fraction < FIRST_BEND[1];
}

/** Returns the length from the end of a limb to the first node with three chains or more, units of the file; 0 without such a node. */
export function distanceToFan(rig: PosedRig, chain: readonly number[], ways: Float64Array, k: number): number {
  for (let at = k; at < chain.length; at++) {
    if (rig.joints[chain[at]].filter((node) => rig.sizes[node] > 1).length > 2) return ways[at] - ways[k];
  }
  return 0;
}

/** Returns the bends of a chain at each joint over all poses. */
export function bendsOf(rig: PosedRig, chain: readonly number[]): Bend[] {
  return chain.map((node, k) =>
    k > 0 && k + 1 < chain.length ? bendAt(rig, chain[k - 1], node, chain[k + 1]) : { most: 0, range: 0 },
  );
}

/** Counts the chains after a joint; without any, the single joints. Twist joints beside a chain do not count. */
function branchesAt(rig: PosedRig, node: number): number {
  const below = rig.joints[node] ?? [];
  return below.filter((child) => rig.sizes[child] > 1).length || below.length;
}

/** Scores how much the bending joints look like hinges. Ankles and feet bend anyway. */
export function hingeFit(
  rig: PosedRig,
  chain: readonly number[],
  bends: readonly Bend[],
  [i, j, k]: readonly [number, number, number],
  isArm: boolean,
): number {
  const isTwist = (at: number): boolean => at > 0 && at + 1 < chain.length && bends[at].most < NEVER_BENT;
  // A node with one child joint may be an inner joint of the arm; one with several is a hand, one before a prop too.
  const after = rig.reach[chain[k]];
  const above = distance(positionOf(rig, chain[i]), positionOf(rig, chain[k]));
  const isForearm = after > FOREARM[0] * above && after < FOREARM[1] * above;
  const isHand = !isArm || !isForearm || branchesAt(rig, chain[k]) !== 1;
  const looked = bends.slice(i + 1, isHand ? k : k + 1);
  if (isTwist(i) || isTwist(j)) {
    // A prop is at a constant angle to the hand that holds it; elbows and knees bend.
    if (looked.some(({ most, range }) => most > BENDS && range > HINGES)) return TWIST;
    if (looked.some(({ most }) => most > BENDS)) return MAYBE_TWIST;
  }
  return STRAIGHT + (1 - STRAIGHT) * clamp01(bendAt(rig, chain[i], chain[j], chain[k]).most / BENT);
}

/** Scores the extent of a limb in its chain: little before it, some after it. */
export function lengthFit(whole: number, lead: number, tail: number): number {
  const cover = whole / (whole + LEAD * lead);
  return cover * gaussian(Math.max(0, tail / whole - MAX_TAIL), 0.5);
}

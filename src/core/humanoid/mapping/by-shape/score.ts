/** Scores how human an interpretation is: its proportions, its posture, and the other chains of the rig. */

import { clamp01 } from '../../../math/floats.ts';
import { cosine, dot, minus } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { endsOfLegs, jointMidpoint, type LimbJoints, type UnscoredFit } from './humanoid-fit.ts';
import type { LimbFit } from './limb-joints.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';
import { gaussian } from './score-rules.ts';

/** Expected ratios of trunk and arms to legs, and the standard deviations of their logarithms. Adults have 0.65 and 0.7, toys 1.6 and 1.3. */
const TRUNK_BY_LEGS = 0.65;
const TRUNK_WIDTH = 0.9;
const ARMS_BY_LEGS = 0.7;
const ARMS_WIDTH = 0.9;
/** Factor for a humanoid whose arms and legs branch off from the same node. */
const NO_SPINE = 0.4;
/** Factor for different numbers of end joints after the hands and after the toes. */
const OTHER_ENDS = 0.8;

/** Compares the joints after hands and toes: rigs have end joints everywhere or nowhere. Hands with fingers are ignored. */
function endsFit(rig: PosedRig, legFit: LimbFit, armFit: LimbFit): number {
  const behind = armFit.pair.sides[0].length - 1 - armFit.end;
  const isKnown = behind < 2 && legFit.end < legFit.pair.sides[0].length;
  const [least, most] = endsOfLegs(rig, legFit);
  // The toes may be an end joint of the foot.
  return isKnown && (behind < least || behind > most + 1) ? OTHER_ENDS : 1;
}

/** Returns the depth of the lowest of some nodes below a point. */
function depthOf(rig: PosedRig, nodes: readonly number[], from: Vec3, up: Vec3): number {
  return nodes.reduce((deepest, node) => Math.max(deepest, -dot(minus(positionOf(rig, node), from), up)), 0);
}

/** Hands below this height above the soles are on the ground, in leg lengths, and the factor for them. */
const HANDS_LOW = 0.2;
const HANDS_LOW_COST = 0.4;
/** Arms point to the side in most rest poses, capes down: cost of arms that point down, and the cosine to the side at which the cost is 0. */
const ARMS_DOWN = 0.3;
const LATERAL = 0.5;

/** Returns how much the arms point to the side, 0…1. */
function lateralPart({ rig, arms, side }: UnscoredFit): number {
  const part = ([upper, , hand]: LimbJoints): number =>
    Math.abs(cosine(minus(positionOf(rig, hand), positionOf(rig, upper)), side));
  return Math.max(part(arms[0]), part(arms[1]));
}

/** Factor for legs that do not branch off from the spine. */
const PELVIS_COST = 0.85;

export const QUADRUPED_COST = 0.1;

/** Scores an interpretation: the product of all terms, 0…1 each. */
export function scoreHumanoid(
  fit: UnscoredFit,
  sideCosine: number,
  isQuadruped: boolean,
  ends: readonly number[],
): number {
  const { rig, legs, arms, legFit, armFit, hips, hasPelvis, spine, head, up, side, trunk } = fit;
  const legLength = legFit.upper + legFit.lower;
  const hipMiddle = jointMidpoint(rig, legs, 0);
  const down = minus(jointMidpoint(rig, legs, 2), hipMiddle);
  const deepest = depthOf(rig, ends, hipMiddle, up);
  const handHeight = dot(minus(jointMidpoint(rig, arms, 2), jointMidpoint(rig, legs, 2)), up);
  const soles = legFit.pair.sides.flat().map((node) => -dot(minus(positionOf(rig, node), hipMiddle), up));
  const reached = deepest > 0 ? clamp01(Math.max(...soles, -dot(down, up)) / deepest) : 0;
  const terms = [
    legFit.score,
    armFit.score,
    head.score,
    gaussian(Math.log(trunk / legLength / TRUNK_BY_LEGS), TRUNK_WIDTH),
    gaussian(Math.log(armFit.whole / legFit.whole / ARMS_BY_LEGS), ARMS_WIDTH),
    endsFit(rig, legFit, armFit),
    // Legs point away from the arms: straight down when standing, 45° off on a chair (1 up to 60° off, 0 at 110°).
    clamp01((0.35 - cosine(down, up)) / 0.85),
    // The feet are the lowest ends of limbs, unless a skirt or a cape is lower.
    0.3 + 0.7 * reached,
    // The lines of hips and shoulders are parallel unless the trunk is twisted, and perpendicular to the trunk unless
    // it leans sideways.
    0.4 + 0.6 * Math.abs(sideCosine),
    1 - 0.8 * dot(side, up) ** 2,
    spine.length === 0 ? NO_SPINE : 1,
    isQuadruped ? QUADRUPED_COST : 1,
    hasPelvis ? PELVIS_COST : 1,
    handHeight < HANDS_LOW * legLength ? HANDS_LOW_COST : 1,
    1 - ARMS_DOWN * (1 - clamp01(lateralPart(fit) / LATERAL)),
    COVER + (1 - COVER) * coverage(rig, hips),
  ];
  return terms.reduce((all, term) => all * term, 1);
}

/** Score of a humanoid that is a small part of the rig, such as one made of hair. */
const COVER = 0.3;

/** Returns the fraction of the joints that are below the hips; joints above the hips do not count. */
function coverage(rig: PosedRig, hips: number): number {
  let total = rig.jointCount;
  for (let node = rig.tree.parents[hips]; node >= 0; node = rig.tree.parents[node]) total -= rig.usable[node];
  return rig.sizes[hips] / total;
}

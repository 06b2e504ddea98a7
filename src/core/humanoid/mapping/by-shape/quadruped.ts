/** Recognizes animals: two pairs of limbs that reach down to the ground from both ends of a trunk, and hocks. */

import {
  cosine,
  distance,
  dot,
  midpoint,
  minus,
  norm,
  perpendicular,
  pointOf,
  times,
  unit,
} from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import type { HumanoidFit } from './humanoid-fit.ts';
import { hasFoot } from './limb-evidence.ts';
import type { LimbFit } from './limb-joints.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/** Cosine between trunk and legs; humans stay well above it in standing and sitting poses. */
const ACROSS = 0.65;
/** Hands within this height of the soles are on the ground as well, in leg lengths. */
const LEVEL = 0.4;
/** Bounds of the length of fore legs, in lengths of hind legs. */
const FORE_LEGS: readonly [number, number] = [0.6, 1.6];

/** Minimum length of both legs along their common direction, in leg lengths. */
const TOGETHER = 0.6;

/** Joints of both legs that are further apart than this are not in the middle of the humanoid, in leg lengths. */
const APART = 0.1;

/** Returns the midpoint of the first joints of a pair that are apart: where the legs leave the trunk. */
function topOf(rig: PosedRig, { pair, upper, lower }: LimbFit): Vec3 {
  const [a, b] = pair.sides;
  const k = a.findIndex(
    (node, at) => distance(positionOf(rig, node), positionOf(rig, b[at])) > APART * (upper + lower),
  );
  return midpoint(positionOf(rig, a[Math.max(0, k)]), positionOf(rig, b[Math.max(0, k)]));
}

/** Returns the midpoint of the two ends of a pair: on each side the joint that is furthest along a direction. */
function endAlong(rig: PosedRig, { pair, sides }: LimbFit, along: Vec3): Vec3 {
  const furthest = [0, 1].map((side) =>
    [...pair.sides[side], sides[side][2]].reduce((best, node) =>
      dot(positionOf(rig, node), along) > dot(positionOf(rig, best), along) ? node : best,
    ),
  );
  return midpoint(positionOf(rig, furthest[0]), positionOf(rig, furthest[1]));
}

/** Returns the midpoint of a joint of both sides: 0 is the first joint of the limb, 2 its end. */
function middleOf(rig: PosedRig, { sides: [a, b] }: LimbFit, joint: 0 | 2): Vec3 {
  return midpoint(positionOf(rig, a[joint]), positionOf(rig, b[joint]));
}

/** Tests whether one pair of limbs reaches down along another one to the ground, and the trunk is across both. */
export function hasQuadrupedStance(rig: PosedRig, hind: LimbFit, fore: LimbFit): boolean {
  const hip = topOf(rig, hind);
  const shoulder = middleOf(rig, fore, 0);
  const sole = endAlong(rig, hind, minus(middleOf(rig, hind, 2), hip));
  const down = unit(minus(sole, hip));
  const length = dot(minus(sole, hip), down);
  // The arms of a T-pose point away from each other.
  if (!(length > TOGETHER * (hind.upper + hind.lower))) return false;
  const reach = dot(minus(endAlong(rig, fore, down), shoulder), down) / length;
  const above = dot(minus(sole, endAlong(rig, fore, down)), down) / length;
  if (!(Math.abs(cosine(minus(shoulder, hip), down)) < ACROSS)) return false;
  return Math.abs(above) < LEVEL && reach > FORE_LEGS[0] && reach < FORE_LEGS[1];
}

/** Minimum score of further legs as legs. */
const LEG = 0.4;
/** Soles of all legs are at the same height within this fraction of the leg length. */
const GROUND = 0.15;

/** Legs reach down at least this far, in leg lengths; control joints may be on the ground. */
const REACHES_DOWN = 0.5;
/** Legs that start this far in front of the hips are fore legs, in leg lengths. */
const AHEAD = 0.45;
/** Maximum distance of control joints from what they control, in leg lengths. */
const CONTROL = 0.2;

/**
 * Tests whether the rig has more legs than those of an interpretation: pairs of limbs that reach down to the same ground,
 * and have feet or start far in front of the hips. Skirts and capes have no feet, and start near the trunk.
 */
export function hasMoreLegs({ rig, legFit, armFit, up }: HumanoidFit, limbs: readonly LimbFit[]): boolean {
  const down = times(up, -1);
  const sole = dot(endAlong(rig, legFit, down), down);
  const hip = topOf(rig, legFit);
  const length = legFit.upper + legFit.lower;
  const own = new Set([...legFit.pair.sides, ...armFit.pair.sides].flat());
  return limbs.some((limb) => {
    const ratio = (limb.upper + limb.lower) / length;
    if (!(limb.score > LEG) || ratio < FORE_LEGS[0] || ratio > FORE_LEGS[1]) return false;
    if (limb.sides.flat().some((node) => own.has(node))) return false;
    // Control joints are at the positions of the joints that they control.
    if (distance(middleOf(rig, limb, 2), middleOf(rig, legFit, 2)) < CONTROL * length) return false;
    const end = dot(endAlong(rig, limb, down), down);
    if (end - dot(topOf(rig, limb), down) < REACHES_DOWN * length) return false;
    if (Math.abs(end - sole) > GROUND * length) return false;
    const ahead = norm(perpendicular(minus(topOf(rig, limb), hip), down));
    return ahead > AHEAD * length || hasFoot(rig, limb);
  });
}

/** A hock: the knee is bent by more than this (cosine), … */
const BENT_KNEE = 0.8;
/** … the foot points down along the leg by more than this (cosine) … */
const FOOT_DOWN = 0.7;
/** … and has at least this length, in leg lengths; … */
const LONG_FOOT = 0.22;
/** … it also points down along the trunk by more than this (cosine), or is a third segment of the leg, in lengths of the shin. */
const FOOT_ALONG_TRUNK = 0.4;
const THIRD_SEGMENT = 0.7;

/** Tests whether the legs have hocks: bent knees, and long feet that point down, in every pose. */
export function hasHocks({ rig, legs, arms, legFit }: HumanoidFit): boolean {
  return legs.every(([upper, middle, foot], side) => {
    const chain = legFit.pair.sides.find((nodes) => nodes.includes(foot));
    const toes = chain?.[legFit.end + 1] ?? legFit.pair.tips?.[side];
    if (toes === undefined) return false;
    return rig.poses.every(({ positions }) => {
      const [hip, knee, ankle, toe, shoulder] = [upper, middle, foot, toes, arms[side][0]].map((node) =>
        pointOf(positions, node),
      );
      const shin = distance(knee, ankle);
      const length = distance(toe, ankle);
      return (
        cosine(minus(knee, hip), minus(ankle, knee)) < BENT_KNEE &&
        cosine(minus(toe, ankle), minus(ankle, hip)) > FOOT_DOWN &&
        length > LONG_FOOT * (distance(hip, knee) + shin) &&
        (cosine(minus(toe, ankle), minus(hip, shoulder)) > FOOT_ALONG_TRUNK || length > THIRD_SEGMENT * shin)
      );
    });
  });
}

/**
 * Tests the build of a skeleton without fingers: animals and things in hair, wings and skirts have pairs of chains like arms and
 * legs, but not where a human has them. Fingers are proof enough, so skeletons with fingers may be built in any way.
 */

import { cosine, dot, minus, norm, perpendicular } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { type HumanoidFit, jointMidpoint, type LimbJoints } from './humanoid-fit.ts';
import { hasFingers, hasFoot } from './limb-evidence.ts';
import { positionOf } from './posed-rig.ts';

/** The hips are at most this far above the hip joints, in trunk lengths: the root of hair or of a cape is higher. */
const HIGHEST_HIPS = 0.4;
/** Bounds of the height of the node that the arms branch off from above the hip joints, in trunk lengths. */
const CHEST: readonly [number, number] = [0.2, 1.25];
/**
 * Maximum distance of the spine from the line between hip joints and shoulder joints, in trunk lengths, with feet and without:
 * necks, tails and the arms of machines bend more. VALID avatars without fingers and toes have 0.15.
 */
const OFF_LINE = 0.25;
const OFF_LINE_BARE = 0.18;
/** Minimum length of arms, in trunk lengths and in leg lengths: ears and jaws are shorter. */
const ARMS_BY_TRUNK = 0.4;
const ARMS_BY_LEGS = 0.25;
/** Minimum distance between the shoulder joints of both sides, in trunk lengths. */
const SHOULDERS = 0.25;
/**
 * Maximum cosine between the legs and the direction from hips to shoulders: they point away from the trunk, also on a chair.
 * Chains without feet show less, so they must be straight below it.
 */
const LEGS_UP = -0.65;
const LEGS_UP_BARE = -0.8;
/** Maximum cosine between legs and the line of the hips: fins and wings point to the side. */
const LEGS_ASIDE = 0.65;

/** Tests that the trunk is a line of joints from hips between the legs to a chest between the arms. */
function hasTrunk({ rig, legs, hips, path, legFit, armFit, up, trunk }: HumanoidFit): boolean {
  const hipMiddle = jointMidpoint(rig, legs, 0);
  const fromHips = (node: number): Vec3 => minus(positionOf(rig, node), hipMiddle);
  const heightOf = (node: number): number => dot(fromHips(node), up) / trunk;
  const chest = heightOf(armFit.pair.parent);
  const off = hasFoot(rig, legFit) ? OFF_LINE : OFF_LINE_BARE;
  return (
    path.length > 0 &&
    heightOf(hips) < HIGHEST_HIPS &&
    chest > CHEST[0] &&
    chest < CHEST[1] &&
    path.every((node) => norm(perpendicular(fromHips(node), up)) < off * trunk)
  );
}

/** Tests that arms of some length start at both sides of the trunk. */
function hasArms({ rig, arms: [a, b], legFit, armFit, trunk }: HumanoidFit): boolean {
  const length = armFit.upper + armFit.lower;
  return (
    length > ARMS_BY_TRUNK * trunk &&
    length > ARMS_BY_LEGS * (legFit.upper + legFit.lower) &&
    norm(minus(positionOf(rig, a[0]), positionOf(rig, b[0]))) > SHOULDERS * trunk
  );
}

/** Tests that the legs point down, away from the trunk. */
function hasLegs({ rig, legs, legFit, up, side }: HumanoidFit): boolean {
  const along = ([upper, , foot]: LimbJoints): Vec3 => minus(positionOf(rig, foot), positionOf(rig, upper));
  const down = minus(jointMidpoint(rig, legs, 2), jointMidpoint(rig, legs, 0));
  const most = hasFoot(rig, legFit) ? LEGS_UP : LEGS_UP_BARE;
  return cosine(down, up) < most && legs.every((leg) => Math.abs(cosine(along(leg), side)) < LEGS_ASIDE);
}

export function hasHumanBuild(fit: HumanoidFit): boolean {
  return hasFingers(fit.rig, fit.armFit) || (hasTrunk(fit) && hasArms(fit) && hasLegs(fit));
}

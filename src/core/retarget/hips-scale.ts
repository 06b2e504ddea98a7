/** How far the pelvis of the target travels per meter of the source. */
import { BONE, SIDES, type Side } from '../humanoid/bones.ts';
import type { ReferencePair } from '../humanoid/declared-pose.ts';
import { isHipsHeightUsable } from '../humanoid/hips-height.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as vec3 from '../math/vec3.ts';
import type { HipsScale } from './options.ts';

/** Returns the length of thigh and shin in the reference pose, meters; null for a leg without all of its joints. */
export function legLength({ map, reference: { positions } }: Humanoid, side: Side): number | null {
  const [thigh, shin, foot] = [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]];
  if (map.nodes[thigh] < 0 || map.nodes[shin] < 0 || map.nodes[foot] < 0) return null;
  return (
    vec3.distance(positions, 3 * thigh, positions, 3 * shin) + vec3.distance(positions, 3 * shin, positions, 3 * foot)
  );
}

/** Returns the hips height, meters; null if it is not usable as a scale. */
function hipsHeightOf({ hipsHeight, height }: Humanoid): number | null {
  return isHipsHeightUsable(hipsHeight, height) ? hipsHeight : null;
}

/** Returns the height of the hips joint, meters; null if it is not usable as a scale. */
function jointHeightOf({ reference, ground, height }: Humanoid): number | null {
  const jointHeight = reference.positions[3 * BONE.hips + 1] - ground;
  return isHipsHeightUsable(jointHeight, height) ? jointHeight : null;
}

/** Returns the mean length of the legs from the hip joint to the ground in the reference pose, meters; without complete legs the hips height. */
function legLengthOf(humanoid: Humanoid): number | null {
  const { reference, ground } = humanoid;
  const lengths = SIDES.flatMap((side) => {
    const length = legLength(humanoid, side);
    return length === null ? [] : [length + Math.max(0, reference.positions[3 * BONE[`${side}Foot`] + 1] - ground)];
  });
  const length = lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  return length > 0 ? length : hipsHeightOf(humanoid);
}

/** Returns the height of the character, meters; null without one. */
function statureOf({ height }: Humanoid): number | null {
  return height > 0 ? height : null;
}

const LENGTHS = { hips: hipsHeightOf, legs: legLengthOf, stature: statureOf } as const;

/**
 * Computes how far the pelvis of the target travels. Returns meters of the target per meter of the source; 1 if one of the characters lacks the
 * length that is compared.
 */
export function hipsFactor({ source, target, hips }: ReferencePair, hipsScale: HipsScale): number {
  if (typeof hipsScale === 'number') return hipsScale;
  if (hipsScale === 'none') return 1;
  const lengthOf = hipsScale === 'hips' && hips === 'joint' ? jointHeightOf : LENGTHS[hipsScale];
  const [from, to] = [lengthOf(source), lengthOf(target)];
  return from === null || to === null ? 1 : to / from;
}

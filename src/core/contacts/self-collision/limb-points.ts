/** The points of arms that are kept out of the rest of a character, and the parts they are kept out of. */
import { BONE, BONES, type BoneName, SIDES, type Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import { LONG_HAND } from '../../humanoid/t-pose/parts/palms.ts';
import * as vec3 from '../../math/vec3.ts';
import { isAncestor } from '../../skeleton/topology.ts';
import type { ContactSurface } from '../surface/contact-surface.ts';
import { type BoneRadii, COLUMNS, END_ROWS, groundSolid, MIDDLE_ROWS, type RadiusMap } from '../surface/radius-map.ts';
import { isHandBone } from '../surface/surface-bones.ts';

/** A point on the axis of a bone of an arm. */
export interface LimbPoint {
  /** Humanoid bone that moves it. */
  readonly bone: number;
  /** Offset from the joint, in the axes of the reference pose, canonical meters, xyz. */
  readonly offset: Float64Array;
  /** Radii of the bone; null where it has no surface. */
  readonly radii: BoneRadii | null;
  /** Position along the axis of the radii, meters. */
  readonly along: number;
  /** How much of the radius counts, 0…1. */
  readonly thickness: number;
  /** Greatest radius that counts, meters: a tool in the hand is not the hand. */
  readonly thickest: number;
  /** Whether it moves with the upper arm alone. */
  readonly isUpper: boolean;
}

export interface Arm {
  readonly side: Side;
  /** Bones: upper arm, lower arm, hand. */
  readonly bones: readonly [number, number, number];
  /** Shoulder bone, which moves the arm as a whole; null without, or where it is too short to. */
  readonly shoulder: number | null;
  /** One entry per kind of {@link POINT_KINDS}; null where a character lacks it. */
  readonly points: readonly (LimbPoint | null)[];
  /** Length from shoulder to wrist in the reference pose, meters. */
  readonly length: number;
  /** Surfaces of the bones of its hand, without those of a tool. */
  readonly hand: readonly BoneRadii[];
  readonly holdsTool: boolean;
  /** Axis of the elbow in the reference pose: bends the forearm to the front; xyz, unit. */
  readonly hinge: Float64Array;
}

/** Parts of a character that arms are kept out of: trunk, head, left and right thigh. */
const PARTS: readonly (readonly BoneName[])[] = [
  ['hips', 'spine', 'chest', 'upperChest'],
  ['head'],
  ['leftUpperLeg'],
  ['rightUpperLeg'],
];

/**
 * Kinds of points, from the shoulder to the fingers: the bone without its side, the fraction of its length, and how much of its thickness counts. Upper arms
 * and elbows touch the trunk in any relaxed pose.
 */
const POINT_KINDS: readonly (readonly [bone: string, fraction: number, thickness: number])[] = [
  ['UpperArm', 0.75, 0],
  ['LowerArm', 0, 0.3],
  ['LowerArm', 0.33, 0.7],
  ['LowerArm', 0.67, 1],
  ['LowerArm', 1, 1],
  ['Hand', 0.5, 1],
  ['Hand', 1, 1],
  ['ThumbDistal', 1, 1],
  ['IndexDistal', 1, 1],
  ['MiddleDistal', 1, 1],
  ['LittleDistal', 1, 1],
];

/** Bones that self-collision reads: those of the parts and the points, and lower legs, which tell a loop, and feet, which tell how far the body is below the ground. */
export const COLLISION_BONES: readonly number[] = [
  ...PARTS.flat(),
  ...SIDES.flatMap((side) =>
    [...POINT_KINDS.map(([bone]) => bone), 'LowerLeg', 'Foot'].map((bone) => `${side}${bone}` as BoneName),
  ),
].map((name) => BONE[name]);

/** Largest radius and offset of a hand or finger relative to the mean radius of the forearm. */
const THICK_HAND = 1.5;

/** Mean distance of the skin from the axis of a bone. */
function meanRadius({ radii }: BoneRadii): number {
  const sides = radii.subarray(COLUMNS * END_ROWS, COLUMNS * (END_ROWS + MIDDLE_ROWS));
  return sides.reduce((sum, radius) => sum + radius, 0) / sides.length;
}

/** Bone below each of the limbs, whose joint is the end of the limb. */
const NEXT: Readonly<Record<string, string>> = { UpperArm: 'LowerArm', LowerArm: 'Hand' };

/** Greatest radius and offset, and length, of a hand that count, meters. */
interface HandSize {
  readonly thickest: number;
  readonly longest: number;
}

function createPoint(
  { map, reference: { positions } }: Humanoid,
  radii: RadiusMap,
  side: Side,
  { thickest: thickestHand, longest }: HandSize,
  [end, fraction, thickness]: readonly [string, number, number],
): LimbPoint | null {
  const bone = BONE[`${side}${end}` as BoneName];
  if (map.nodes[bone] < 0) return null;
  const own = radii[bone];
  const isUpper = end === 'UpperArm';
  const offset = new Float64Array(3);
  const isLimb = end in NEXT;
  const thickest = isLimb ? Number.POSITIVE_INFINITY : thickestHand;
  if (isLimb) {
    const next = BONE[`${side}${NEXT[end]}` as BoneName];
    vec3.subtract(offset, 0, positions, 3 * next, positions, 3 * bone);
    vec3.scale(offset, 0, offset, 0, fraction);
  } else if (own !== null) {
    const beside = vec3.length(own.center, 0);
    vec3.scale(offset, 0, own.center, 0, beside > thickest ? thickest / beside : 1);
    vec3.addScaled(offset, 0, offset, 0, own.axes, 0, Math.min(own.to, longest) * fraction);
  } else return null;
  return {
    bone,
    offset,
    radii: own,
    along: own === null ? 0 : vec3.dot(offset, 0, own.axes, 0),
    thickness,
    thickest,
    isUpper,
  };
}

/**
 * Length of a shoulder bone relative to its arm below which it stays: rotated by 10° it moves the arm by less than 0.5 % of the length of the arm, 3 mm on an adult. RobotExpressive has 0.04,
 * Xbot 0.19.
 */
const SHORT_SHOULDER = 0.03;

function findBareArm(
  { map, skeleton, reference: { positions } }: Humanoid,
  side: Side,
): Pick<Arm, 'side' | 'bones' | 'shoulder' | 'length'> | null {
  const bones = [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], BONE[`${side}Hand`]] as const;
  if (bones.some((bone) => map.nodes[bone] < 0)) return null;
  const [upper, lower, hand] = bones;
  const length =
    vec3.distance(positions, 3 * upper, positions, 3 * lower) +
    vec3.distance(positions, 3 * lower, positions, 3 * hand);
  const shoulder = BONE[`${side}Shoulder`];
  const movesArm =
    map.nodes[shoulder] >= 0 &&
    isAncestor(skeleton.parents, map.nodes[shoulder], map.nodes[upper]) &&
    vec3.distance(positions, 3 * shoulder, positions, 3 * upper) >= SHORT_SHOULDER * length;
  return length > 0 ? { side, bones, shoulder: movesArm ? shoulder : null, length } : null;
}

/** Finds the complete arms of a character. A hand that alone is larger than a hand holds a tool; where both are, they are large. */
export function findArms(humanoid: Humanoid, { radii }: ContactSurface): readonly Arm[] {
  const found = SIDES.flatMap((side) => {
    const arm = findBareArm(humanoid, side);
    if (arm === null) return [];
    const forearm = radii[BONE[`${side}LowerArm`]];
    const thickest = forearm === null ? Number.POSITIVE_INFINITY : THICK_HAND * meanRadius(forearm);
    const size: HandSize = { thickest, longest: LONG_HAND * arm.length };
    const surfaces = radii.flatMap((one) => {
      return one !== null && isHandBone(one.bone) && BONES[one.bone].startsWith(side) ? [one] : [];
    });
    const ofHand = surfaces.filter(({ center, to }) => vec3.length(center, 0) < thickest && to < size.longest);
    return [{ arm, size, surfaces, ofHand }];
  });
  const armed = found.filter(({ surfaces, ofHand }) => ofHand.length < surfaces.length);
  return found.map((one): Arm => {
    const holdsTool = armed.length === 1 && armed[0] === one;
    const points = POINT_KINDS.map((kind) => createPoint(humanoid, radii, one.arm.side, one.size, kind));
    const hinge = Float64Array.of(0, one.arm.side === 'left' ? -1 : 1, 0);
    return { ...one.arm, points, hand: holdsTool ? one.ofHand : one.surfaces, holdsTool, hinge };
  });
}

/** Finds what arms are kept out of: the parts, and last the ground. */
export function findParts(surface: ContactSurface): readonly (readonly BoneRadii[])[] {
  return [...PARTS.map((names) => names.flatMap((name) => surface.radii[BONE[name]] ?? [])), [groundSolid(surface)]];
}

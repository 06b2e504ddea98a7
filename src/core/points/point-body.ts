import { BONE, BONE_COUNT, BONE_PARENTS, FINGER_SEGMENTS, FINGERS, SIDES, THUMB_SEGMENTS } from '../humanoid/bones.ts';
import { T_POSE_POSITIONS } from '../humanoid/canonical-rig.ts';
import { ROLE, ROLE_COUNT } from './roles.ts';

export interface SidePoints {
  /** 1 left, −1 right: the sign of x. */
  readonly sign: 1 | -1;
  readonly shoulder: number;
  readonly upperArm: number;
  readonly lowerArm: number;
  readonly hand: number;
  readonly upperLeg: number;
  readonly lowerLeg: number;
  readonly foot: number;
  readonly toes: number;
  readonly heel: number;
  readonly bigToe: number;
  readonly smallToe: number;
  readonly toeTip: number;
  readonly handTip: number;
  readonly thumbKnuckle: number;
  readonly indexKnuckle: number;
  readonly littleKnuckle: number;
  readonly ear: number;
  readonly eye: number;
  readonly mouth: number;
  /** Chains of roles of the thumb and the fingers, from the first joint to the tip. */
  readonly fingers: readonly (readonly number[])[];
}

function sidePoints(side: 'left' | 'right'): SidePoints {
  const role = (part: string): number => ROLE[`${side}${part}`];
  return {
    sign: side === 'left' ? 1 : -1,
    shoulder: role('Shoulder'),
    upperArm: role('UpperArm'),
    lowerArm: role('LowerArm'),
    hand: role('Hand'),
    upperLeg: role('UpperLeg'),
    lowerLeg: role('LowerLeg'),
    foot: role('Foot'),
    toes: role('Toes'),
    heel: role('Heel'),
    bigToe: role('BigToe'),
    smallToe: role('SmallToe'),
    toeTip: role('ToeTip'),
    handTip: role('HandTip'),
    thumbKnuckle: role('ThumbKnuckle'),
    indexKnuckle: role('IndexKnuckle'),
    littleKnuckle: role('LittleKnuckle'),
    ear: role('Ear'),
    eye: role('FaceEye'),
    mouth: role('Mouth'),
    fingers: [
      [...THUMB_SEGMENTS.map((segment) => role(`Thumb${segment}`)), role('ThumbTip')],
      ...FINGERS.map((finger) => [
        ...FINGER_SEGMENTS.map((segment) => role(`${finger}${segment}`)),
        role(`${finger}Tip`),
      ]),
    ],
  };
}

/** Both sides, left first. */
export const BODY_SIDES: readonly [SidePoints, SidePoints] = [sidePoints('left'), sidePoints('right')];

/** What a set of points shows. */
export interface PointBody {
  /** 1 for the roles that have a point. */
  readonly has: Uint8Array;
  /** Roles of the joints that points show from hips to neck, from below. */
  readonly trunk: readonly number[];
  /** Bones of the trunk above the hips, from below: two, or three where points show three. The last one carries neck and shoulders. */
  readonly spine: readonly number[];
  /** 1 for the bones that the skeleton has. */
  readonly bones: Uint8Array;
  /** T-pose: xyz per role, hips at the origin, +Y up, facing +Z, meters. */
  readonly rest: Float64Array;
}

const HIPS_HEIGHT = 0.93;

/** Offsets of points from their bones on the left side of an adult, meters: mean skulls, feet and hands (anthropometry to a centimeter). */
const OFFSETS: Readonly<Record<string, readonly [base: string, x: number, y: number, z: number]>> = {
  headTop: ['head', 0, 0.17, 0.02],
  nose: ['head', 0, 0.02, 0.1],
  '@Ear': ['head', 0.075, 0.04, -0.01],
  '@FaceEye': ['head', 0.032, 0.06, 0.07],
  '@Mouth': ['head', 0.025, -0.015, 0.085],
  '@Heel': ['@Foot', 0, -0.075, -0.05],
  '@BigToe': ['@Foot', -0.03, -0.075, 0.17],
  '@SmallToe': ['@Foot', 0.05, -0.075, 0.13],
  '@ToeTip': ['@Toes', 0, -0.02, 0.06],
  '@HandTip': ['@Hand', 0.17, 0, 0],
  '@ThumbKnuckle': ['@Hand', 0.06, 0, 0.06],
  '@IndexKnuckle': ['@IndexProximal', 0, 0, 0],
  '@LittleKnuckle': ['@LittleProximal', 0, 0, 0],
  '@ThumbTip': ['@ThumbDistal', 0.02, 0, 0.02],
  '@IndexTip': ['@IndexDistal', 0.02, 0, 0],
  '@MiddleTip': ['@MiddleDistal', 0.02, 0, 0],
  '@RingTip': ['@RingDistal', 0.02, 0, 0],
  '@LittleTip': ['@LittleDistal', 0.02, 0, 0],
};

/** The T-pose of an average adult: xyz per role, hips at the origin. */
function adultRest(): Float64Array {
  const rest = new Float64Array(3 * ROLE_COUNT);
  for (let k = 0; k < 3 * BONE_COUNT; k++) rest[k] = HIPS_HEIGHT * T_POSE_POSITIONS[k];
  for (const [point, [base, x, y, z]] of Object.entries(OFFSETS)) {
    const sides = point.startsWith('@') ? SIDES : ['left'];
    for (const side of sides) {
      const role = ROLE[point.replace('@', side)];
      const from = ROLE[base.replace('@', side)];
      const offset = [side === 'left' ? x : -x, y, z];
      for (let c = 0; c < 3; c++) rest[3 * role + c] = rest[3 * from + c] + offset[c];
    }
  }
  return rest;
}

/** Bones of the trunk by their number. */
const SPINES = [
  [BONE.spine, BONE.chest],
  [BONE.spine, BONE.chest],
  [BONE.spine, BONE.chest],
  [BONE.spine, BONE.chest, BONE.upperChest],
];

/** Roles whose points show more than their own place, so that the bones from which they are reached exist. */
function limbBones(has: Uint8Array, bones: Uint8Array): void {
  for (const side of BODY_SIDES) {
    bones[side.shoulder] = 1;
    for (const chain of [
      [side.upperArm, side.lowerArm, side.hand],
      [side.upperLeg, side.lowerLeg, side.foot],
    ])
      for (let k = 0; k < chain.length && has[chain[k]] === 1; k++) bones[chain[k]] = 1;
    const toePoints = [side.toes, side.bigToe, side.smallToe, side.toeTip];
    if (bones[side.foot] === 1 && toePoints.some((role) => has[role] === 1)) bones[side.toes] = 1;
    if (bones[side.hand] === 0) continue;
    for (const chain of side.fingers) {
      const length = chain.findIndex((role) => has[role] === 0);
      const known = length < 0 ? chain.length : length;
      // A single joint shows no direction.
      if (known < 2) continue;
      for (const bone of chain.slice(0, Math.min(known, 3))) bones[bone] = 1;
    }
  }
}

/** Describes the body that points show, with the T-pose of an average adult. `roles`: role of each point, −1 without. */
export function createPointBody(roles: ArrayLike<number>): PointBody {
  const has = new Uint8Array(ROLE_COUNT);
  for (let point = 0; point < roles.length; point++) if (roles[point] >= 0) has[roles[point]] = 1;
  const between = [BONE.spine, BONE.chest, BONE.upperChest].filter((role) => has[role] === 1);
  const trunk = [BONE.hips, ...between, BONE.neck];
  const spine = SPINES[between.length];
  const bones = new Uint8Array(BONE_COUNT);
  for (const bone of [BONE.hips, ...spine, BONE.neck, BONE.head]) bones[bone] = 1;
  limbBones(has, bones);
  return { has, trunk, spine, bones, rest: adultRest() };
}

/**
 * The segment of the trunk whose direction a bone of the spine has. Two joints or more between hips and neck are the bones; with one, the lower
 * bone has the direction from the hips to it; without one, all have that from hips to neck. `k`: index in `spine`. Returns index in `trunk` of its
 * lower joint.
 */
export function trunkSegment({ trunk }: PointBody, k: number): number {
  const joints = trunk.length - 2;
  return joints === 0 ? 0 : joints === 1 ? k : k + 1;
}

export function bodyParent({ bones }: PointBody, bone: number): number {
  let parent = BONE_PARENTS[bone];
  while (parent >= 0 && bones[parent] === 0) parent = BONE_PARENTS[parent];
  return parent;
}

/** The roles that points play in a body: joints of the 55 bones, and points beyond them that show how a bone is rotated. */
import { BONE_PARENTS, BONES, type BoneName, FINGERS, SIDES } from '../humanoid/bones.ts';

/** Points beyond the joints, with the bone that each belongs to; `@` stands for a side. */
const EXTRA_POINTS: readonly (readonly [point: string, bone: string])[] = [
  ['headTop', 'head'],
  ['nose', 'head'],
  ['@Ear', 'head'],
  ['@FaceEye', 'head'],
  ['@Mouth', 'head'],
  ['@Heel', '@Foot'],
  ['@BigToe', '@Foot'],
  ['@SmallToe', '@Foot'],
  ['@ToeTip', '@Toes'],
  ['@ThumbKnuckle', '@Hand'],
  ['@IndexKnuckle', '@Hand'],
  ['@LittleKnuckle', '@Hand'],
  ['@HandTip', '@Hand'],
  ['@ThumbTip', '@ThumbDistal'],
  ...FINGERS.map((finger) => [`@${finger}Tip`, `@${finger}Distal`] as const),
];

const extras = EXTRA_POINTS.flatMap(([point, bone]) =>
  point.startsWith('@') ? SIDES.map((side) => [point.replace('@', side), bone.replace('@', side)]) : [[point, bone]],
);

/** Names of all roles: the 55 bones, which stand for their joints, then the other points. */
export const POINT_ROLES: readonly string[] = [...BONES, ...extras.map(([point]) => point)];

export const ROLE_COUNT: number = POINT_ROLES.length;

export const ROLE: Readonly<Record<string, number>> = Object.freeze(
  Object.fromEntries(POINT_ROLES.map((name, role) => [name, role])),
);

/** The role above every role; −1 for the hips. Points beyond the joints are below the bone that they belong to. */
export const ROLE_PARENTS: Int16Array = Int16Array.from([
  ...BONE_PARENTS,
  ...extras.map(([, bone]) => BONES.indexOf(bone as BoneName)),
]);

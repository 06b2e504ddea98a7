/** The format of the contact sheets in a report, written by workers and drawn by the page. */
import type { BoneName } from '../../core/humanoid/bones.ts';

/** Figures per strip, from the start of the clip to its end. */
export const STRIP_FRAMES = 5;
/** Views per strip, one below the other: the front, and the left side. */
export const STRIP_VIEWS = 2;
/** Height of a character in units of a strip. */
export const STRIP_SCALE = 80;
/** Units above the ground that are stored as 0. */
export const STRIP_OFFSET = 45;

/** The drawn bones, each with the index of the bone that a line connects it to; of missing ones, that of their parent. */
export const STRIP_BONES: readonly (readonly [bone: BoneName, parent: number])[] = [
  ['hips', -1],
  ['spine', 0],
  ['chest', 1],
  ['upperChest', 2],
  ['neck', 3],
  ['head', 4],
  ['leftShoulder', 3],
  ['leftUpperArm', 6],
  ['leftLowerArm', 7],
  ['leftHand', 8],
  ['leftMiddleProximal', 9],
  ['rightShoulder', 3],
  ['rightUpperArm', 11],
  ['rightLowerArm', 12],
  ['rightHand', 13],
  ['rightMiddleProximal', 14],
  ['leftUpperLeg', 0],
  ['leftLowerLeg', 16],
  ['leftFoot', 17],
  ['leftToes', 18],
  ['rightUpperLeg', 0],
  ['rightLowerLeg', 20],
  ['rightFoot', 21],
  ['rightToes', 22],
];

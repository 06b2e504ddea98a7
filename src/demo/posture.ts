/** Rest and bind poses as they are found in files, made from the T-pose by a few angles. */
import { BONE } from '../core/humanoid/bones.ts';
import { DEGREE } from '../core/math/euler.ts';
import type { Figure } from './figure.ts';
import { type FootPlace, makeFootPlace, reachWithLeg } from './legs.ts';
import { composeTurns, curlFingers, makePose, makeTurns, type Pose, turnArm, turnBone, turnElbow } from './pose.ts';

/** Degrees; all left out is the T-pose. Both sides are alike. */
export interface Posture {
  /** Arms below the horizontal: 45 is an A-pose, 70 and more hangs down. */
  readonly arms?: number;
  /** Arms towards the front. */
  readonly armsForward?: number;
  /** Bend of the elbows. */
  readonly elbows?: number;
  /** Palms turned from down to the front, fore-arm and hand together. */
  readonly palms?: number;
  /** Curl of every joint of the fingers. */
  readonly fingers?: number;
  /** Legs apart, each from the vertical; the soles stay flat. */
  readonly legs?: number;
  /** Bend of the knees; the soles stay where they are. */
  readonly knees?: number;
  /** Body above the legs, towards the front. */
  readonly lean?: number;
}

/** The pose of a figure in a posture, its soles on the ground. */
export function makePosture(figure: Figure, posture: Posture): Pose {
  const { arms = 0, armsForward = 0, elbows = 0, palms = 0, fingers = 0, legs = 0, knees = 0, lean = 0 } = posture;
  const pose = makePose(figure);
  const turns = makeTurns();
  turnBone(turns, 'hips', lean);
  for (const side of ['left', 'right'] as const) {
    turnArm(turns, side, { down: arms, forward: armsForward });
    turnElbow(turns, side, elbows, palms);
    if (fingers !== 0) curlFingers(turns, side, fingers);
  }
  composeTurns(pose, turns);
  standOn(pose, figure, legs * DEGREE, knees * DEGREE);
  return pose;
}

/** Sets legs and hips: the ankles `apart` of the hip joints' vertical, the knees bent. */
function standOn(pose: Pose, figure: Figure, apart: number, knees: number): void {
  const { joints } = figure;
  const length = (from: number, to: number): number => joints[from * 3 + 1] - joints[to * 3 + 1];
  const thigh = length(BONE.leftUpperLeg, BONE.leftLowerLeg);
  const shin = length(BONE.leftLowerLeg, BONE.leftFoot);
  const reach = Math.sqrt(thigh * thigh + shin * shin + 2 * thigh * shin * Math.cos(knees));
  const place: FootPlace = makeFootPlace();
  const ankle = joints[BONE.leftFoot * 3 + 1];
  // Where the hip joints are after the lean, in the plane that they keep.
  const drop = joints[BONE.hips * 3 + 1] - joints[BONE.leftUpperLeg * 3 + 1];
  const tilt = 2 * Math.atan2(pose.deltas[BONE.hips * 4], pose.deltas[BONE.hips * 4 + 3]);
  pose.hips[1] = ankle + reach * Math.cos(apart) + drop * Math.cos(tilt);
  pose.hips[2] = drop * Math.sin(tilt);
  for (const side of ['left', 'right'] as const) {
    const hip = BONE[`${side}UpperLeg`] * 3;
    place.ankle[0] = joints[hip] + (side === 'left' ? 1 : -1) * reach * Math.sin(apart);
    place.ankle[1] = ankle;
    place.ankle[2] = 0;
    reachWithLeg(pose, figure, side, place);
  }
}

/** Rest and bind poses as real files have them, described by a few angles from the T-pose. */
import { BONE } from '../../core/humanoid/bones.ts';
import { DEGREE } from '../../core/math/euler.ts';
import type { Figure } from './figure.ts';
import { type FootTransform, makeFootTransform, reachWithLeg } from './legs.ts';
import {
  bendElbow,
  composeRotations,
  curlFingers,
  makeLocalRotations,
  makePose,
  type Pose,
  rotateArm,
  rotateBone,
} from './pose.ts';

/** Angles of a symmetric standing pose, degrees. Missing angles are 0; all 0 is the T-pose. */
export interface Posture {
  /** Arms below the horizontal: 45 is an A-pose, 70 or more is arms down. */
  readonly arms?: number;
  readonly armsForward?: number;
  readonly elbows?: number;
  /** Rotation of forearm and hand that moves the palms from facing down to facing the front. */
  readonly palms?: number;
  readonly fingers?: number;
  /** Angle of each leg from the vertical, legs apart; the soles stay flat. */
  readonly legs?: number;
  readonly knees?: number;
  /** Forward lean of everything above the legs. */
  readonly lean?: number;
}

/** Creates the pose of a figure in a posture, with its soles on the ground. `posture`: degrees. The pose is in the canonical frame and meters. */
export function makePosture(figure: Figure, posture: Posture): Pose {
  const { arms = 0, armsForward = 0, elbows = 0, palms = 0, fingers = 0, legs = 0, knees = 0, lean = 0 } = posture;
  const pose = makePose(figure);
  const rotations = makeLocalRotations();
  rotateBone(rotations, 'hips', lean);
  for (const side of ['left', 'right'] as const) {
    rotateArm(rotations, side, { down: arms, forward: armsForward });
    bendElbow(rotations, side, elbows, palms);
    if (fingers !== 0) curlFingers(rotations, side, fingers);
  }
  composeRotations(pose, rotations);
  standOn(pose, figure, legs * DEGREE, knees * DEGREE);
  return pose;
}

/** Sets legs and hips. `apart` is the angle of each leg from the vertical, `knees` the bend of the knees; both in radians. */
function standOn(pose: Pose, figure: Figure, apart: number, knees: number): void {
  const { joints } = figure;
  const length = (from: number, to: number): number => joints[from * 3 + 1] - joints[to * 3 + 1];
  const thigh = length(BONE.leftUpperLeg, BONE.leftLowerLeg);
  const shin = length(BONE.leftLowerLeg, BONE.leftFoot);
  const reach = Math.sqrt(thigh * thigh + shin * shin + 2 * thigh * shin * Math.cos(knees));
  const foot: FootTransform = makeFootTransform();
  const ankle = joints[BONE.leftFoot * 3 + 1];
  // Height and depth of the hip joints after the lean.
  const drop = joints[BONE.hips * 3 + 1] - joints[BONE.leftUpperLeg * 3 + 1];
  const tilt = 2 * Math.atan2(pose.deltas[BONE.hips * 4], pose.deltas[BONE.hips * 4 + 3]);
  pose.hips[1] = ankle + reach * Math.cos(apart) + drop * Math.cos(tilt);
  pose.hips[2] = drop * Math.sin(tilt);
  for (const side of ['left', 'right'] as const) {
    const hip = BONE[`${side}UpperLeg`] * 3;
    foot.ankle[0] = joints[hip] + (side === 'left' ? 1 : -1) * reach * Math.sin(apart);
    foot.ankle[1] = ankle;
    foot.ankle[2] = 0;
    reachWithLeg(pose, figure, side, foot);
  }
}

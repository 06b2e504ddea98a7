/** A wave of the right hand while standing: the arm rises, the forearm swings to and fro, the arm is lowered. */

import type { Side } from '../../core/humanoid/bones.ts';
import type { Figure } from '../figure/figure.ts';
import {
  bendElbow,
  composeRotations,
  curlFingers,
  makeLocalRotations,
  type Pose,
  rotateArm,
  rotateBone,
} from '../figure/pose.ts';
import {
  blinkAt,
  type Footsteps,
  lowerArms,
  loweredArmAngle,
  type Motion,
  onFrame,
  plantLegs,
  reachableHipsHeight,
} from './motion.ts';
import { type Stance, type StepStyle, smooth } from './steps.ts';

const DURATION = 3.2;
const RAISE_FROM = 0.25;
const RAISED = 0.95;
const LOWER_FROM = 2.45;
const LOWERED = 3.05;
const RATE = 1.6;

function standing(figure: Figure, side: Side): Stance[] {
  const sign = side === 'left' ? 1 : -1;
  return [{ x: sign * figure.proportions.hipWidth * 0.6, z: 0, yaw: sign * 0.15, from: -1, to: 1e6 }];
}

/** Creates a wave of the right hand; both feet stay planted. */
export function makeWave(figure: Figure): Motion {
  const { hipWidth } = figure.proportions;
  const style: StepStyle = { toeOffPitch: 0, strikePitch: 0, rollOff: 0, rollDown: 0, clearance: 0 };
  const steps: Footsteps = { left: standing(figure, 'left'), right: standing(figure, 'right') };
  const rotations = makeLocalRotations();
  const lowered = loweredArmAngle(figure);
  const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

  const poseTorsoAndArms = (out: Pose, time: number, height: number): void => {
    const raised =
      smooth((time - RAISE_FROM) / (RAISED - RAISE_FROM)) * smooth((LOWERED - time) / (LOWERED - LOWER_FROM));
    // The elbow leads while the arm rises, the hand leads while it is lowered.
    const bent =
      smooth((time - RAISE_FROM) / (RAISED - RAISE_FROM - 0.15)) *
      smooth((LOWERED - 0.1 - time) / (LOWERED - LOWER_FROM));
    const waving = smooth((time - RAISED + 0.25) / 0.35) * smooth((LOWER_FROM + 0.2 - time) / 0.35);
    const swing = waving * Math.sin(2 * Math.PI * RATE * (time - RAISED + 0.25));
    const breath = Math.sin((2 * Math.PI * time) / DURATION);
    const aside = 0.16 * hipWidth * raised;
    out.hips[0] = aside;
    out.hips[1] = height + 0.0015 * breath * figure.hipsHeight;
    out.hips[2] = 0;
    rotateBone(rotations, 'hips', 1, 0, 1.5 * raised);
    rotateBone(rotations, 'spine', 0.5 * breath, -2 * raised, 0.5 * raised);
    rotateBone(rotations, 'chest', 0.5 * breath, -2 * raised, 1 * raised);
    rotateBone(rotations, 'upperChest', 0, -2 * raised, 1 * raised);
    rotateBone(rotations, 'neck', 0, 2 * raised, -2 * raised);
    rotateBone(rotations, 'head', 1 - 2 * raised, 3 * raised, -5 * raised + 1.5 * swing);
    lowerArms(rotations, figure);
    rotateBone(rotations, 'rightShoulder', 0, 0, 8 * raised);
    rotateArm(rotations, 'right', {
      down: mix(lowered, 8, raised) - 3 * swing,
      forward: 22 * raised,
      swing: 2 * (1 - raised),
      roll: mix(8, 88, bent) + 6 * swing,
    });
    bendElbow(rotations, 'right', mix(14, 92, bent) - 24 * swing);
    rotateBone(rotations, 'rightHand', 0, 8 * swing, 6 * raised);
    curlFingers(rotations, 'right', mix(16, 4, raised));
    composeRotations(out, rotations);
  };
  const height = reachableHipsHeight(figure, steps, style, DURATION, (out, time) => poseTorsoAndArms(out, time, 0));
  return {
    name: 'wave',
    figure,
    duration: onFrame(DURATION),
    pose(out, time): void {
      poseTorsoAndArms(out, time, height);
      plantLegs(out, figure, steps, style, time);
    },
    face: (time) => ({
      blink: blinkAt(time, [0.6, 2.6]),
      happy: smooth((time - RAISE_FROM) / 0.5) * smooth((DURATION - 0.1 - time) / 0.6),
    }),
  };
}

/** A pivot to the left, in place: 180° in six steps, led by the head. */

import { SIDES, type Side } from '../../core/humanoid/bones.ts';
import { DEGREE } from '../../core/math/euler.ts';
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
import { type Footsteps, loweredArmAngle, type Motion, onFrame, plantLegs, reachableHipsHeight } from './motion.ts';
import { type Stance, type StepStyle, smooth } from './steps.ts';

/** Degrees that a foot rotates with one step. */
const STEP_DEGREES = 60;
const STEPS_A_FOOT = 3;
const START = 0.4;
/** Seconds from the lift of one foot to the lift of the other. */
const BEAT = 0.52;
/** Seconds of a beat in which both feet are planted. */
const BOTH = 0.1;
const END = 0.7;

/** Creates a stance beside the center, rotated by `degrees` about it, from time `from` to time `to`. */
function stanceAt(figure: Figure, side: Side, degrees: number, from: number, to: number): Stance {
  const { hipWidth, foot } = figure.proportions;
  const sign = side === 'left' ? 1 : -1;
  const apart = sign * Math.max(hipWidth * 0.55, 0.28 * foot);
  const yaw = degrees * DEGREE;
  return { x: apart * Math.cos(yaw), z: -apart * Math.sin(yaw), yaw: yaw + sign * 0.12, from, to };
}

/** Lists the stances of a foot: the left foot opens, the right foot closes. */
function stances(figure: Figure, side: Side): Stance[] {
  const list: Stance[] = [];
  let from = -1;
  for (let n = 0; n <= STEPS_A_FOOT; n++) {
    const lift = START + (2 * n + (side === 'left' ? 0 : 1)) * BEAT;
    list.push(stanceAt(figure, side, n * STEP_DEGREES, from, n < STEPS_A_FOOT ? lift : 1e6));
    from = lift + BEAT - BOTH;
  }
  return list;
}

/** Eases from 0 to 1: accelerates over the first fifth, slows down over the last, constant speed in between. */
function evenly(t: number): number {
  const u = Math.min(1, Math.max(0, t));
  const ramp = 0.2;
  const speed = 1 / (1 - ramp);
  if (u < ramp) return (speed * u * u) / (2 * ramp);
  if (u > 1 - ramp) return 1 - (speed * (1 - u) * (1 - u)) / (2 * ramp);
  return speed * (u - ramp / 2);
}

/** Creates a pivot to the left by 180°; the figure stands still before and after. */
export function makePivot(figure: Figure): Motion {
  const { leg, hipWidth } = figure.proportions;
  const stepping = 2 * STEPS_A_FOOT * BEAT;
  const duration = onFrame(START + stepping + END);
  const style: StepStyle = {
    toeOffPitch: 0.35,
    strikePitch: -0.08,
    rollOff: 0.12,
    rollDown: 0.06,
    clearance: 0.055 * leg,
  };
  const steps: Footsteps = { left: stances(figure, 'left'), right: stances(figure, 'right') };
  const rotations = makeLocalRotations();
  const down = loweredArmAngle(figure);
  const angle = 180;

  const poseTorsoAndArms = (out: Pose, time: number, height: number, sunk: number): void => {
    const progress = (ahead: number): number => evenly((time + ahead - START) / (stepping + 0.1));
    const heading = angle * progress(0);
    const headAhead = angle * progress(0.3) - heading;
    const chestAhead = angle * progress(0.13) - heading;
    const armsAhead = angle * progress(-0.16) - heading;
    // +1 where the right foot steps and the left foot carries the weight; 0 before, between and after the steps.
    const beat = (time - START) / BEAT;
    const carried = beat > 0 && beat < 2 * STEPS_A_FOOT ? -Math.sin(Math.PI * beat) : 0;
    const amount = smooth(beat * 2) * smooth((2 * STEPS_A_FOOT - beat) * 2);
    const shift = carried * amount * 0.3 * hipWidth;
    const yaw = heading * DEGREE;
    out.hips[0] = shift * Math.cos(yaw);
    out.hips[1] = height - sunk * amount - 0.008 * leg * amount * (1 + Math.cos(2 * Math.PI * beat));
    out.hips[2] = -shift * Math.sin(yaw);
    rotateBone(rotations, 'hips', 1, heading, 2 * carried * amount);
    rotateBone(rotations, 'spine', 1, 0.3 * chestAhead, -carried * amount);
    rotateBone(rotations, 'chest', 0, 0.35 * chestAhead, -0.6 * carried * amount);
    rotateBone(rotations, 'upperChest', 0, 0.35 * chestAhead, 0);
    rotateBone(rotations, 'neck', 0, 0.4 * (headAhead - chestAhead), 0);
    rotateBone(rotations, 'head', 2, 0.6 * (headAhead - chestAhead), 0);
    for (const side of SIDES) {
      const sign = side === 'left' ? 1 : -1;
      const lag = sign * armsAhead;
      rotateArm(rotations, side, { down: down - 3 - 0.1 * Math.abs(armsAhead), swing: 3 - 0.5 * lag, roll: 8 });
      bendElbow(rotations, side, 18 + 0.3 * Math.abs(armsAhead));
      curlFingers(rotations, side, 18);
    }
    composeRotations(out, rotations);
  };
  const standing = reachableHipsHeight(figure, steps, style, 0, (out, time) => poseTorsoAndArms(out, time, 0, 0));
  const height = reachableHipsHeight(figure, steps, style, duration, (out, time) => poseTorsoAndArms(out, time, 0, 0));
  return {
    name: 'turn',
    figure,
    duration,
    pose(out, time): void {
      poseTorsoAndArms(out, time, standing, standing - height);
      plantLegs(out, figure, steps, style, time);
    },
  };
}

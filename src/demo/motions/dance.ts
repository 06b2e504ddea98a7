/** A dance in place: step and touch to both sides, with pumping arms and then with the hands in the air. It loops after eight beats. */

import { SIDES, type Side } from '../../core/humanoid/bones.ts';
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
import { blinkAt, type Footsteps, type Motion, plantLegs, reachableHipsHeight } from './motion.ts';
import { type Stance, type StepStyle, smooth } from './steps.ts';

/** Seconds of a beat: 112 a minute, in whole frames. */
const BEAT = 16 / 30;
const BEATS = 8;
/** Sidewards way of the hips from the middle, by the length of the leg. */
const WAY_BY_LEG = 0.16;

/** Lists the stances of one foot: a step aside, and one that closes; with extra steps before and after the loop. */
function stances(figure: Figure, side: Side): Stance[] {
  const { hipWidth, leg, foot } = figure.proportions;
  const sign = side === 'left' ? 1 : -1;
  const way = WAY_BY_LEG * leg;
  // Feet that close do not touch, however wide they are.
  const half = Math.max(0.55 * hipWidth, 0.24 * foot);
  const list: Stance[] = [];
  // The right foot begins.
  const shift = side === 'left' ? 2 : 0;
  for (let bar = -2; bar <= BEATS / 4 + 1; bar++) {
    const at = (beat: number): number => (4 * bar + shift + beat) * BEAT;
    list.push({ x: sign * (way + half), z: 0, yaw: sign * 0.2, from: at(0.72), to: at(2.95) });
    list.push({ x: -sign * (way - half), z: 0.1 * foot, yaw: sign * 0.1, from: at(3.7), to: at(3.98) });
  }
  return list;
}

/** Creates a dance of eight beats in place, whose end meets its beginning. */
export function makeDance(figure: Figure): Motion {
  const { leg, foot } = figure.proportions;
  const style: StepStyle = {
    toeOffPitch: 0.45,
    strikePitch: 0,
    rollOff: 0.2 * BEAT,
    rollDown: 0.12 * BEAT,
    clearance: 0.16 * foot,
  };
  const steps: Footsteps = { left: stances(figure, 'left'), right: stances(figure, 'right') };
  const rotations = makeLocalRotations();
  const duration = BEATS * BEAT;

  const poseTorsoAndArms = (out: Pose, time: number, height: number): void => {
    const beat = time / BEAT;
    const turn = 2 * Math.PI * beat;
    const aside = Math.cos(turn / 4);
    const bounce = 0.5 + 0.5 * Math.cos(turn);
    // The second half of the loop has the hands in the air.
    const inLoop = ((beat % BEATS) + BEATS) % BEATS;
    const high = smooth((inLoop - 3.5) / 1) * smooth((BEATS - 0.3 - inLoop) / 1);
    out.hips[0] = WAY_BY_LEG * leg * aside;
    out.hips[1] = height - 0.035 * leg * bounce;
    out.hips[2] = 0.02 * leg * Math.sin(turn / 2);
    const sway = Math.sin(turn / 4);
    const twist = Math.sin(turn / 2);
    rotateBone(rotations, 'hips', 3 + 2 * bounce, 9 * twist, -5 * sway);
    rotateBone(rotations, 'spine', 1 + 2 * bounce, -5 * twist, 3 * sway);
    rotateBone(rotations, 'chest', 1 + 2 * bounce, -6 * twist, 5 * sway - 3 * aside * high);
    rotateBone(rotations, 'upperChest', -2, -5 * twist, 4 * sway - 3 * aside * high);
    rotateBone(rotations, 'neck', -1 + 3 * bounce, 3 * twist, -4 * sway);
    rotateBone(rotations, 'head', -4 + 5 * bounce - 4 * high, 5 * twist, -6 * sway);
    for (const side of SIDES) {
      const sign = side === 'left' ? 1 : -1;
      const pump = 0.5 + 0.5 * sign * Math.sin(turn / 2);
      const swing = sign * aside;
      const mix = (low: number, up: number): number => low + (up - low) * high;
      rotateBone(rotations, `${side}Shoulder`, 0, 0, mix(4 * pump, 12));
      rotateArm(rotations, side, {
        down: mix(58 - 34 * pump, -42 + 14 * swing),
        forward: mix(8 + 34 * pump, 14),
        swing: mix(10 * pump, 0),
        roll: mix(20 + 30 * pump, 55),
      });
      bendElbow(rotations, side, mix(72 + 26 * pump, 34 + 20 * swing + 10 * bounce));
      rotateBone(rotations, `${side}Hand`, 0, 8 * (pump - 0.5), mix(4, 14 * swing));
      curlFingers(rotations, side, mix(46, 10));
    }
    composeRotations(out, rotations);
  };
  const height = reachableHipsHeight(figure, steps, style, duration, (out, time) => poseTorsoAndArms(out, time, 0));
  return {
    name: 'dance',
    figure,
    duration,
    pose(out, time): void {
      poseTorsoAndArms(out, time, height);
      plantLegs(out, figure, steps, style, time);
    },
    face: (time) => ({
      blink: blinkAt(time, [1.5 * BEAT, 5.5 * BEAT]),
      // A smile that grows with the hands in the air.
      happy: 0.65 - 0.35 * Math.cos((2 * Math.PI * (time - BEAT)) / duration),
    }),
  };
}

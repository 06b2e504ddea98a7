/** A walk at an easy pace: two cycles, four steps. */

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
import { type Footsteps, loweredArmAngle, type Motion, onFrame, plantLegs, reachableHipsHeight } from './motion.ts';
import type { Stance, StepStyle } from './steps.ts';

const CYCLES = 2;
/** Duration of a cycle, times √(leg / g): 1.1 s for an adult. */
const CYCLE_BY_PENDULUM = 3.75;
/** Length of a step by the length of the leg: 0.63 m for an adult. */
const STEP_BY_LEG = 0.76;
/** Distance of the hips behind the ankle at heel strike, by the length of the leg. */
const LEAD_BY_LEG = 0.35;
/** Fractions of the cycle from heel strike to sole down, heel off and toe off. */
const FLAT = 0.07;
const HEEL_OFF = 0.34;
const TOE_OFF = 0.62;

/** Lists the stances of one foot, with extra steps so that the first and the last swing are complete. */
function stances(figure: Figure, side: Side, cycle: number): Stance[] {
  const { leg, hipWidth } = figure.proportions;
  const sign = side === 'left' ? 1 : -1;
  const list: Stance[] = [];
  for (let n = -2; n <= CYCLES + 1; n++) {
    const strike = side === 'left' ? n : n + 0.5;
    list.push({
      x: sign * hipWidth * 0.42,
      z: (strike * 2 * STEP_BY_LEG + LEAD_BY_LEG) * leg,
      yaw: sign * 0.1,
      from: (strike + FLAT) * cycle,
      to: (strike + HEEL_OFF) * cycle,
    });
  }
  return list;
}

/** Creates a walk along +Z from the origin; the left heel strikes at time 0. */
export function makeWalk(figure: Figure): Motion {
  const { leg, hipWidth, foot } = figure.proportions;
  const cycle = onFrame(CYCLE_BY_PENDULUM * Math.sqrt(leg / 9.81));
  const speed = (2 * STEP_BY_LEG * leg) / cycle;
  const style: StepStyle = {
    toeOffPitch: 1,
    strikePitch: -0.3,
    rollOff: (TOE_OFF - HEEL_OFF) * cycle,
    rollDown: FLAT * cycle,
    clearance: 0.1 * foot,
  };
  const steps: Footsteps = { left: stances(figure, 'left', cycle), right: stances(figure, 'right', cycle) };
  const rotations = makeLocalRotations();
  const down = loweredArmAngle(figure);

  const poseTorsoAndArms = (out: Pose, time: number, height: number): void => {
    const phase = (2 * Math.PI * time) / cycle;
    const forward = Math.cos(phase);
    const weight = Math.sin(phase - 0.3);
    out.hips[0] = 0.13 * hipWidth * weight;
    out.hips[1] = height - 0.015 * leg * Math.cos(2 * phase - 0.1);
    out.hips[2] = speed * time + 0.012 * leg * Math.sin(2 * phase);
    // The hips rotate with the forward leg and drop on its side; the chest rotates against them, so that the head stays level.
    rotateBone(rotations, 'hips', 2, -5 * forward, 3 * weight);
    rotateBone(rotations, 'spine', 1, 3 * forward, -1.5 * weight);
    rotateBone(rotations, 'chest', 1, 3.5 * forward, -1.2 * weight);
    rotateBone(rotations, 'upperChest', 0, 3.5 * forward, -0.8 * weight);
    rotateBone(rotations, 'neck', -2, -2 * forward, 0.3 * weight);
    rotateBone(rotations, 'head', -2, -3 * forward, 0.2 * weight);
    for (const side of SIDES) {
      const swing = side === 'left' ? -forward : forward;
      rotateBone(rotations, `${side}Shoulder`, 0, -3 * swing, 0);
      rotateArm(rotations, side, { down: down - 2, swing: 1 + 21 * swing, roll: 10 });
      bendElbow(rotations, side, 18 + 9 * swing);
      rotateBone(rotations, `${side}Hand`, 0, -4 * swing, -3);
      curlFingers(rotations, side, 18);
    }
    composeRotations(out, rotations);
  };
  const height = reachableHipsHeight(figure, steps, style, cycle, (out, time) => poseTorsoAndArms(out, time, 0));
  return {
    name: 'walk',
    figure,
    duration: CYCLES * cycle,
    pose(out, time): void {
      poseTorsoAndArms(out, time, height);
      plantLegs(out, figure, steps, style, time);
    },
  };
}

/** A walk at an easy pace, on and on: two cycles in place and time, four steps. */
import type { Figure } from './figure.ts';
import { type Footsteps, hangingArms, type Motion, onFrame, plantLegs, reachableHipsHeight, SIDES } from './motion.ts';
import { composeTurns, curlFingers, makeTurns, type Pose, type Side, turnArm, turnBone, turnElbow } from './pose.ts';
import type { Stance, StepStyle } from './steps.ts';

const CYCLES = 2;
/** Time of one cycle by that of a pendulum of the leg's length, and length of a step by the leg's: 1.1 s and 0.63 m of an adult. */
const CYCLE_BY_PENDULUM = 3.75;
const STEP_BY_LEG = 0.76;
/** Where the body is behind the ankle when the heel touches the ground, by the leg's length. */
const LEAD_BY_LEG = 0.35;
/** Parts of the cycle from heel strike to sole down, heel off and toe off. */
const FLAT = 0.07;
const HEEL_OFF = 0.34;
const TOE_OFF = 0.62;

/** The steps of one foot, enough that the first and the last swing are whole. */
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

/** The walk of a figure: forward along +Z from the origin, the left heel touching the ground at time 0. */
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
  const turns = makeTurns();
  const down = hangingArms(figure);

  const upperBody = (out: Pose, time: number, height: number): void => {
    const phase = (2 * Math.PI * time) / cycle;
    const forward = Math.cos(phase);
    const weight = Math.sin(phase - 0.3);
    out.hips[0] = 0.13 * hipWidth * weight;
    out.hips[1] = height - 0.015 * leg * Math.cos(2 * phase - 0.1);
    out.hips[2] = speed * time + 0.012 * leg * Math.sin(2 * phase);
    // The hips turn with the leg that swings forward and sink on its side; the chest turns against them, the head stays.
    turnBone(turns, 'hips', 2, -5 * forward, 3 * weight);
    turnBone(turns, 'spine', 1, 3 * forward, -1.5 * weight);
    turnBone(turns, 'chest', 1, 3.5 * forward, -1.2 * weight);
    turnBone(turns, 'upperChest', 0, 3.5 * forward, -0.8 * weight);
    turnBone(turns, 'neck', -2, -2 * forward, 0.3 * weight);
    turnBone(turns, 'head', -2, -3 * forward, 0.2 * weight);
    for (const side of SIDES) {
      const swing = side === 'left' ? -forward : forward;
      turnBone(turns, `${side}Shoulder`, 0, -3 * swing, 0);
      turnArm(turns, side, { down: down - 2, swing: 1 + 21 * swing, roll: 10 });
      turnElbow(turns, side, 18 + 9 * swing);
      turnBone(turns, `${side}Hand`, 0, -4 * swing, -3);
      curlFingers(turns, side, 18);
    }
    composeTurns(out, turns);
  };
  const height = reachableHipsHeight(figure, steps, style, cycle, (out, time) => upperBody(out, time, 0));
  return {
    name: 'walk',
    figure,
    duration: CYCLES * cycle,
    pose(out, time): void {
      upperBody(out, time, height);
      plantLegs(out, figure, steps, style, time);
    },
  };
}

/** Procedural motions: poses of a figure as a function of time, and helpers shared by all motions. */

import { SIDES, type Side } from '../../core/humanoid/bones.ts';
import type { Figure } from '../figure/figure.ts';
import { type FootTransform, hipJoint, makeFootTransform, reachWithLeg } from '../figure/legs.ts';
import { bendElbow, curlFingers, type LocalRotations, makePose, type Pose, rotateArm } from '../figure/pose.ts';
import { footAt, type Stance, type StepStyle } from './steps.ts';

/** Expressions of the cast, by their names in VRM 1.0. */
export const EXPRESSIONS = ['blink', 'happy'] as const;

/** How much a face shows of each expression, 0…1. */
export type Expressions = Readonly<Record<(typeof EXPRESSIONS)[number], number>>;

/** A motion of one figure. Rotations fit any figure; the hips positions fit only figures of this size. */
export interface Motion {
  readonly name: string;
  readonly figure: Figure;
  /** Duration in seconds; a whole number of frames at {@link FRAME_RATE}. */
  readonly duration: number;
  pose(out: Pose, time: number): void;
  /** Returns the weights of expressions at `time`, 0…1. None by default. */
  face?(time: number): Expressions;
}

/** Half the time of a blink, seconds. */
const BLINK = 0.1;

/** Weight of a blink at a time, 0…1. */
export function blinkAt(time: number, moments: readonly number[]): number {
  return Math.max(0, ...moments.map((moment) => 1 - Math.abs(time - moment) / BLINK));
}

/** Stances of both feet, in the order of time. */
export type Footsteps = Readonly<Record<Side, readonly Stance[]>>;

export const FRAME_RATE = 30;

/** Longest stretch of a leg as a fraction of its length; prevents knee popping. */
const STRETCH = 0.997;

/** Rounds a time to the nearest frame of {@link FRAME_RATE}. */
export function onFrame(seconds: number): number {
  return Math.round(seconds * FRAME_RATE) / FRAME_RATE;
}

const scratchFoot: FootTransform = makeFootTransform();

/** Solves both legs of a pose so that the feet follow their steps. `pose`: pose to write; its hips must be set. */
export function plantLegs(pose: Pose, figure: Figure, steps: Footsteps, style: StepStyle, time: number): void {
  for (const side of SIDES) {
    footAt(scratchFoot, figure, steps[side], style, time);
    reachWithLeg(pose, figure, side, scratchFoot);
  }
}

/**
 * Finds the greatest hips height at which no leg is overstretched during a motion. Returns the height in meters, at most the T-pose height of the
 * hips.
 */
export function reachableHipsHeight(
  figure: Figure,
  steps: Footsteps,
  style: StepStyle,
  duration: number,
  hipsAt: (out: Pose, time: number) => void,
): number {
  const pose = makePose(figure);
  const hip = new Float64Array(3);
  const reach = STRETCH * figure.proportions.leg;
  let height = figure.hipsHeight;
  const samples = Math.max(1, Math.ceil(duration * 120));
  for (let sample = 0; sample <= samples; sample++) {
    const time = (sample / samples) * duration;
    hipsAt(pose, time);
    for (const side of SIDES) {
      footAt(scratchFoot, figure, steps[side], style, time);
      hipJoint(hip, pose, figure, side);
      const x = scratchFoot.ankle[0] - hip[0];
      const z = scratchFoot.ankle[2] - hip[2];
      const highest = scratchFoot.ankle[1] + Math.sqrt(Math.max(0, reach * reach - x * x - z * z));
      height = Math.min(height, highest - hip[1]);
    }
  }
  return height;
}

/** Computes how far the arms can be lowered without touching the trunk or the legs. */
export function loweredArmAngle(figure: Figure): number {
  const { girth, shoulderWidth, hipWidth } = figure.proportions;
  return 84 - 7 * girth - Math.max(0, (70 * (hipWidth - 0.55 * shoulderWidth)) / shoulderWidth);
}

/** Lowers both arms, with elbows and fingers slightly bent. `rotations`: 55 local rotations, xyzw; those of arms and fingers are written. */
export function lowerArms(rotations: LocalRotations, figure: Figure): void {
  for (const side of SIDES) {
    rotateArm(rotations, side, { down: loweredArmAngle(figure), swing: 2, roll: 8 });
    bendElbow(rotations, side, 14);
    curlFingers(rotations, side, 16);
  }
}

/** Motions of a figure as functions of time, and what walk, wave and turn share. */
import type { Figure } from './figure.ts';
import { type FootPlace, hipJoint, makeFootPlace, reachWithLeg } from './legs.ts';
import { curlFingers, makePose, type Pose, type Side, type Turns, turnArm, turnElbow } from './pose.ts';
import { footAt, type Stance, type StepStyle } from './steps.ts';

/** A motion that was made for one figure: rotations fit any, the way of the hips only figures of that size. */
export interface Motion {
  readonly name: string;
  readonly figure: Figure;
  /** Seconds; a whole number of frames of {@link FRAME_RATE}. */
  readonly duration: number;
  /** Fills the pose at a time, seconds. */
  pose(out: Pose, time: number): void;
}

/** When a foot stands where. */
export type Footsteps = Readonly<Record<Side, readonly Stance[]>>;

export const FRAME_RATE = 30;

export const SIDES: readonly Side[] = ['left', 'right'];

/** Part of its length to which a leg is stretched at most, so that knees do not snap. */
const STRETCH = 0.997;

/** The nearest time that is on a frame. */
export function onFrame(seconds: number): number {
  return Math.round(seconds * FRAME_RATE) / FRAME_RATE;
}

const place: FootPlace = makeFootPlace();

/** Sets both legs of a pose whose hips are set. */
export function plantLegs(pose: Pose, figure: Figure, steps: Footsteps, style: StepStyle, time: number): void {
  for (const side of SIDES) {
    footAt(place, figure, steps[side], style, time);
    reachWithLeg(pose, figure, side, place);
  }
}

/**
 * The height of the hips by which no leg is ever stretched too far, where `hipsAt` gives D and position of the hips over
 * time but for this height.
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
      footAt(place, figure, steps[side], style, time);
      hipJoint(hip, pose, figure, side);
      const x = place.ankle[0] - hip[0];
      const z = place.ankle[2] - hip[2];
      const highest = place.ankle[1] + Math.sqrt(Math.max(0, reach * reach - x * x - z * z));
      height = Math.min(height, highest - hip[1]);
    }
  }
  return height;
}

/** Degrees that arms hang from the horizontal without touching the body. */
export function hangingArms(figure: Figure): number {
  const { girth, shoulderWidth, hipWidth } = figure.proportions;
  return 84 - 7 * girth - Math.max(0, (70 * (hipWidth - 0.55 * shoulderWidth)) / shoulderWidth);
}

/** Both arms hang down, elbows and fingers slightly bent. */
export function hangArms(turns: Turns, figure: Figure): void {
  for (const side of SIDES) {
    turnArm(turns, side, { down: hangingArms(figure), swing: 2, roll: 8 });
    turnElbow(turns, side, 14);
    curlFingers(turns, side, 16);
  }
}

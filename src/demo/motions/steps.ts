/**
 * Steps of one foot over time: planted flat, rolled off over the ball, swung, and set down on the heel. The sole does not
 * move during a stance; position and pitch are smooth at all times.
 */
import { BONE } from '../../core/humanoid/bones.ts';
import type { Figure } from '../figure/figure.ts';
import type { FootTransform } from '../figure/legs.ts';

/** A span of time in which the foot is flat on the ground. */
export interface Stance {
  /** X of the ankle, canonical frame, meters. */
  readonly x: number;
  /** Z of the ankle, canonical frame, meters. */
  readonly z: number;
  /** Heading, radians about +Y, unwrapped. */
  readonly yaw: number;
  /** Time at which the whole sole is down, seconds. */
  readonly from: number;
  /** Time at which the heel starts to lift, seconds. */
  readonly to: number;
}

/** How a foot leaves and touches the ground. */
export interface StepStyle {
  /** Pitch when the toes leave the ground, radians; positive: heel up. */
  readonly toeOffPitch: number;
  /** Pitch when the heel touches the ground, radians; negative: toes up. */
  readonly strikePitch: number;
  /** Seconds from heel off to toe off. */
  readonly rollOff: number;
  /** Seconds from heel strike to flat. */
  readonly rollDown: number;
  /** Height in meters that is added to the ankle's path in mid-swing. */
  readonly clearance: number;
}

const BALL_Y = BONE.leftToes * 3 + 1;
/** Time step of the finite differences that give the speeds at lift and strike, seconds. */
const INSTANT = 1e-4;
/** Exponent by which the pitch of a swinging foot runs ahead of its position. */
const LEVELING = 1.8;

/** Evaluates the quintic smoothstep 6t⁵ − 15t⁴ + 10t³. */
export function smooth(t: number): number {
  const u = Math.min(1, Math.max(0, t));
  return u * u * u * (u * (6 * u - 15) + 10);
}

function hermite(t: number, a: number, speedA: number, b: number, speedB: number, span: number): number {
  const u = t / span;
  const u2 = u * u;
  const u3 = u2 * u;
  return (
    (2 * u3 - 3 * u2 + 1) * a + (u3 - 2 * u2 + u) * span * speedA + (3 * u2 - 2 * u3) * b + (u3 - u2) * span * speedB
  );
}

/** Sets the foot of a stance, pitched about the ball (heel up) or about the heel (toes up); the pivot does not move. */
function rock(out: FootTransform, figure: Figure, stance: Stance, pitch: number): void {
  const height = figure.proportions.ankle;
  const pivot = pitch > 0 ? figure.ball : -figure.heel;
  // The pivot of a lifted heel is the toe joint, which is above the sole.
  const rise = pitch > 0 ? height - figure.joints[BALL_Y] : height;
  const y = rise * Math.cos(pitch) + pivot * Math.sin(pitch) + (height - rise);
  const forward = pivot + rise * Math.sin(pitch) - pivot * Math.cos(pitch);
  out.ankle[0] = stance.x + forward * Math.sin(stance.yaw);
  out.ankle[1] = y;
  out.ankle[2] = stance.z + forward * Math.cos(stance.yaw);
  out.yaw = stance.yaw;
  out.pitch = pitch;
  out.toePitch = Math.min(pitch, 0);
}

function rollingOff(out: FootTransform, figure: Figure, stance: Stance, style: StepStyle, time: number): void {
  const u = Math.min(1, (time - stance.to) / style.rollOff);
  rock(out, figure, stance, style.toeOffPitch * u * u * (1.5 - 0.5 * u));
}

function rollingDown(out: FootTransform, figure: Figure, stance: Stance, style: StepStyle, time: number): void {
  const u = (stance.from - time) / style.rollDown;
  rock(out, figure, stance, style.strikePitch * smooth(u));
}

/**
 * Computes the transform of a foot at a time. The foot stays planted before the first stance and after the last. `out` receives the transform,
 * canonical frame, meters and radians.
 */
export function footAt(
  out: FootTransform,
  figure: Figure,
  stances: readonly Stance[],
  style: StepStyle,
  time: number,
): void {
  let k = 0;
  while (k + 1 < stances.length && stances[k + 1].from - style.rollDown <= time) k++;
  const stance = stances[k];
  if (time < stance.from) {
    if (k > 0) rollingDown(out, figure, stance, style, time);
    else rock(out, figure, stance, 0);
    return;
  }
  if (time <= stance.to || k + 1 === stances.length) {
    rock(out, figure, stance, 0);
    return;
  }
  const lift = stance.to + style.rollOff;
  if (time <= lift) {
    rollingOff(out, figure, stance, style, time);
    return;
  }
  const next = stances[k + 1];
  swing(out, figure, [stance, next], style, time - lift);
}

function swing(
  out: FootTransform,
  figure: Figure,
  [last, next]: readonly [Stance, Stance],
  style: StepStyle,
  time: number,
): void {
  const lift = last.to + style.rollOff;
  const span = next.from - style.rollDown - lift;
  const { ankle } = out;
  rollingOff(out, figure, last, style, lift - INSTANT);
  const before = [ankle[0], ankle[1], ankle[2], out.pitch];
  rollingOff(out, figure, last, style, lift);
  const from = [ankle[0], ankle[1], ankle[2], out.pitch];
  rollingDown(out, figure, next, style, next.from - style.rollDown);
  const to = [ankle[0], ankle[1], ankle[2], out.pitch];
  const value = (c: number, at: number, slowed: number): number =>
    hermite(at, from[c], (from[c] - before[c]) / INSTANT / slowed, to[c], 0, span);
  const u = time / span;
  const arch = Math.sin(Math.PI * u ** 0.8) ** 2;
  // The foot levels out before half of the swing; otherwise the toes drag.
  const early = span * (1 - (1 - u) ** LEVELING);
  ankle[0] = value(0, time, 1);
  ankle[1] = value(1, time, 1) + style.clearance * arch;
  ankle[2] = value(2, time, 1);
  out.pitch = value(3, early, LEVELING);
  out.yaw = last.yaw + (next.yaw - last.yaw) * smooth(u);
  out.toePitch = out.pitch * smooth(u / 0.7);
}

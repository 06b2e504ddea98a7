/** Where the feet of the target go, and the hands that rest on something. */
import { CLOSE, FOOT_IN_AIR, FOOT_ON_GROUND, LOST, RESTING, SUNK, SWINGING, TOUCHING } from '../constants.ts';
import type { LegFrames } from '../frames/character-frames.ts';
import { smoothstep } from '../paths/ease.ts';
import { smooth, smoothMaximum } from '../paths/smooth.ts';
import { type PathProblem, solvePath } from '../paths/solve-path.ts';
import type { Timing } from '../paths/timing.ts';
import { type FootPlants, type Plant, plantedFrames } from '../plants/find-plants.ts';
import type { ContactPlan } from './contact-plan.ts';

/** Stiffness of the offset of a foot, seconds squared: the time in which it changes is its square root. On the ground: nearly never. */
const STIFF_ON_GROUND = 1000;
const STIFF_WHEN_PLANTED = 1e5;
const STIFF_WHEN_LOCKED = 4e5;
const STIFF_IN_AIR = 0.02;
const FOOT_BENDING = 3e-5;
/** Plants begin and end at thresholds, which the frame rate moves: the offset is as stiff for this long before and after them, seconds. */
const PLANT_MARGIN = 0.035;
/** Speed, leg lengths per second, at which the offset of a foot near the ground may change a little: it slides anyway. */
const SLIDING_SPEED = 0.6;
/** Standard deviation with which touching is smoothed, seconds. */
const TOUCH_SIGMA = 0.05;

/** The path of a foot over the ground as an energy to minimize, and when the foot is on the ground. */
export interface FootPath {
  /** The offset of the path of the foot from that of the source times k. Its data are plain retargeting. */
  readonly problem: PathProblem;
  /** Whether the foot is planted, or nearly: 0 or 1 per interval between frames. */
  readonly planted: Float64Array;
  /** How much the foot touches the ground, 0…1 per frame. */
  readonly touches: Float64Array;
  /** The same, smoothed. */
  readonly touching: Float64Array;
  /** Weight, per frame, with which the sole is kept at the height of that of the source: 1 while it touches the ground, less before and after. */
  readonly following: Float64Array;
}

/** Positions that a foot must keep to, because its leg reaches no further. */
export interface FootLimits {
  /** Wanted horizontal offset from plain retargeting: x and z per frame, meters. */
  readonly shifts: Float64Array;
  /** Weight relative to that of plain retargeting, per frame. */
  readonly weights: Float64Array;
}

/** How much a point is on the ground, 0…1. */
function onGround(height: number): number {
  return smoothstep(FOOT_IN_AIR, FOOT_ON_GROUND, height);
}

/** Tells, 0…1, whether one end of a foot neither rises nor falls: the tip of a long foot may graze the ground as the foot swings by. */
function isVerticallyStill({ ball, heel, leg }: LegFrames, frame: number, step: number): number {
  const last = ball.length / 3 - 1;
  const [a, b] = [Math.max(0, frame - 1), Math.min(last, frame + 1)];
  const speed = (path: Float64Array): number => Math.abs(path[3 * b + 1] - path[3 * a + 1]) / ((b - a || 1) * step);
  return smoothstep(SWINGING, RESTING, Math.min(speed(ball), speed(heel)) / leg.length);
}

/** Height of the lower end of a foot above where it is on the floor, meters. */
function heightOfEnds({ ball, heel, floors, leg }: LegFrames, frame: number): number {
  return Math.min(ball[3 * frame + 1] - leg.sole.ballHeight, heel[3 * frame + 1]) - floors[frame];
}

/**
 * Tells how much a foot swings past the other one, which is lower, 0…1: the tip of a long boot grazes the ground, or goes through it. Feet of a walk in place
 * all move over the ground, but while both are on it they move alike.
 */
export function swingsPast(foot: LegFrames, other: LegFrames, frame: number, step: number): number {
  const { length } = foot.leg;
  const higher = heightOfEnds(foot, frame) - heightOfEnds(other, frame);
  if (!(higher > TOUCHING * length)) return 0;
  const last = foot.ball.length / 3 - 1;
  const [a, b] = [3 * Math.max(0, frame - 1), 3 * Math.min(last, frame + 1)];
  const moved = (path: Float64Array, axis: number): number => path[b + axis] - path[a + axis];
  let least = Number.POSITIVE_INFINITY;
  for (const end of [foot.ball, foot.heel]) {
    for (const ofOther of [other.ball, other.heel]) {
      const [x, z] = [0, 2].map((axis) => moved(end, axis) - moved(ofOther, axis));
      least = Math.min(least, Math.hypot(x, z));
    }
  }
  const speed = least / ((b - a) / 3 || 1) / step / length;
  return smoothstep(RESTING, SWINGING, speed) * smoothstep(TOUCHING, FOOT_ON_GROUND, higher / length);
}

/** Marks planted intervals, and as many before and after each plant as `margin`. */
function plantedIntervals(plants: readonly Plant[], count: number, margin = 0): Float64Array {
  const out = new Float64Array(Math.max(0, count - 1));
  for (const { from, to } of plants) out.fill(1, Math.max(0, from - margin), to + margin);
  return out;
}

/**
 * Describes the path of a foot over the ground. The path of the source, scaled, is followed up to an offset. The offset is nearly constant while
 * the foot is on the ground, so that it slides exactly as much as the source does, and follows plain retargeting while it is in the air. `other`:
 * the other leg of the source; null where it has none, and for hands.
 */
export function describeFootPath(
  { mode, retarget }: ContactPlan,
  source: LegFrames,
  other: LegFrames | null,
  target: LegFrames,
  plants: FootPlants,
  { step, loops }: Timing,
): FootPath {
  const factor = retarget.hipsScale;
  const count = source.clearance.length;
  const { length, sole } = source.leg;
  const ballPlanted = plantedIntervals(plants.ball, count);
  const heelPlanted = plantedIntervals(plants.heel, count);
  const margin = Math.round(PLANT_MARGIN / step);
  const nearPlants = plantedIntervals([...plants.ball, ...plants.heel], count, margin);
  const inPlant = plantedFrames(plants, count);
  const touches = new Float64Array(count);
  for (let frame = 0; frame < count; frame++) {
    const height = source.clearance[frame] / length;
    // Hands are often close to what they do not rest on.
    const isStill = inPlant[frame] === 1 ? 1 : source.leg.isArm ? 0 : isVerticallyStill(source, frame, step);
    const swings = inPlant[frame] === 1 || other === null ? 0 : swingsPast(source, other, frame, step);
    touches[frame] = smoothstep(CLOSE, TOUCHING, height) * smoothstep(LOST, SUNK, height) * isStill * (1 - swings);
  }
  const touching = smooth(touches, TOUCH_SIGMA, step, loops);
  const following = smoothMaximum(touches, TOUCH_SIGMA, step, loops);
  const data = new Float64Array(2 * count);
  for (let frame = 0; frame < count; frame++) {
    for (const [c, axis] of [0, 2].entries()) {
      data[2 * frame + c] = target.ball[3 * frame + axis] - factor * source.ball[3 * frame + axis];
    }
  }
  const intervals = Math.max(0, count - 1);
  const changes = new Float64Array(2 * intervals);
  const stiffness = new Float64Array(intervals);
  for (let i = 0; i < intervals; i++) {
    const [a, b] = [3 * i, 3 * i + 3];
    const height = (path: Float64Array): number =>
      (path[a + 1] + path[b + 1] - source.floors[i] - source.floors[i + 1]) / 2;
    const isOnHeel = heelPlanted[i] > ballPlanted[i];
    const ball = isOnHeel ? 0 : onGround((height(source.ball) - sole.ballHeight) / length);
    const heel = onGround(height(source.heel) / length) * (1 - ball);
    const moved = (path: Float64Array, axis: number): number => path[b + axis] - path[a + axis];
    const speed = Math.sqrt(moved(source.ball, 0) ** 2 + moved(source.ball, 2) ** 2) / step / length;
    const slides = 1 / (1 + (speed / SLIDING_SPEED) ** 2);
    const planted = Math.max(ballPlanted[i], heelPlanted[i]);
    const locked = mode === 'lock' ? planted : 0;
    const ofHeel = ballPlanted[i] > 0 ? 0 : ball + heel > 0 ? heel / (ball + heel) : heelPlanted[i];
    for (const [c, axis] of [0, 2].entries()) {
      // Where the heel is on the ground, the wanted velocity is that of the heel: the foot itself rotates about it.
      const lever = moved(target.ball, axis) - moved(target.heel, axis);
      const heelMoves = factor * moved(source.heel, axis) + lever - factor * moved(source.ball, axis);
      const stays = ofHeel * lever - factor * moved(source.ball, axis);
      changes[2 * i + c] = (1 - locked) * ofHeel * heelMoves + locked * stays;
    }
    // A plant may end higher than a foot is on the ground otherwise.
    const grounded = Math.max((ball + heel) * slides, planted);
    const onFloor = STIFF_ON_GROUND * grounded + STIFF_WHEN_PLANTED * nearPlants[i] + STIFF_WHEN_LOCKED * locked;
    stiffness[i] = STIFF_IN_AIR + onFloor;
    // In the air the foot moves as after plain retargeting, on the ground as that of the source.
    const air = STIFF_IN_AIR / stiffness[i];
    for (let c = 0; c < 2; c++)
      changes[2 * i + c] = air * (data[2 * i + 2 + c] - data[2 * i + c]) + (1 - air) * changes[2 * i + c];
  }
  const dataWeights = new Float64Array(count).fill(1);
  const problem = { width: 2, data, dataWeights, changes, stiffness, bending: FOOT_BENDING, step, isLoop: loops };
  return { problem, planted: nearPlants, touches, touching, following };
}

/**
 * Finds the horizontal offset of a foot from plain retargeting. `shifts`, `weights`: positions that the foot must keep to. Returns x and z per frame,
 * meters.
 */
export function solveFootPath({ problem }: FootPath, { shifts, weights }: FootLimits): Float64Array {
  const data = new Float64Array(shifts.length);
  const dataWeights = new Float64Array(weights.length);
  for (let i = 0; i < data.length; i++) {
    const weight = weights[i >> 1];
    data[i] = problem.data[i] + (weight / (1 + weight)) * shifts[i];
  }
  for (let frame = 0; frame < weights.length; frame++) dataWeights[frame] = 1 + weights[frame];
  const path = solvePath({ ...problem, data, dataWeights });
  for (let i = 0; i < path.length; i++) path[i] -= problem.data[i];
  return path;
}

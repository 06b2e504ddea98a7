/** Keeps legs in the air from folding up: a foot close to its hip swings about it too fast. */
import * as vec3 from '../../math/vec3.ts';
import { smoothstep } from '../paths/ease.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import { type Foot, findHipAndGoal } from './foot.ts';

/** Least extension of a leg: this, or less where the legs of the source or of plain retargeting are folded, too: then relative to theirs. */
const LEAST_EXTENSION = 0.3;
const LEAST_OF_OTHERS = 0.85;
/** Standard deviation with which the return is smoothed, seconds. */
const RETURN_SIGMA = 0.06;
/** Seconds from a plant: up to the first a foot keeps to its path, from the second on it may return. */
const NEAR_PLANT = 0;
const FAR_FROM_PLANT = 0.04;
const HALVINGS = 12;

const hip = new Float64Array(3);
const goal = new Float64Array(3);
const plain = new Float64Array(3);
const between = new Float64Array(3);

export function leastDistance({ stretch: { lengths, shortest } }: Foot, frame: number): number {
  return Math.min(LEAST_EXTENSION, LEAST_OF_OTHERS * shortest[frame]) * lengths[frame];
}

/** Finds where the ankle is after plain retargeting with raised hips, but not higher than `goal`, and with its sole above the ground. */
function findPlainAnkle({ to, clearance }: Foot, raise: number, lift: number, frame: number): void {
  vec3.copy(plain, 0, to.ankle, 3 * frame);
  plain[1] += Math.min(lift, Math.max(raise, -clearance[frame]));
}

/** Computes how far from its plants a foot is in a frame: 0 near one … 1 away from all. */
function awayFromPlants({ path: { planted } }: Foot, frame: number, { step, loops }: Timing): number {
  const count = planted.length;
  const reach = Math.ceil(FAR_FROM_PLANT / step);
  let nearest = FAR_FROM_PLANT;
  for (let k = -reach; k <= reach; k++) {
    const interval = loops ? (frame + k + count) % count : frame + k;
    if (planted[interval] > 0) nearest = Math.min(nearest, Math.abs(k) * step);
  }
  return smoothstep(NEAR_PLANT, FAR_FROM_PLANT, nearest);
}

/**
 * Finds how far a foot in the air has to return from its path to plain retargeting so that its leg is not folded much more than that, or than that
 * of the source. `raise`: how much the hips are raised, meters per frame. `lifts`: vertical offset of the foot from plain retargeting, meters per
 * frame. Returns 0 for its path … 1 for plain retargeting, per frame.
 */
export function findReturn(foot: Foot, raise: Float64Array, lifts: Float64Array, timing: Timing): Float64Array {
  const { path } = foot;
  const wanted = new Float64Array(raise.length);
  for (let frame = 0; frame < wanted.length; frame++) {
    const least = leastDistance(foot, frame);
    findHipAndGoal(hip, goal, foot, raise, lifts, frame);
    if (vec3.distance(goal, 0, hip, 0) >= least) continue;
    findPlainAnkle(foot, raise[frame], lifts[frame], frame);
    let [low, high] = [0, 1];
    for (let k = 0; k < HALVINGS; k++) {
      const middle = (low + high) / 2;
      vec3.lerp(between, 0, goal, 0, plain, 0, middle);
      if (vec3.distance(between, 0, hip, 0) < least) low = middle;
      else high = middle;
    }
    wanted[frame] = high;
  }
  if (!wanted.some((one) => one > 0)) return wanted;
  return smoothMaximum(wanted, RETURN_SIGMA, timing.step, timing.loops).map((one, frame) => {
    return one > 0 ? one * (1 - path.following[frame]) * awayFromPlants(foot, frame, timing) : 0;
  });
}

/**
 * Moves the goal of an ankle toward plain retargeting. `ankle`: the goal, xyz; changed in place. `raise`: how much the hips are raised in the
 * frame, meters. `lift`: vertical offset of the foot from plain retargeting, meters.
 */
export function returnAnkle(
  ankle: Float64Array,
  foot: Foot,
  raise: number,
  lift: number,
  back: number,
  frame: number,
): void {
  findPlainAnkle(foot, raise, lift, frame);
  vec3.lerp(ankle, 0, ankle, 0, plain, 0, back);
}

/** Shortens steps that are longer than the legs reach, so that the feet stay on the ground. */
import { smoothstep } from '../paths/ease.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from './contact-plan.ts';
import { type Foot, findHipAndGoal, reachAt } from './foot.ts';
import { solveFootPath } from './foot-goals.ts';
import { raisedLifts } from './foot-heights.ts';

/** Distance beyond the reach, relative to the leg, that the compression of the reach takes care of. */
const REACH_TOLERANCE = 1e-3;
/** Weight of a foot within reach relative to that of plain retargeting, in the first round, and its growth from round to round: for a planted foot, and any other. */
const FIRST_WEIGHT = 300;
const PLANTED_GROWTH = 6;
const WEIGHT_GROWTH = 3;
/** A foot this far within reach, relative to the leg, needs no limit any more: others of its plant hold it there. */
const ROOM = 0.02;
/** A hip this far above the ankle, relative to the reach: from the first on moving the foot horizontally helps less and less, from the second on not at all. */
const HELPS = 0.9;
const HELPS_NOT = 0.995;

const hip = new Float64Array(3);
const goal = new Float64Array(3);

/** Tells how much moving a foot over the ground brings it within reach. `height`: height of the hip above the ankle, meters. */
export function horizontalHelp(height: number, reach: number): number {
  return reach > 0 ? smoothstep(HELPS_NOT, HELPS, Math.abs(height) / reach) : 0;
}

/** Limits one foot in all frames; returns whether any was out of reach. */
function limitFoot(foot: Foot, plan: ContactPlan, raise: Float64Array, timing: Timing, round: number): boolean {
  const { to, path, limits, shift } = foot;
  const lifts = raisedLifts(foot, plan, raise, timing);
  let isLimited = false;
  for (let frame = 0; frame < raise.length; frame++) {
    // Not smoothed: a foot that is out of reach in the air may not pull the plants before and after it.
    const grounded = path.touches[frame];
    if (!(grounded > 0)) continue;
    findHipAndGoal(hip, goal, foot, raise, lifts, frame);
    const reach = reachAt(foot, frame);
    const height = hip[1] - goal[1];
    const radius = Math.sqrt(Math.max(0, reach * reach - height * height));
    const [x, z] = [goal[0] - hip[0], goal[2] - hip[2]];
    const distance = Math.sqrt(x * x + z * z);
    const help = grounded * grounded * horizontalHelp(height, reach);
    const isOut = help > 0 && distance > radius + REACH_TOLERANCE * to.leg.length;
    if (!isOut && limits.weights[frame] === 0) continue;
    if (isOut) isLimited = true;
    if (distance < radius - ROOM * to.leg.length) {
      limits.weights[frame] = 0;
      continue;
    }
    const scale = distance > radius ? radius / distance : 1;
    const weight = FIRST_WEIGHT * (path.planted[frame] > 0 ? PLANTED_GROWTH : WEIGHT_GROWTH) ** round;
    limits.weights[frame] = Math.max(limits.weights[frame], isOut ? weight * help : 0);
    limits.shifts[2 * frame] = shift[2 * frame] + x * (scale - 1);
    limits.shifts[2 * frame + 1] = shift[2 * frame + 1] + z * (scale - 1);
  }
  return isLimited;
}

/**
 * Moves the paths of feet on the ground within reach of their legs. A plant moves as a whole, and the swings before and after it make up for that.
 * `feet`: the feet; limits and shifts are changed in place. `raise`: how much the hips are raised, meters per frame.
 */
export function shortenSteps(
  feet: readonly Foot[],
  plan: ContactPlan,
  raise: Float64Array,
  timing: Timing,
  round: number,
): boolean {
  let isShortened = false;
  for (const foot of feet) {
    if (!limitFoot(foot, plan, raise, timing, round)) continue;
    foot.shift = solveFootPath(foot.path, foot.limits);
    isShortened = true;
  }
  return isShortened;
}

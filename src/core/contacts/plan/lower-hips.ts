import * as vec3 from '../../math/vec3.ts';
import { DEEPEST_DROP, HIPS_SIGMA } from '../constants.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from './contact-plan.ts';
import { type Foot, findHipAndGoal, reachAt } from './foot.ts';
import { raisedLifts } from './foot-heights.ts';
import { neededDrop } from './reach.ts';

/** A lowering below this, relative to the leg, is rounding. */
const NO_DROP = 1e-7;
/** What is missing of a short lowering after it has been smoothed is added as often as this. */
const ROUNDS = 4;

const hip = new Float64Array(3);
const goal = new Float64Array(3);

/** How far the hips must be lowered in every frame so that all feet on the ground are within reach, and the greatest wanted reach. */
function findDrop(
  needed: Float64Array,
  raise: Float64Array,
  plan: ContactPlan,
  feet: readonly Foot[],
  trunk: Float64Array,
  timing: Timing,
): number {
  let reach = 0;
  needed.fill(0);
  for (const foot of feet) {
    const { stretch, path, bearing } = foot;
    const lifts = raisedLifts(foot, plan, raise, timing);
    for (let frame = 0; frame < raise.length; frame++) {
      const grounded = path.touching[frame] * bearing[frame] * (1 - trunk[frame]);
      if (!(grounded > 0)) continue;
      findHipAndGoal(hip, goal, foot, raise, lifts, frame);
      if (!foot.to.leg.isArm) reach = Math.max(reach, vec3.distance(goal, 0, hip, 0) / stretch.lengths[frame]);
      const allowed = reachAt(foot, frame);
      needed[frame] = Math.max(needed[frame], grounded * neededDrop(hip, goal, allowed));
    }
  }
  return reach;
}

/**
 * Lowers the hips where a leg on the ground is too short. `raise`: how much the hips are raised, meters per frame; changed in place. `trunk`: how
 * much the trunk is on the ground, 0…1 per frame: there the feet do not move the hips. Returns greatest wanted distance from hip to ankle of a foot
 * on the ground, relative to the length of the leg.
 */
export function lowerHips(
  raise: Float64Array,
  plan: ContactPlan,
  feet: readonly Foot[],
  trunk: Float64Array,
  timing: Timing,
): number {
  const legLength = Math.max(0, ...feet.map(({ to }) => (to.leg.isArm ? 0 : to.leg.length)));
  const needed = new Float64Array(raise.length);
  const reach = findDrop(needed, raise, plan, feet, trunk, timing);
  const room = new Float64Array(raise.length).fill(DEEPEST_DROP * legLength);
  for (let round = 0; round < ROUNDS && needed.some((drop) => drop > NO_DROP * legLength); round++) {
    for (let frame = 0; frame < raise.length; frame++) needed[frame] = Math.min(needed[frame], room[frame]);
    const drop = smoothMaximum(needed, HIPS_SIGMA, timing.step, timing.loops);
    for (let frame = 0; frame < raise.length; frame++) {
      raise[frame] -= drop[frame];
      room[frame] = Math.max(0, room[frame] - drop[frame]);
    }
    if (round + 1 < ROUNDS) findDrop(needed, raise, plan, feet, trunk, timing);
  }
  return reach;
}

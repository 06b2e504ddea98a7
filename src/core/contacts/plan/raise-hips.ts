/** Raises the hips where the floor would fold a leg: thick soles keep an ankle close to the hip. */
import * as vec3 from '../../math/vec3.ts';
import { HIPS_SIGMA } from '../constants.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { ContactPlan } from './contact-plan.ts';
import { type Foot, findHipAndGoal } from './foot.ts';
import { raisedLifts } from './foot-heights.ts';
import { leastDistance } from './unfold-leg.ts';

const hip = new Float64Array(3);
const goal = new Float64Array(3);

/**
 * Raises the hips where a leg is folded more than those of the source and of plain retargeting. `raise`: how much the hips are raised, meters per
 * frame; changed in place. `trunk`: how much the trunk is on the ground, 0…1 per frame: there the feet do not move the hips.
 */
export function raiseHips(
  raise: Float64Array,
  plan: ContactPlan,
  feet: readonly Foot[],
  trunk: Float64Array,
  timing: Timing,
): void {
  const needed = new Float64Array(raise.length);
  for (const foot of feet) {
    if (foot.to.leg.isArm) continue;
    const lifts = raisedLifts(foot, plan, raise, timing);
    for (let frame = 0; frame < raise.length; frame++) {
      findHipAndGoal(hip, goal, foot, raise, lifts, frame);
      const least = leastDistance(foot, frame);
      if (vec3.distance(goal, 0, hip, 0) >= least) continue;
      const squared = (hip[0] - goal[0]) ** 2 + (hip[2] - goal[2]) ** 2;
      const height = Math.sqrt(Math.max(0, least * least - squared)) - (hip[1] - goal[1]);
      // A foot that the floor does not lift rises with the hips.
      const lifted = lifts[frame] - raise[frame];
      needed[frame] = Math.max(needed[frame], (1 - trunk[frame]) * Math.min(height, lifted));
    }
  }
  if (!needed.some((height) => height > 0)) return;
  const raised = smoothMaximum(needed, HIPS_SIGMA, timing.step, timing.loops);
  for (let frame = 0; frame < raise.length; frame++) raise[frame] += raised[frame];
}

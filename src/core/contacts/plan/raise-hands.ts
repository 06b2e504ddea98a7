/** Raises hands that rest on something which their arms are too short for, as little as possible, and smoothly. */
import * as vec3 from '../../math/vec3.ts';
import { HIPS_SIGMA } from '../constants.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import { type Foot, findHipAndGoal, reachAt } from './foot.ts';

const shoulder = new Float64Array(3);
const goal = new Float64Array(3);

/**
 * Raises the wanted height of hands out of reach. Without this an arm would be straight until its goal comes within reach, and then leave at the
 * speed of the goal. `feet`: feet and hands; `lifts` of hands are replaced. `raise`: how much the hips are raised, meters per frame.
 */
export function raiseHands(feet: readonly Foot[], raise: Float64Array, { step, loops }: Timing): void {
  for (const foot of feet) {
    if (!foot.to.leg.isArm) continue;
    const missing = foot.lifts.map((_, frame) => {
      findHipAndGoal(shoulder, goal, foot, raise, foot.lifts, frame);
      const reach = reachAt(foot, frame);
      if (!(vec3.distance(goal, 0, shoulder, 0) > reach)) return 0;
      const across = Math.min(reach, Math.hypot(goal[0] - shoulder[0], goal[2] - shoulder[2]));
      const height = shoulder[1] - goal[1] - Math.sqrt(reach * reach - across * across);
      return Math.max(0, height) * foot.path.touching[frame];
    });
    if (!missing.some((height) => height > 0)) continue;
    const raised = smoothMaximum(missing, HIPS_SIGMA, step, loops);
    foot.lifts = foot.lifts.map((lift, frame) => lift + raised[frame]);
  }
}

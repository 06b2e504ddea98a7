import * as vec3 from '../../math/vec3.ts';
import { MOVED_FOOT } from '../constants.ts';
import { softReach } from '../legs/solve-leg.ts';
import { smoothstep } from '../paths/ease.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { FootOffsets } from './apply-changes.ts';
import type { ContactPlan } from './contact-plan.ts';
import { type Foot, findHipAndGoal, reachAt, straightExtension } from './foot.ts';
import { raisedLifts } from './foot-heights.ts';
import { horizontalHelp } from './shorten-steps.ts';
import { findReturn, returnAnkle } from './unfold-leg.ts';

/** Standard deviation with which the taking part of a leg is extended, seconds. */
const ACTIVITY_SIGMA = 0.09;

const hip = new Float64Array(3);
const goal = new Float64Array(3);

/**
 * Moves `goal` to a distance from `hip`: a foot straight below its hip upward, so that it stays on its path over the ground; any other one over the ground where it
 * is on the ground, else along the leg.
 */
function bringWithin(reach: number, distance: number, grounded: number): void {
  const height = goal[1] - hip[1];
  const far = Math.sqrt((goal[0] - hip[0]) ** 2 + (goal[2] - hip[2]) ** 2);
  const near = Math.sqrt(Math.max(0, reach * reach - height * height));
  const along = reach / distance;
  const over = far > 0 ? near / far : 0;
  const horizontal = 1 + (along + (over - along) * grounded - 1) * horizontalHelp(height, reach);
  goal[0] = hip[0] + (goal[0] - hip[0]) * horizontal;
  goal[1] = hip[1] + Math.sign(height) * Math.sqrt(Math.max(0, reach * reach - (far * horizontal) ** 2));
  goal[2] = hip[2] + (goal[2] - hip[2]) * horizontal;
}

/** Computes the offsets of a foot, softly within reach of its leg. `raise`: how much the hips are raised, meters per frame. */
export function footOffsets(foot: Foot, plan: ContactPlan, raise: Float64Array, timing: Timing): FootOffsets {
  const { to, stretch, path } = foot;
  const offsets = new Float64Array(3 * raise.length);
  const lifts = raisedLifts(foot, plan, raise, timing);
  const back = findReturn(foot, raise, lifts, timing);
  const moved = new Float64Array(raise.length);
  for (let frame = 0; frame < raise.length; frame++) {
    const at = 3 * frame;
    findHipAndGoal(hip, goal, foot, raise, lifts, frame);
    if (back[frame] > 0) returnAnkle(goal, foot, raise[frame], lifts[frame], back[frame], frame);
    const distance = vec3.distance(goal, 0, hip, 0);
    const length = stretch.lengths[frame];
    const extension = distance / length;
    const longest = reachAt(foot, frame) / length;
    if (extension > longest) {
      const reach = softReach(extension, longest, Math.max(longest, straightExtension(foot, frame))) * length;
      bringWithin(reach, distance, path.touching[frame]);
    }
    vec3.subtract(offsets, at, goal, 0, to.ankle, at);
    const shift = Math.sqrt(offsets[at] ** 2 + (offsets[at + 1] - raise[frame]) ** 2 + offsets[at + 2] ** 2);
    moved[frame] = smoothstep(0, MOVED_FOOT * to.leg.length, shift);
  }
  return {
    frames: to,
    offsets,
    clearance: foot.clearance.slice(),
    activity: smoothMaximum(moved, ACTIVITY_SIGMA, timing.step, timing.loops),
  };
}

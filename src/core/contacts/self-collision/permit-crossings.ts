/**
 * Permits arms to be where plain retargeting puts them where keeping them out made it worse: a hand that passes through the tip of a thigh from one side to the
 * other would stay on the first side, and then cross all of it.
 */
import { depthLimit } from './allowed-depths.ts';
import { createArmPose, movePoint, rotateArm, UNKNOWNS } from './arm-pose.ts';
import type { ArmProblem } from './arm-problem.ts';
import { FRAME_STRIDE } from './bone-frames.ts';
import { createPartDepth, findPartDepth } from './part-depth.ts';

/** Depth by which an arm may be deeper than without a change, relative to its length. */
const WORSE = 0.02;
/** Seconds before and after such a frame in which the plain pose is permitted. */
const AROUND = 0.3;

const pose = createArmPose();
const part = createPartDepth();

/**
 * Returns the largest depth beyond the allowed one in a frame, meters, at least 0. `permission`: where its depths are permitted, `share` is the part of the way from the limit to each,
 * 0…1, and `allowed` receives the depths that arms may have afterwards, as in {@link ArmProblem}.
 */
function deepest(
  { arm, trunkBone, parts, bones, allowed, clearance }: ArmProblem,
  frame: number,
  unknowns: Float64Array,
  permission: { readonly share: number; readonly allowed: Float64Array } | null = null,
): number {
  const b = FRAME_STRIDE * frame;
  let most = 0;
  rotateArm(pose, arm, trunkBone, bones, b, unknowns, UNKNOWNS * frame);
  for (const [k, point] of arm.points.entries()) {
    if (point === null) continue;
    movePoint(pose, point, bones, b);
    for (let p = 0; p < parts.length; p++) {
      if (parts[p].length === 0) continue;
      findPartDepth(part, parts[p], bones, b, point, pose.point, pose.delta, 0, 0);
      const at = (frame * arm.points.length + k) * parts.length + p;
      const limit = depthLimit(arm, allowed[at], part.size, clearance);
      const beyond = Math.max(0, part.depth - limit);
      if (permission !== null && part.size > 0)
        permission.allowed[at] = (limit + permission.share * beyond) / part.size;
      most = Math.max(most, beyond);
    }
  }
  return most;
}

/**
 * Permits the depths of plain retargeting around the frames in which the rotations of an arm put it deeper into the rest of the character than it
 * was. Returns the problem to be solved instead; null where the rotations are fine.
 */
export function permitCrossings(problem: ArmProblem, unknowns: Float64Array): ArmProblem | null {
  const { arm, timing } = problem;
  if (unknowns.every((angle) => angle === 0)) return null;
  const count = unknowns.length / UNKNOWNS;
  const unchanged = new Float64Array(unknowns.length);
  const permitted = new Uint8Array(count);
  const reach = Math.ceil(AROUND / timing.step);
  const worse = WORSE * arm.length;
  for (let frame = 0; frame < count; frame++) {
    const after = deepest(problem, frame, unknowns);
    // Few arms are that deep, so that plain retargeting is rarely measured.
    if (after > worse && after > deepest(problem, frame, unchanged) + worse)
      permitted.fill(1, Math.max(0, frame - reach), frame + reach + 1);
  }
  return permitted.includes(1) ? permitPlain(problem, permitted) : null;
}

/**
 * Permits the depths of plain retargeting, or a share of them. `shares`: per frame, 0…1: what is permitted at once makes an arm jump. Returns the
 * problem to be solved instead.
 */
export function permitPlain(problem: ArmProblem, shares: ArrayLike<number>): ArmProblem {
  const allowed = problem.allowed.slice();
  const unchanged = new Float64Array(UNKNOWNS * shares.length);
  for (let frame = 0; frame < shares.length; frame++) {
    if (shares[frame] > 0) deepest(problem, frame, unchanged, { share: shares[frame], allowed });
  }
  return { ...problem, allowed };
}

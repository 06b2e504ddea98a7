/** Tells whether arms have to move at all: most clips keep them where they are. */
import { depthLimit, leastDepthLimit } from './allowed-depths.ts';
import { createArmPose, isElbowWithin, movePoint, rotateArm, UNKNOWNS } from './arm-pose.ts';
import type { ArmProblem } from './arm-problem.ts';
import { FRAME_STRIDE } from './bone-frames.ts';
import { createPartDepth, findPartDepth } from './part-depth.ts';

const pose = createArmPose();
const part = createPartDepth();
const NO_ROTATION = new Float64Array(UNKNOWNS);

/**
 * Tells whether plain retargeting puts a point of an arm deeper into the rest of the character than allowed, or bends its elbow too far, in any frame. Otherwise
 * the smallest rotations of `solveArm` are zeros.
 */
export function isAnywhereTooDeep({ arm, trunkBone, parts, bones, allowed }: ArmProblem): boolean {
  const { points } = arm;
  // What is not deeper than the least limit needs no exact depth.
  const least = leastDepthLimit(arm);
  for (let b = 0, at = 0; b < bones.length; b += FRAME_STRIDE) {
    rotateArm(pose, arm, trunkBone, bones, b, NO_ROTATION, 0);
    if (!isElbowWithin(pose)) return true;
    for (let k = 0; k < points.length; k++) {
      const point = points[k];
      if (point !== null) movePoint(pose, point, bones, b);
      for (let p = 0; p < parts.length; p++, at++) {
        if (point === null || parts[p].length === 0) continue;
        findPartDepth(part, parts[p], bones, b, point, pose.point, 0, pose.delta, 0, least);
        if (part.bone >= 0 && part.depth > depthLimit(arm, allowed[at], part.size)) return true;
      }
    }
  }
  return false;
}

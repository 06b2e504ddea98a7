/** The rotations of `solveArm` from all depths in all frames, with Newton steps until nothing changes any more. */
import { createTerms, longestStep, minimizeTerms } from '../../../src/core/contacts/paths/minimize-terms.ts';
import { depthLimit } from '../../../src/core/contacts/self-collision/allowed-depths.ts';
import {
  createArmPose,
  MOST_BENT,
  movePoint,
  pointGradient,
  RESISTANCE,
  rotateArm,
  STRAIGHTEST,
  UNKNOWNS,
} from '../../../src/core/contacts/self-collision/arm-pose.ts';
import type { ArmProblem } from '../../../src/core/contacts/self-collision/arm-problem.ts';
import { FRAME_STRIDE } from '../../../src/core/contacts/self-collision/bone-frames.ts';
import { createPartDepth, findPartDepth } from '../../../src/core/contacts/self-collision/part-depth.ts';

/** Weight of squared depths. */
const PENALTY = 200;

/** All depths beyond the allowed ones of one frame, with their gradients by the unknowns. */
function depthsOf(problem: ArmProblem, frame: number, unknowns: Float64Array): [depth: number, gradient: number[]][] {
  const { arm, trunkBone, parts, bones, allowed } = problem;
  const [pose, part, gradient] = [createArmPose(), createPartDepth(), new Float64Array(UNKNOWNS)];
  const b = FRAME_STRIDE * frame;
  rotateArm(pose, arm, trunkBone, bones, b, unknowns, UNKNOWNS * frame);
  return arm.points.flatMap((point, k) => {
    if (point === null) return [];
    movePoint(pose, point, bones, b);
    return parts.flatMap((solid, p): [number, number[]][] => {
      if (solid.length === 0) return [];
      const least = Number.NEGATIVE_INFINITY;
      findPartDepth(part, solid, bones, b, point, pose.point, pose.delta, 0, least);
      const limit = depthLimit(arm, allowed[(frame * arm.points.length + k) * parts.length + p], part.size);
      pointGradient(gradient, pose, point, part.outward);
      return [[(part.depth - limit) / arm.length, Array.from(gradient, (one) => one / arm.length)]];
    });
  });
}

/** Bend of an elbow before rotation. */
function flexionOf({ arm, trunkBone, bones }: ArmProblem, frame: number): number {
  const pose = createArmPose();
  rotateArm(pose, arm, trunkBone, bones, FRAME_STRIDE * frame, new Float64Array(UNKNOWNS), 0);
  return pose.flexion;
}

/**
 * Finds the rotations of an arm.
 *
 * @param problem The arm.
 * @param steps Newton steps.
 * @returns Per frame `UNKNOWNS` numbers.
 */
export function solveArmPlainly(problem: ArmProblem, steps = 60): Float64Array {
  const count = problem.bones.length / FRAME_STRIDE;
  const unknowns = new Float64Array(UNKNOWNS * count);
  for (let step = 0; step < steps; step++) {
    const terms = createTerms(RESISTANCE);
    const add = (offset: number, gradient: readonly number[]): void => {
      terms.offsets.push(offset);
      terms.gradients.push(...gradient);
      terms.weights.push(-PENALTY);
    };
    for (let frame = 0; frame < count; frame++) {
      for (const [depth, gradient] of depthsOf(problem, frame, unknowns)) {
        add(
          gradient.reduce((sum, one, c) => sum + one * unknowns[UNKNOWNS * frame + c], depth),
          gradient,
        );
      }
      add(STRAIGHTEST - flexionOf(problem, frame), [0, 0, 0, 1]);
      add(flexionOf(problem, frame) - MOST_BENT, [0, 0, 0, -1]);
      terms.starts.push(terms.offsets.length);
    }
    minimizeTerms(terms, unknowns, problem.timing, longestStep(Math.min(step, 29)));
  }
  return unknowns;
}

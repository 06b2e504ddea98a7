/**
 * Finds the smallest smooth rotations of an arm that keep it out of the rest of a character: the minimum over the whole clip of
 * `∫ |x|² + a·|x′|² + b·|x″|² + c·Σ max(0, depth beyond what is allowed)²`, by Newton steps with a banded factorization. Depths are linear in x within a step.
 */
import { createTerms, longestStep, minimizeTerms, type Terms } from '../paths/minimize-terms.ts';
import type { CutTiming } from '../paths/timing.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import { depthLimit } from './allowed-depths.ts';
import { type ArmDistances, createArmDistances, longestTravel, measureLevers } from './arm-distances.ts';
import { createArmPose, movePoint, pointGradient, RESISTANCE, rotateArm, UNKNOWNS } from './arm-pose.ts';
import { FRAME_STRIDE } from './bone-frames.ts';
import type { Arm } from './limb-points.ts';
import { createPartDepth, findPartDepth, MARGIN } from './part-depth.ts';

/** Weight c of squared depths, relative to the length of the arm. */
const PENALTY = 200;
/** Newton steps. */
const STEPS = 30;
/** A step that changes no angle by more than this, radians, is the last one: less is not seen. */
const CONVERGED = 1e-8;
/** Depths beyond the allowed one that a step considers, relative to the length of the arm: those that it may make positive. */
const NEAR = -0.15;
/** Angles that elbows keep within, radians. */
const STRAIGHTEST = 0;
const MOST_BENT = 2.7;

/** An arm of a character in all frames. */
export interface ArmProblem {
  /** The arm. */
  readonly arm: Arm;
  /** Bone whose axes the rotations use. */
  readonly trunkBone: number;
  /** Radii of the parts. */
  readonly parts: readonly (readonly BoneRadii[])[];
  /** Bones of the character after plain retargeting, from `sampleBoneFrames`. */
  readonly bones: Float64Array;
  /** Allowed depth relative to the radii, from `allowedDepths`: per frame, point and part. */
  readonly allowed: Float64Array;
  /** The frames. */
  readonly timing: CutTiming;
}

const pose = createArmPose();
const part = createPartDepth();
const gradient = new Float64Array(UNKNOWNS);

/** Linearizes all depths around the unknowns. The first call, with all unknowns at 0, measures `distances`, by which later ones leave out what is far. */
function linearize(
  { arm, trunkBone, parts, bones, allowed }: ArmProblem,
  unknowns: Float64Array,
  distances: ArmDistances,
  isFirst: boolean,
): Terms {
  const count = unknowns.length / UNKNOWNS;
  const out = createTerms(RESISTANCE);
  const least = NEAR * arm.length;
  for (let frame = 0; frame < count; frame++) {
    const b = FRAME_STRIDE * frame;
    const u = UNKNOWNS * frame;
    rotateArm(pose, arm, trunkBone, bones, b, unknowns, u);
    for (let k = 0; k < arm.points.length; k++) {
      const point = arm.points[k];
      if (point === null) continue;
      const at = frame * arm.points.length + k;
      const travel = isFirst ? 0 : longestTravel(distances, at, unknowns, u);
      let isMoved = false;
      for (let p = 0; p < parts.length; p++) {
        const pair = at * parts.length + p;
        if (parts[p].length === 0 || (!isFirst && distances.depths[pair] + travel + 2 * MARGIN < least)) continue;
        if (!isMoved) movePoint(pose, point, bones, b);
        isMoved = true;
        findPartDepth(part, parts[p], bones, b, point, pose.point, 0, pose.delta, 0, least);
        if (isFirst) {
          distances.depths[pair] = part.most;
          measureLevers(distances, at, pose, point);
        }
        if (part.bone < 0) continue;
        const ratio = allowed[pair];
        const excess = (part.depth - depthLimit(arm, ratio, part.size)) / arm.length;
        if (!(excess > NEAR)) continue;
        pointGradient(gradient, pose, point, part.outward);
        let offset = excess;
        for (let c = 0; c < UNKNOWNS; c++) {
          gradient[c] /= arm.length;
          offset += gradient[c] * unknowns[u + c];
        }
        out.offsets.push(offset);
        out.gradients.push(gradient[0], gradient[1], gradient[2], gradient[3]);
        out.weights.push(-PENALTY);
      }
    }
    // Elbows bend neither backward nor through the upper arm.
    out.offsets.push(STRAIGHTEST - pose.flexion, pose.flexion - MOST_BENT);
    out.gradients.push(0, 0, 0, 1, 0, 0, 0, -1);
    out.weights.push(-PENALTY, -PENALTY);
    out.starts.push(out.offsets.length);
  }
  return out;
}

/**
 * Finds the rotations of an arm.
 *
 * @param problem The arm, what it is kept out of, and what is allowed.
 * @returns Per frame {@link UNKNOWNS} numbers; zeros where nothing has to change.
 */
export function solveArm(problem: ArmProblem): Float64Array {
  const count = problem.bones.length / FRAME_STRIDE;
  const unknowns = new Float64Array(UNKNOWNS * count);
  const distances = createArmDistances(problem.arm, problem.parts.length, count);
  let before = unknowns.slice();
  for (let step = 0; step < STEPS; step++) {
    minimizeTerms(linearize(problem, unknowns, distances, step === 0), unknowns, problem.timing, longestStep(step));
    if (unknowns.every((angle, u) => Math.abs(angle - before[u]) <= CONVERGED)) break;
    before = unknowns.slice();
  }
  return unknowns;
}

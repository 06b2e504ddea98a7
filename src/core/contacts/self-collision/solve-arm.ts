/**
 * Finds the smallest smooth rotations of an arm that keep it out of the rest of a character: the minimum over the whole clip of
 * `∫ |x|² + a·|x′|² + b·|x″|² + c·Σ max(0, depth beyond what is allowed)²`, by Newton steps with a banded factorization. Depths are linear in x within a step.
 */
import { solveBand } from '../paths/solve-band.ts';
import type { Timing } from '../paths/timing.ts';
import type { BoneRadii } from '../surface/radius-map.ts';
import { createArmPose, movePoint, pointGradient, rotateArm, UNKNOWNS } from './arm-pose.ts';
import { FRAME_STRIDE } from './bone-frames.ts';
import type { Arm } from './limb-points.ts';
import { createPartDepth, findPartDepth } from './part-depth.ts';

/** Weights a, seconds squared, and b, seconds to the fourth: changes take about their roots. */
const STIFFNESS = 0.01;
const BENDING = 0.002;
/** Weight c of squared depths, relative to the length of the arm. */
const PENALTY = 400;
/** Steps, and choices of the depths that count within a step. */
const STEPS = 6;
const CHOICES = 4;
/** A step that changes no angle by more than this, radians, is the last one. */
const CONVERGED = 1e-12;
/** Depths beyond the allowed one that a step considers, relative to the length of the arm: those that it may make positive. */
const NEAR = -0.15;
/** Largest rotation of one step, radians. */
const LONGEST_STEP = 0.5;
/** Angles that elbows keep within, radians. */
const STRAIGHTEST = 0;
const MOST_BENT = 2.7;
/** Seconds by which a loop is continued at both ends. */
const OVERLAP = 1;

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
  /** Allowed depth relative to the radii: per frame, point and part. */
  readonly allowed: Float64Array;
  /** The frames. */
  readonly timing: Timing;
}

/** Depths that are linear in the unknowns: per entry the frame, the depth at zero unknowns, and the gradient. */
interface Constraints {
  readonly starts: number[];
  readonly offsets: number[];
  readonly gradients: number[];
}

const pose = createArmPose();
const part = createPartDepth();
const gradient = new Float64Array(UNKNOWNS);

/** Linearizes all depths around the unknowns. */
function linearize({ arm, trunkBone, parts, bones, allowed }: ArmProblem, unknowns: Float64Array): Constraints {
  const count = unknowns.length / UNKNOWNS;
  const out: Constraints = { starts: [0], offsets: [], gradients: [] };
  for (let frame = 0; frame < count; frame++) {
    const b = FRAME_STRIDE * frame;
    const u = UNKNOWNS * frame;
    rotateArm(pose, arm, trunkBone, bones, b, unknowns, u);
    for (let k = 0; k < arm.points.length; k++) {
      const point = arm.points[k];
      if (point === null) continue;
      movePoint(pose, point, bones, b);
      for (let p = 0; p < parts.length; p++) {
        if (parts[p].length === 0) continue;
        findPartDepth(part, parts[p], bones, b, point, pose.point, 0, pose.delta, 0, NEAR * arm.length);
        const limit = allowed[(frame * arm.points.length + k) * parts.length + p] * part.size;
        const excess = (part.depth - limit) / arm.length;
        if (!(excess > NEAR)) continue;
        pointGradient(gradient, pose, point, part.outward);
        let offset = excess;
        for (let c = 0; c < UNKNOWNS; c++) {
          gradient[c] /= arm.length;
          offset += gradient[c] * unknowns[u + c];
        }
        out.offsets.push(offset);
        out.gradients.push(gradient[0], gradient[1], gradient[2], gradient[3]);
      }
    }
    // Elbows bend neither backward nor through the upper arm.
    out.offsets.push(STRAIGHTEST - pose.flexion, pose.flexion - MOST_BENT);
    out.gradients.push(0, 0, 0, 1, 0, 0, 0, -1);
    out.starts.push(out.offsets.length);
  }
  return out;
}

/** Minimizes the energy with linear depths, of which those count that are positive at the last solution. */
function minimize({ starts, offsets, gradients }: Constraints, unknowns: Float64Array, { step, loops }: Timing): void {
  const count = unknowns.length / UNKNOWNS;
  const period = count - 1;
  const more = loops && count > 2 ? Math.min(period, Math.ceil(OVERLAP / step)) : 0;
  const total = count + 2 * more;
  const frameOf = (k: number): number => (more === 0 ? k : (k - more + 2 * period) % period);
  const width = 2 * UNKNOWNS;
  const stride = width + 1;
  const solution = new Float64Array(UNKNOWNS * total);
  for (let k = 0; k < total; k++) {
    for (let c = 0; c < UNKNOWNS; c++) solution[UNKNOWNS * k + c] = unknowns[UNKNOWNS * frameOf(k) + c];
  }
  const band = new Float64Array(stride * UNKNOWNS * total);
  const right = new Float64Array(UNKNOWNS * total);
  const [slope, bend] = [STIFFNESS / step ** 2, BENDING / step ** 4];
  for (let choice = 0; choice < CHOICES; choice++) {
    band.fill(0);
    right.fill(0);
    for (let k = 0; k < total; k++) {
      const [u, frame] = [UNKNOWNS * k, frameOf(k)];
      for (let i = starts[frame]; i < starts[frame + 1]; i++) {
        let depth = offsets[i];
        for (let c = 0; c < UNKNOWNS; c++) depth -= gradients[UNKNOWNS * i + c] * solution[u + c];
        if (!(depth > 0)) continue;
        for (let c = 0; c < UNKNOWNS; c++) {
          const weight = PENALTY * gradients[UNKNOWNS * i + c];
          right[u + c] += weight * offsets[i];
          for (let d = c; d < UNKNOWNS; d++) band[stride * (u + c) + d - c] += weight * gradients[UNKNOWNS * i + d];
        }
      }
    }
    const add = (k: number, ahead: number, value: number): void => {
      for (let c = 0; c < UNKNOWNS; c++) band[stride * (UNKNOWNS * k + c) + UNKNOWNS * ahead] += value;
    };
    for (let k = 0; k < total; k++) {
      add(k, 0, 1);
      if (k + 1 < total) {
        add(k, 0, slope);
        add(k + 1, 0, slope);
        add(k, 1, -slope);
      }
      if (k > 0 && k + 1 < total) {
        add(k - 1, 0, bend);
        add(k, 0, 4 * bend);
        add(k + 1, 0, bend);
        add(k - 1, 1, -2 * bend);
        add(k, 1, -2 * bend);
        add(k - 1, 2, bend);
      }
    }
    solveBand(band, width, right);
    solution.set(right);
  }
  for (let u = 0; u < unknowns.length; u++) {
    const wanted = solution[UNKNOWNS * more + u];
    unknowns[u] += Math.min(LONGEST_STEP, Math.max(-LONGEST_STEP, wanted - unknowns[u]));
  }
  if (more > 0) unknowns.copyWithin(UNKNOWNS * period, 0, UNKNOWNS);
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
  let before = unknowns.slice();
  for (let step = 0; step < STEPS; step++) {
    minimize(linearize(problem, unknowns), unknowns, problem.timing);
    if (unknowns.every((angle, u) => Math.abs(angle - before[u]) <= CONVERGED)) break;
    before = unknowns.slice();
  }
  return unknowns;
}

/**
 * Finds the smallest smooth rotations of an arm that keep it out of the rest of a character: the minimum over the whole clip of
 * `∫ |x|² + a·|x′|² + b·|x″|² + c·Σ max(0, depth beyond what is allowed)²`, by Newton steps with a banded factorization. Depths are linear in x within a step.
 */
import * as vec3 from '../../math/vec3.ts';
import { CONSIDERED_DEPTH } from '../constants.ts';
import { smoothstep } from '../paths/ease.ts';
import { createTerms, longestStep, minimizeTerms, type Terms } from '../paths/minimize-terms.ts';
import { depthLimit, leastDepthLimit } from './allowed-depths.ts';
import {
  type ArmPose,
  createArmPose,
  isElbowWithin,
  MOST_BENT,
  movePoint,
  pointGradient,
  RESISTANCE,
  rotateArm,
  STRAIGHTEST,
  UNKNOWNS,
} from './arm-pose.ts';
import type { ArmProblem } from './arm-problem.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET } from './bone-frames.ts';
import type { Arm, LimbPoint } from './limb-points.ts';
import { createPartDepth, DEPTH_MARGIN, findPartDepth } from './part-depth.ts';

const NO_ROTATION = new Float64Array(UNKNOWNS);

/**
 * Tells whether plain retargeting puts a point of an arm deeper into the rest of the character than allowed, or bends its elbow too far, in any frame. Otherwise
 * the smallest rotations of `solveArm` are zeros.
 */
export function isAnywhereTooDeep({ arm, trunkBone, parts, bones, allowed, clearance }: ArmProblem): boolean {
  const { points } = arm;
  // What is not deeper than the least limit needs no exact depth.
  const least = leastDepthLimit(arm, clearance);
  for (let b = 0, at = 0; b < bones.length; b += FRAME_STRIDE) {
    rotateArm(pose, arm, trunkBone, bones, b, NO_ROTATION, 0);
    if (!isElbowWithin(pose)) return true;
    for (let k = 0; k < points.length; k++) {
      const point = points[k];
      if (point !== null) movePoint(pose, point, bones, b);
      for (let p = 0; p < parts.length; p++, at++) {
        if (point === null || parts[p].length === 0) continue;
        findPartDepth(part, parts[p], bones, b, point, pose.point, pose.delta, 0, least);
        if (part.bone !== -1 && part.depth > depthLimit(arm, allowed[at], part.size, clearance)) return true;
      }
    }
  }
  return false;
}

/** Distances in all frames, meters. */
interface ArmDistances {
  /** Largest depth that a point can have in a part by its distance alone, per frame, point and part. */
  readonly depths: Float64Array;
  /** Largest distance that a point can have from the shoulder, whatever the angle of the elbow; per frame and point. */
  readonly fromShoulder: Float64Array;
  /** Distance of a point from the elbow, 0 for those of the upper arm; per frame and point. */
  readonly fromElbow: Float64Array;
}

export function createArmDistances({ points }: Arm, parts: number, count: number): ArmDistances {
  const size = points.length * count;
  return {
    depths: new Float64Array(parts * size),
    fromShoulder: new Float64Array(size),
    fromElbow: new Float64Array(size),
  };
}

/** Measures the distances of a point from shoulder and elbow. `out` receives them at `at`. */
export function measureLevers(out: ArmDistances, at: number, pose: ArmPose, { isUpper }: LimbPoint): void {
  out.fromElbow[at] = isUpper ? 0 : vec3.distance(pose.point, 0, pose.elbow, 0);
  out.fromShoulder[at] = isUpper
    ? vec3.distance(pose.point, 0, pose.shoulder, 0)
    : vec3.distance(pose.elbow, 0, pose.shoulder, 0) + out.fromElbow[at];
}

/** Computes how far a point can move at most: a rotation moves it by less than its arc. */
export function longestTravel(
  { fromShoulder, fromElbow }: ArmDistances,
  at: number,
  unknowns: Float64Array,
  u: number,
): number {
  return vec3.length(unknowns, u) * fromShoulder[at] + Math.abs(unknowns[u + UNKNOWNS - 1]) * fromElbow[at];
}

/** Weight c of squared depths, relative to the length of the arm. */
const DEPTH_WEIGHT = 200;
/** Weight of the squared height that a raised upper arm or forearm loses, relative to its length: 20 times that of a depth, since up to five points are deep at once. */
const RAISED_WEIGHT = 4000;
/** Height of its end above its start, relative to its length, from which on it is fully raised: 12°. Below the horizontal it is not. */
const RAISED = 0.2;
const STEPS = 20;
/** A step that changes no angle by more than this, radians, is the last one: less moves a hand by a few hundredths of a millimeter, which is not seen. */
const CONVERGED = 5e-5;
/**
 * The first step considers depths from {@link CONSIDERED_DEPTH} on, later ones as much as the step before has moved hands, and at least from this one on; lengths of
 * the arm.
 */
const LEAST_CONSIDERED_DEPTH = -0.01;
/** A frame whose angles have changed by no more than this, radians, keeps its terms: hands move by a fraction of a millimeter. */
const UNMOVED = 3e-4;
/** Distance that a hand moves at most, relative to the length of the arm, when no angle changes by more than one radian. */
const HAND_TRAVEL = 3;

const pose = createArmPose();
const part = createPartDepth();
const gradient = new Float64Array(UNKNOWNS);
const segment = new Float64Array(3);
const turned = new Float64Array(3);
const UP = Float64Array.of(0, 1, 0);
const UPPER = { isUpper: true };

interface Linearized {
  readonly terms: Terms;
  /** Unknowns around which the terms of every frame are linear. */
  readonly around: Float64Array;
}

/** Whether the terms of a frame hold: its unknowns are where they were. */
function isUnmoved(around: Float64Array, unknowns: Float64Array, u: number): boolean {
  for (let c = u; c < u + UNKNOWNS; c++) if (Math.abs(unknowns[c] - around[c]) > UNMOVED) return false;
  return true;
}

function copyTerms(out: Terms, { starts, offsets, gradients, weights }: Terms, frame: number): void {
  for (let i = starts[frame]; i < starts[frame + 1]; i++) {
    out.offsets.push(offsets[i]);
    for (let c = UNKNOWNS * i; c < UNKNOWNS * (i + 1); c++) out.gradients.push(gradients[c]);
    out.weights.push(weights[i]);
  }
  out.starts.push(out.offsets.length);
}

/** Adds what keeps raised upper arms and forearms as high as they are, relative to the joint they hang on. */
function addRaised(out: Terms, arm: Arm, bones: Float64Array, b: number, unknowns: Float64Array, u: number): void {
  const [upper, lower, hand] = arm.bones.map((bone) => b + BONE_STRIDE * bone + POSITION_OFFSET);
  for (const isUpper of [true, false]) {
    const [from, to] = isUpper ? [upper, lower] : [lower, hand];
    vec3.subtract(segment, 0, bones, to, bones, from);
    const length = vec3.length(segment, 0);
    const weight = smoothstep(0, RAISED, segment[1] / length);
    if (!(weight > 0)) continue;
    const before = segment[1];
    vec3.rotate(segment, 0, isUpper ? pose.upper : pose.lower, 0, segment, 0);
    // The end of the segment as if it hung on the shoulder: its height above the joint rotates as the segment does.
    vec3.add(pose.point, 0, pose.shoulder, 0, segment, 0);
    pointGradient(gradient, pose, UPPER, UP);
    if (!isUpper) {
      vec3.cross(turned, 0, segment, 0, UP, 0);
      gradient[3] = vec3.dot(pose.hinge, 0, turned, 0);
    }
    let offset = (before - segment[1]) / length;
    for (let c = 0; c < UNKNOWNS; c++) {
      gradient[c] /= length;
      offset += gradient[c] * unknowns[u + c];
    }
    out.offsets.push(offset);
    out.gradients.push(gradient[0], gradient[1], gradient[2], gradient[3]);
    out.weights.push(-RAISED_WEIGHT * weight);
  }
}

/**
 * Linearizes all depths around the unknowns. The first call, with all unknowns at 0 and without `last`, measures `distances`, by which later ones leave out what is far; they
 * keep the terms that the call before, `last`, made for frames that have not moved. Depths below `near` beyond the allowed one are left out.
 */
function linearize(
  { arm, trunkBone, parts, bones, allowed, clearance }: ArmProblem,
  unknowns: Float64Array,
  distances: ArmDistances,
  near: number,
  last: Linearized | null,
): Linearized {
  const count = unknowns.length / UNKNOWNS;
  const isFirst = last === null;
  const around = last?.around ?? unknowns.slice();
  const out = createTerms(RESISTANCE);
  const least = leastDepthLimit(arm, clearance) + near * arm.length;
  for (let frame = 0; frame < count; frame++) {
    const b = FRAME_STRIDE * frame;
    const u = UNKNOWNS * frame;
    if (last !== null) {
      if (isUnmoved(around, unknowns, u)) {
        copyTerms(out, last.terms, frame);
        continue;
      }
      for (let c = u; c < u + UNKNOWNS; c++) around[c] = unknowns[c];
    }
    rotateArm(pose, arm, trunkBone, bones, b, unknowns, u);
    for (let k = 0; k < arm.points.length; k++) {
      const point = arm.points[k];
      if (point === null) continue;
      const at = frame * arm.points.length + k;
      const travel = isFirst ? 0 : longestTravel(distances, at, unknowns, u);
      let isMoved = false;
      for (let p = 0; p < parts.length; p++) {
        const pair = at * parts.length + p;
        if (parts[p].length === 0 || (!isFirst && distances.depths[pair] + travel + 2 * DEPTH_MARGIN < least)) continue;
        if (!isMoved) movePoint(pose, point, bones, b);
        isMoved = true;
        findPartDepth(part, parts[p], bones, b, point, pose.point, pose.delta, 0, least);
        if (isFirst) {
          distances.depths[pair] = part.most;
          measureLevers(distances, at, pose, point);
        }
        if (part.bone === -1) continue;
        const ratio = allowed[pair];
        const excess = (part.depth - depthLimit(arm, ratio, part.size, clearance)) / arm.length;
        if (!(excess > near)) continue;
        pointGradient(gradient, pose, point, part.outward);
        let offset = excess;
        for (let c = 0; c < UNKNOWNS; c++) {
          gradient[c] /= arm.length;
          offset += gradient[c] * unknowns[u + c];
        }
        out.offsets.push(offset);
        out.gradients.push(gradient[0], gradient[1], gradient[2], gradient[3]);
        out.weights.push(-DEPTH_WEIGHT);
      }
    }
    addRaised(out, arm, bones, b, unknowns, u);
    // Elbows bend neither backward nor through the upper arm.
    out.offsets.push(STRAIGHTEST - pose.flexion, pose.flexion - MOST_BENT);
    out.gradients.push(0, 0, 0, 1, 0, 0, 0, -1);
    out.weights.push(-DEPTH_WEIGHT, -DEPTH_WEIGHT);
    out.starts.push(out.offsets.length);
  }
  return { terms: out, around };
}

export function solveArm(problem: ArmProblem): Float64Array {
  const count = problem.bones.length / FRAME_STRIDE;
  const unknowns = new Float64Array(UNKNOWNS * count);
  if (!isAnywhereTooDeep(problem)) return unknowns;
  const distances = createArmDistances(problem.arm, problem.parts.length, count);
  const before = new Float64Array(unknowns.length);
  let linearized: Linearized | null = null;
  for (let step = 0, near = CONSIDERED_DEPTH; step < STEPS; step++) {
    linearized = linearize(problem, unknowns, distances, near, linearized);
    minimizeTerms(linearized.terms, unknowns, problem.timing, longestStep(step));
    let change = 0;
    for (let u = 0; u < unknowns.length; u++) change = Math.max(change, Math.abs(unknowns[u] - before[u]));
    if (change <= CONVERGED) break;
    near = Math.max(CONSIDERED_DEPTH, Math.min(LEAST_CONSIDERED_DEPTH, -HAND_TRAVEL * change));
    before.set(unknowns);
  }
  return unknowns;
}

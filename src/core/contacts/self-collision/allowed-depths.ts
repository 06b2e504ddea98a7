import { BONE, type Side } from '../../humanoid/bones.ts';
import type { Humanoid } from '../../humanoid/humanoid.ts';
import * as vec3 from '../../math/vec3.ts';
import type { PosedCharacter } from '../frames/posed-character.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import type { ContactSurface, SurfacedHumanoid } from '../surface/contact-surface.ts';
import { createArmPose, movePoint, rotateArm, trunkBoneOf, UNKNOWNS } from './arm-pose.ts';
import type { ArmProblem } from './arm-problem.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET, referenceBoneFrame } from './bone-frames.ts';
import { type Arm, findArms, findParts } from './limb-points.ts';
import { createPartDepth, findPartDepth } from './part-depth.ts';

/**
 * Distance that arms keep from the rest of the character, relative to their length, unless those of the source are closer: radii are not exact, and points
 * are few.
 */
export const CLEARANCE = 0.02;
/** The same for soft arms: half a centimeter of depth is not seen, while every percent opens a lowered arm by half a degree. */
const SOFT_CLEARANCE = -0.01;

/** Returns the distance that arms keep, relative to their length. */
export function clearanceOf(selfCollision: ContactPlan['selfCollision']): number {
  return selfCollision === 'soft' ? SOFT_CLEARANCE : CLEARANCE;
}

/** Returns the least depth that {@link depthLimit} allows, meters. */
export function leastDepthLimit(arm: Arm, clearance: number = CLEARANCE): number {
  return -clearance * arm.length;
}

/**
 * Returns the depth that a point of an arm may have.
 *
 * @param ratio Allowed depth relative to the radii, from {@link allowedDepths}.
 * @param size Radius of the part plus that of the arm, meters.
 * @param clearance Distance that the arm keeps where the ratio allows less depth, relative to its length.
 */
export function depthLimit(arm: Arm, ratio: number, size: number, clearance: number = CLEARANCE): number {
  const least = leastDepthLimit(arm, clearance);
  return size > 0 ? Math.max(least, ratio * size) : least;
}

const pose = createArmPose();
const part = createPartDepth();
const hand = new Float64Array(3);
const FEET = [BONE.leftFoot, BONE.rightFoot];
const NO_ROTATION = new Float64Array(UNKNOWNS);

/** Writes how deep the points of an arm are in the parts of a character, relative to the radii: negative outside, −Infinity above `least`; per point and part. */
function findRatios(
  out: Float64Array,
  { arm, trunkBone, parts, bones }: Omit<ArmProblem, 'allowed' | 'clearance' | 'timing'>,
  frame: number,
  least: number,
): void {
  const o = arm.points.length * parts.length * frame;
  const b = FRAME_STRIDE * frame;
  rotateArm(pose, arm, trunkBone, bones, b, NO_ROTATION, 0);
  for (const [k, point] of arm.points.entries()) {
    for (let p = 0; p < parts.length; p++) {
      const at = o + k * parts.length + p;
      // A point that the character lacks is as deep as the one before it.
      if (point === null || parts[p].length === 0) {
        out[at] = k === 0 ? Number.NEGATIVE_INFINITY : out[at - parts.length];
        continue;
      }
      movePoint(pose, point, bones, b);
      findPartDepth(part, parts[p], bones, b, point, pose.point, pose.delta, 0, least);
      out[at] = part.size > 0 ? part.depth / part.size : Number.NEGATIVE_INFINITY;
    }
  }
}

/**
 * Computes how deep an arm is inside its character, relative to the radii: negative outside. `least`: depth up to which the caller needs no result,
 * meters; −Infinity for any. `shares`: frames with a share of 0 are left out: their depths are 0. All frames by default.
 */
export function armDepths(
  arm: Arm,
  { map }: Humanoid,
  parts: ReturnType<typeof findParts>,
  bones: Float64Array,
  least: number,
  shares?: Float64Array,
): Float64Array {
  const size = arm.points.length * parts.length;
  const count = bones.length / FRAME_STRIDE;
  const out = new Float64Array(size * count);
  const problem = { arm, trunkBone: trunkBoneOf(map.nodes), parts, bones };
  for (let frame = 0; frame < count; frame++) {
    if (shares === undefined || shares[frame] > 0) findRatios(out, problem, frame, least);
  }
  return out;
}

/** A source with its bones in all frames, from `sampleBoneFrames`. */
interface SourceBones extends SurfacedHumanoid {
  readonly bones: Float64Array;
}

interface TargetSurface {
  readonly character: PosedCharacter;
  readonly surface: ContactSurface;
}

/**
 * Computes how deep an arm of the source is inside its own character, relative to the radii. Returns per frame, point and part; null where that is
 * unknown: radii that are estimated from joints do not tell it.
 */
export function depthsOfSource(side: Side, { humanoid, surface, bones }: SourceBones): Float64Array | null {
  const arm = surface.from === 'skin' ? findArms(humanoid, surface).find((one) => one.side === side) : undefined;
  return arm === undefined ? null : armDepths(arm, humanoid, findParts(surface), bones, leastDepthLimit(arm));
}

/** Computes the depths that an arm of the target has in its own T-pose, relative to the radii; the same in so many frames. */
export function depthsOfTarget(arm: Arm, { character, surface }: TargetSurface, count: number): Float64Array {
  const least = leastDepthLimit(arm);
  const own = armDepths(arm, character.humanoid, findParts(surface), referenceBoneFrame(character), least);
  const out = new Float64Array(own.length * count);
  for (let k = 0; k < out.length; k++) out[k] = own[k % own.length];
  return out;
}

/**
 * Permits an arm to be in the ground, the last of the parts, as deep as it would hang in it while the character stands, so that walks of characters with very long arms stay as they are, and as
 * deep as the body is below it, as on stairs that lead down; in place. `bones`: of the target, in the frames of `allowed`.
 */
export function permitGround(
  allowed: Float64Array,
  { points, bones: [upper] }: Arm,
  { humanoid: { map, reference } }: PosedCharacter,
  surface: ContactSurface,
  bones: Float64Array,
): void {
  const { floor, height } = surface;
  const { positions } = reference;
  const feet = FEET.filter((foot) => map.nodes[foot] >= 0);
  const shoulder = 3 * upper;
  const hanging = points.map((point) => {
    if (point === null) return Number.NEGATIVE_INFINITY;
    vec3.add(hand, 0, positions, 3 * point.bone, point.offset, 0);
    return (floor - positions[shoulder + 1] + vec3.distance(hand, 0, positions, shoulder)) / height;
  });
  const count = findParts(surface).length;
  for (let frame = 0, at = count - 1; at < allowed.length; frame++) {
    let sunk = 0;
    for (const foot of feet) {
      const below = floor - bones[FRAME_STRIDE * frame + BONE_STRIDE * foot + POSITION_OFFSET + 1];
      // An ankle that is below the ground is above its sole.
      if (below > 0) sunk = Math.max(sunk, below + Math.min(below, Math.max(0, positions[3 * foot + 1] - floor)));
    }
    for (const depth of hanging) {
      allowed[at] = Math.max(allowed[at], depth, sunk > 0 ? sunk / height : Number.NEGATIVE_INFINITY);
      at += count;
    }
  }
}

/** Permits the depths that the source has, in place. */
export function permitDepths(allowed: Float64Array, ofSource: Float64Array | null): void {
  if (ofSource !== null) for (let k = 0; k < allowed.length; k++) allowed[k] = Math.max(allowed[k], ofSource[k]);
}

/**
 * Computes the depths that an arm of the target may have: those of the source, and those of its own T-pose, relative to the radii. Negative
 * where both are outside, −Infinity where both are far: see {@link depthLimit}.
 */
export function allowedDepths(arm: Arm, target: TargetSurface, source: SourceBones): Float64Array {
  const allowed = depthsOfTarget(arm, target, source.bones.length / FRAME_STRIDE);
  permitDepths(allowed, depthsOfSource(arm.side, source));
  return allowed;
}

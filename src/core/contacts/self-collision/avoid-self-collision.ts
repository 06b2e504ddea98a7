import type { Clip } from '../../animation/clip.ts';
import { SIDES, type Side } from '../../humanoid/bones.ts';
import { getOrCreate } from '../../math/get-or-create.ts';
import * as vec3 from '../../math/vec3.ts';
import type { FrameGrid } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import { createSourceSamples } from '../frames/source-samples.ts';
import { smoothstep } from '../paths/ease.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { CutTiming } from '../paths/timing.ts';
import type { ContactPlan, RestingHands } from '../plan/contact-plan.ts';
import {
  clearanceOf,
  depthLimit,
  depthsOfSource,
  depthsOfTarget,
  permitDepths,
  permitGround,
} from './allowed-depths.ts';
import { findArmCuts } from './arm-cuts.ts';
import { isArmLoop } from './arm-loop.ts';
import { createArmPose, movePoint, rotateArm, trunkBoneOf, UNKNOWNS } from './arm-pose.ts';
import type { ArmProblem } from './arm-problem.ts';
import { FRAME_STRIDE, sampleBoneFrames } from './bone-frames.ts';
import { COLLISION_BONES, findArms, findParts } from './limb-points.ts';
import { limitChange, MOST_CHANGE, MOST_SOFT_CHANGE } from './limit-change.ts';
import { createPartDepth, findPartDepth } from './part-depth.ts';
import { permitCrossings, permitPlain } from './permit-crossings.ts';
import type { SelfCollisionReport } from './self-collision-report.ts';
import { isAnywhereTooDeep, solveArm } from './solve-arm.ts';
import { bonesOfFrames, chooseFrames, timingOfFrames, valuesBetween } from './solved-frames.ts';
import { type RotatedArm, writeArms } from './write-arms.ts';

/** A rotation below this, radians, is rounding of float32 files: the clip stays as it is. */
const UNCHANGED_ROTATION = 1e-6;

/** Change of the direction of upper arm or forearm up to which soft arms are moved as far as it takes, radians: it is not seen. */
const FREE_CHANGE = (2.5 * Math.PI) / 180;

/**
 * Standard deviation over which the change that a touch takes is smoothed, seconds: what it leaves shall not make arms jump. Without it, and with depths permitted at once, YMCA on
 * RobotExpressive is 1.42 times as jerky as with `--contacts off`; with both, 1.09 times.
 */
const TAKEN_SIGMA = 0.08;

/** Rotation from which on an arm counts as moved, radians. */
const MOVED = Math.PI / 180;

const pose = createArmPose();
const part = createPartDepth();
const NO_ROTATION = new Float64Array(UNKNOWNS);

function reportChanges(
  moved: readonly RotatedArm[],
  trunkBone: number,
  bones: Float64Array,
  step: number,
): SelfCollisionReport {
  const count = bones.length / FRAME_STRIDE;
  const wrist = new Float64Array(3);
  let [frames, largestChange] = [0, 0];
  for (let frame = 0; frame < count; frame++) {
    const b = FRAME_STRIDE * frame;
    let isMoved = false;
    for (const { arm, unknowns } of moved) {
      const u = UNKNOWNS * frame;
      if (unknowns.subarray(u, u + UNKNOWNS).some((angle) => Math.abs(angle) > MOVED)) isMoved = true;
      const point = {
        bone: arm.bones[2],
        offset: new Float64Array(3),
        radii: null,
        along: 0,
        thickness: 0,
        thickest: 0,
        isUpper: false,
      };
      rotateArm(pose, arm, trunkBone, bones, b, NO_ROTATION, 0);
      movePoint(pose, point, bones, b);
      vec3.copy(wrist, 0, pose.point, 0);
      rotateArm(pose, arm, trunkBone, bones, b, unknowns, u);
      movePoint(pose, point, bones, b);
      largestChange = Math.max(largestChange, vec3.distance(wrist, 0, pose.point, 0));
    }
    if (isMoved) frames++;
  }
  return { seconds: frames * step, largestChange };
}

/** What an arm does whose hand touches something. */
export interface TouchingArm {
  /** How much it touches, 0…1 per frame. */
  readonly touches: Float64Array;
  /** Change of the direction of upper arm or forearm that it took, per frame, radians. */
  readonly changes: Float64Array;
}

export type TouchingArms = Readonly<Record<Side, TouchingArm>>;

/** Adds the arms whose hands rest on the ground, a seat or a box: they stay there, too. */
export function holdResting(touching: TouchingArms | null, resting: RestingHands): TouchingArms | null {
  if (SIDES.every((side) => resting[side] === null)) return touching;
  const [left, right] = SIDES.map((side): TouchingArm => {
    const [own, rests] = [touching?.[side], resting[side]];
    const count = (own?.touches ?? rests ?? resting.left ?? resting.right)!.length;
    const join = (values: Float64Array | undefined, factor: number): Float64Array =>
      Float64Array.from({ length: count }, (_, k) => Math.max(values?.[k] ?? 0, factor * (rests?.[k] ?? 0)));
    return { touches: join(own?.touches, 1), changes: join(own?.changes, MOST_CHANGE) };
  });
  return { left, right };
}

/**
 * Depth in the ground beyond the allowed one, relative to the length of the arm, from which on an arm may change as much as one whose hand touches: a hand in the floor is seen more than one in a
 * thigh. With 12° at most, a hand of Sophia that sits as the KayKit Knight is still 5.5 % of the height in the ground; with it 2.3 %.
 */
const DEEP_IN_GROUND = 0.1;

/** Computes how much an arm is in the ground after plain retargeting, 0…1 per frame. */
function groundShares({ arm, trunkBone, parts, bones, allowed, clearance, timing }: ArmProblem): Float64Array {
  const shares = new Float64Array(bones.length / FRAME_STRIDE);
  const ground = parts.length - 1;
  for (let frame = 0; frame < shares.length; frame++) {
    const b = FRAME_STRIDE * frame;
    rotateArm(pose, arm, trunkBone, bones, b, NO_ROTATION, 0);
    for (const [k, point] of arm.points.entries()) {
      if (point === null) continue;
      movePoint(pose, point, bones, b);
      findPartDepth(part, parts[ground], bones, b, point, pose.point, pose.delta, 0, Number.NEGATIVE_INFINITY);
      const limit = depthLimit(
        arm,
        allowed[(frame * arm.points.length + k) * parts.length + ground],
        part.size,
        clearance,
      );
      shares[frame] = Math.max(shares[frame], smoothstep(0, DEEP_IN_GROUND, (part.depth - limit) / arm.length));
    }
  }
  return smoothMaximum(shares, TAKEN_SIGMA, timing.step, timing.loops);
}

/** Computes how deep an arm of the source is inside its own character in some frames, or returns the result that is kept. */
function sourceDepths(
  { source, sourceSurface, sourceSamples }: ContactPlan,
  clip: Clip,
  grid: FrameGrid,
  frames: Int32Array,
  side: Side,
): Float64Array | null {
  const samples = sourceSamples ?? createSourceSamples();
  const known = getOrCreate(samples.armDepths, clip, () => {
    const bones = sampleBoneFrames(createPosedCharacter(source, sourceSurface), clip, grid, COLLISION_BONES);
    const from = { humanoid: source, surface: sourceSurface, bones: bonesOfFrames(bones, frames) };
    const [left, right] = SIDES.map((one) => depthsOfSource(one, from));
    samples.bytes += (left?.byteLength ?? 0) + (right?.byteLength ?? 0);
    return { left, right };
  });
  return known[side];
}

/**
 * Keeps the arms of a character out of its trunk, head and thighs, as far as those of the source are out of its own, relative to the radii of both, and out of the ground, relative to the heights.
 * Shoulders and elbows rotate as little and as smoothly as possible; hands keep their rotation relative to the forearm. `touching`: what hands
 * touch: there their arms stay where they are.
 */
export function avoidSelfCollision(
  plan: ContactPlan,
  sourceClip: Clip,
  clip: Clip,
  touching: TouchingArms | null,
): { readonly clip: Clip; readonly report: SelfCollisionReport | null } {
  const { target, targetSurface } = plan;
  const arms = findArms(target, targetSurface);
  if (targetSurface.from !== 'skin' || arms.length === 0) return { clip, report: null };
  const character = createPosedCharacter(target, targetSurface);
  const grid = frameGridOf(sourceClip, plan.source);
  const bones = sampleBoneFrames(character, clip, grid, COLLISION_BONES);
  const trunkBone = trunkBoneOf(target.map.nodes);
  const timing: CutTiming = {
    step: grid.step,
    loops: isArmLoop(target, trunkBone, bones),
    cuts: findArmCuts(trunkBone, bones, grid.step),
  };
  const parts = findParts(targetSurface);
  const clearance = clearanceOf(plan.selfCollision);
  const frames = chooseFrames(grid.count, grid.step);
  const solved = {
    trunkBone,
    parts,
    clearance,
    bones: bonesOfFrames(bones, frames),
    timing: timingOfFrames(timing, frames),
  };
  const moved = arms.flatMap((arm): RotatedArm[] => {
    const allowed = depthsOfTarget(arm, { character, surface: targetSurface }, frames.length);
    permitGround(allowed, arm, character, targetSurface, solved.bones);
    const free: ArmProblem = { arm, allowed, ...solved };
    // Most arms need no look at the source, which permits more.
    if (!isAnywhereTooDeep(free)) return [];
    permitDepths(allowed, sourceDepths(plan, sourceClip, grid, frames, arm.side));
    const held = touching === null ? null : Float64Array.from(frames, (frame) => touching[arm.side].touches[frame]);
    const problem = held?.some((share) => share > 0) ? permitPlain(free, held) : free;
    const first = solveArm(problem);
    const permitting = permitCrossings(problem, first);
    const few = permitting === null ? first : solveArm(permitting);
    if (!few.some((angle) => Math.abs(angle) > UNCHANGED_ROTATION)) return [];
    const unknowns = valuesBetween(few, UNKNOWNS, frames, timing);
    if (plan.selfCollision === 'soft') {
      const changes = touching?.[arm.side].changes;
      const taken = changes === undefined ? null : smoothMaximum(changes, TAKEN_SIGMA, timing.step, timing.loops);
      const inGround = valuesBetween(groundShares(free), 1, frames, timing).map((share) =>
        Math.min(1, Math.max(0, share)),
      );
      const most = (frame: number): number => {
        const limit = MOST_SOFT_CHANGE + inGround[frame] * (MOST_CHANGE - MOST_SOFT_CHANGE);
        return Math.max(0, Math.min(limit, MOST_CHANGE - (taken?.[frame] ?? 0)));
      };
      const seen = (frame: number): number => FREE_CHANGE + inGround[frame] * (MOST_SOFT_CHANGE - FREE_CHANGE);
      limitChange(arm, trunkBone, bones, unknowns, most, seen);
    }
    return [{ arm, unknowns, hand: null, shoulder: null }];
  });
  const report = reportChanges(moved, trunkBone, bones, grid.step);
  if (moved.length === 0) return { clip, report };
  return { clip: writeArms(plan, clip, grid, character, bones, moved), report };
}

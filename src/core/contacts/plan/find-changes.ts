/** Decides how hips and feet of a clip are moved. */
import type { Clip } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import { SIDES, type Side } from '../../humanoid/bones.ts';
import * as vec3 from '../../math/vec3.ts';
import { type CharacterFrames, isLoop, type LegFrames } from '../frames/character-frames.ts';
import { type PosedCharacter, poseCharacter, trunkClearance } from '../frames/posed-character.ts';
import { softReach } from '../legs/solve-leg.ts';
import { smoothstep } from '../paths/ease.ts';
import { smooth, smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import { findFootPlants } from '../plants/find-plants.ts';
import { applyChanges, type Changes, type FootOffsets } from './apply-changes.ts';
import type { ContactPlan, ContactReport } from './contact-plan.ts';
import { type FootGoals, findFootGoals } from './foot-goals.ts';
import { findHipsRaise, type HeightWish, trunkContact } from './hips-goals.ts';
import { extensionAt, FREE_EXTENSION, neededDrop } from './reach.ts';

/** How often the height of a trunk on the ground is corrected: moving the legs may move its lowest point. */
const TRUNK_PASSES = 3;
/** Greatest extension of a leg whose foot is moved, and the distance, relative to the leg, from which on it counts fully as moved. */
const STRAIGHT_EXTENSION = 0.9975;
const MOVED_FOOT = 0.005;
/** Standard deviation with which lowering and bending are smoothed, seconds. */
const SIGMA = 0.09;
/** Standard deviation with which a swinging foot avoids the floor, seconds. */
const AVOIDING_SIGMA = 0.05;
/** Standard deviation with which the height of a sole is smoothed, seconds. */
const LIFT_SIGMA = 0.03;
/** Most that the hips are lowered, relative to the leg. */
const DEEPEST = 0.2;
/** A lowering below this, relative to the leg, is rounding. */
const NO_DROP = 1e-7;

/** A foot of both characters. */
interface Foot {
  readonly side: Side;
  readonly from: LegFrames;
  readonly to: LegFrames;
  readonly goals: FootGoals;
  /** Vertical offset from plain retargeting that the foot wants, meters per frame. */
  readonly lifts: Float64Array;
}

const hip = new Float64Array(3);
const goal = new Float64Array(3);

function legLengthAt({ hip: a, knee, ankle }: LegFrames, frame: number): number {
  return vec3.distance(a, 3 * frame, knee, 3 * frame) + vec3.distance(knee, 3 * frame, ankle, 3 * frame);
}

/** Limits a vertical offset so that it lowers nothing below the floor, however deep the source is. */
function aboveFloor(offset: number, clearance: number): number {
  return Math.max(offset, -Math.max(0, clearance));
}

/**
 * Computes how far the foot of the target has to be raised so that its sole is as high as that of the source. It is smoothed, because the lowest
 * points of the two soles change at different times.
 */
function findLifts({ mode, retarget }: ContactPlan, from: LegFrames, to: LegFrames, timing: Timing): Float64Array {
  const lifts = to.clearance.map((clearance, frame) => {
    if (mode === 'ground') return Math.max(0, -clearance);
    return aboveFloor(retarget.hipsScale * from.clearance[frame] - clearance, clearance);
  });
  return mode === 'ground' ? lifts : smooth(lifts, LIFT_SIGMA, timing.step, timing.loops);
}

/**
 * Finds the vertical offsets of a foot from plain retargeting, with the hips raised. In the air it moves with the hips. It goes no deeper than the
 * source, nor than plain retargeting; a swinging foot avoids the floor smoothly.
 */
function raisedLifts(
  { from, to, goals, lifts }: Foot,
  plan: ContactPlan,
  raise: Float64Array,
  timing: Timing,
): Float64Array {
  const { mode, retarget } = plan;
  if (mode === 'ground') return raise.map((height, frame) => Math.max(height, -to.clearance[frame]));
  const free = raise.map((height, frame) => {
    const touching = goals.touching[frame];
    return touching * lifts[frame] + (1 - touching) * height;
  });
  const below = free.map((lift, frame) => {
    const clearance = to.clearance[frame];
    const deepest = Math.min(0, Math.max(retarget.hipsScale * from.clearance[frame], clearance));
    return Math.max(0, deepest - clearance - lift);
  });
  if (!below.some((depth) => depth > 0)) return free;
  const avoided = smoothMaximum(below, AVOIDING_SIGMA, timing.step, timing.loops);
  return free.map((lift, frame) => lift + Math.max(below[frame], (1 - goals.touching[frame]) * avoided[frame]));
}

/** Writes the raised hip joint to `hip`, and where the ankle goes to `goal`. */
function findHipAndGoal({ to, goals }: Foot, raise: Float64Array, raised: Float64Array, frame: number): void {
  vec3.copy(hip, 0, to.hip, 3 * frame);
  hip[1] += raise[frame];
  vec3.copy(goal, 0, to.ankle, 3 * frame);
  goal[0] += goals.shift[2 * frame];
  goal[1] += raised[frame];
  goal[2] += goals.shift[2 * frame + 1];
}

/** The extension that a leg may have in a frame: that of either character, or {@link FREE_EXTENSION}; at most 1. */
function freeExtension({ from, to }: Foot, frame: number): number {
  return Math.min(1, Math.max(FREE_EXTENSION, extensionAt(from, frame), extensionAt(to, frame)));
}

/** Lowers the hips where a leg on the ground is too short; returns the greatest wanted extension. */
function lowerHips(
  raise: Float64Array,
  plan: ContactPlan,
  feet: readonly Foot[],
  trunk: Float64Array,
  timing: Timing,
): number {
  const needed = new Float64Array(raise.length);
  let reach = 0;
  let legLength = 0;
  for (const foot of feet) {
    const { to, goals } = foot;
    legLength = Math.max(legLength, to.leg.length);
    const raised = raisedLifts(foot, plan, raise, timing);
    for (let frame = 0; frame < raise.length; frame++) {
      const grounded = goals.touching[frame] * (1 - trunk[frame]);
      if (!(grounded > 0)) continue;
      findHipAndGoal(foot, raise, raised, frame);
      const length = legLengthAt(to, frame);
      const free = freeExtension(foot, frame);
      // A straight leg that has to move its foot needs some slack, or its knee would jump; one that need not is left alone.
      const moved = Math.hypot(
        goals.shift[2 * frame],
        goal[1] - to.ankle[3 * frame + 1] - raise[frame],
        goals.shift[2 * frame + 1],
      );
      const slack = smoothstep(0, MOVED_FOOT * length, moved);
      const allowed = free - slack * Math.max(0, free - STRAIGHT_EXTENSION);
      reach = Math.max(reach, vec3.distance(goal, 0, hip, 0) / length);
      needed[frame] = Math.max(needed[frame], grounded * neededDrop(hip, goal, allowed * length));
    }
  }
  if (needed.some((drop) => drop > NO_DROP * legLength)) {
    const limited = needed.map((one) => Math.min(one, DEEPEST * legLength));
    const drop = smoothMaximum(limited, SIGMA, timing.step, timing.loops);
    for (let frame = 0; frame < raise.length; frame++) raise[frame] -= drop[frame];
  }
  return reach;
}

/** Computes the offsets of a foot, softly within reach of its leg. */
function footOffsets(foot: Foot, plan: ContactPlan, raise: Float64Array, timing: Timing): FootOffsets {
  const { to } = foot;
  const offsets = new Float64Array(3 * raise.length);
  const raised = raisedLifts(foot, plan, raise, timing);
  for (let frame = 0; frame < raise.length; frame++) {
    const at = 3 * frame;
    findHipAndGoal(foot, raise, raised, frame);
    const distance = vec3.distance(goal, 0, hip, 0);
    const extension = distance / legLengthAt(to, frame);
    const start = freeExtension(foot, frame);
    if (extension > start) {
      const scale = (start < 1 ? softReach(extension, start) : 1) / extension;
      for (let c = 0; c < 3; c++) goal[c] = hip[c] + (goal[c] - hip[c]) * scale;
    }
    vec3.subtract(offsets, at, goal, 0, to.ankle, at);
  }
  const moved = raise.map((height, frame) => {
    const at = 3 * frame;
    const distance = Math.hypot(offsets[at], offsets[at + 1] - height, offsets[at + 2]);
    return smoothstep(0, MOVED_FOOT * to.leg.length, distance);
  });
  return { frames: to, offsets, activity: smoothMaximum(moved, SIGMA, timing.step, timing.loops) };
}

/** Adds what is missing of the wanted height of the trunk, with the legs as they are now. */
function correctTrunk(
  wish: HeightWish,
  plan: ContactPlan,
  source: CharacterFrames,
  clip: Clip,
  posed: PosedCharacter,
  changes: Changes,
): void {
  const cursors = new Int32Array(clip.tracks.length);
  for (let frame = 0; frame < wish.weights.length; frame++) {
    if (!(wish.weights[frame] > 0)) continue;
    posed.local.set(plan.target.skeleton.rest);
    sampleClip(clip, frame * source.grid.step, posed.local, cursors);
    applyChanges(posed.local, plan, changes, frame);
    poseCharacter(posed);
    wish.heights[frame] += wantedRaise(plan, source.clearance[frame], trunkClearance(posed));
  }
}

/** How far a trunk must be raised. */
function wantedRaise({ mode, retarget }: ContactPlan, source: number, target: number): number {
  return mode === 'ground' ? Math.max(0, -target) : aboveFloor(retarget.hipsScale * source - target, target);
}

/**
 * Decides how hips and feet of a clip are moved.
 *
 * @param plan From `planContacts`.
 * @param source The source in all frames.
 * @param target The target in all frames, after plain retargeting.
 * @param clip The clip of the target.
 * @param posed Buffers for the target.
 * @returns The changes and a report.
 */
export function findChanges(
  plan: ContactPlan,
  source: CharacterFrames,
  target: CharacterFrames,
  clip: Clip,
  posed: PosedCharacter,
): { readonly changes: Changes; readonly report: ContactReport } {
  const { mode, retarget, sourceSurface } = plan;
  const { count, step } = source.grid;
  const timing: Timing = { step, loops: isLoop(source) };
  const plants: Record<Side, number> = { left: 0, right: 0 };
  const feet = SIDES.flatMap((side): Foot[] => {
    const [from, to] = [source.legs[side], target.legs[side]];
    if (from === null || to === null) return [];
    const found = findFootPlants(from, sourceSurface.floor, step);
    plants[side] = Math.max(found.ball.length, found.heel.length);
    const goals = findFootGoals(plan, from, to, found, timing);
    return [{ side, from, to, goals, lifts: findLifts(plan, from, to, timing) }];
  });
  const legLength = Math.max(0, ...feet.map(({ from }) => from.leg.length)) || plan.source.hipsHeight;
  const weights =
    mode === 'ground'
      ? target.clearance.map((height) => (height < 0 ? 1 : 0))
      : trunkContact(source.clearance, legLength);
  for (let frame = 0; frame < count; frame++) {
    if (!Number.isFinite(source.clearance[frame]) || !Number.isFinite(target.clearance[frame])) weights[frame] = 0;
  }
  const heights = target.clearance.map((height, frame) =>
    weights[frame] > 0 ? wantedRaise(plan, source.clearance[frame], height) : 0,
  );
  const trunk: HeightWish = { heights, weights };
  const isOnGround = weights.some((weight) => weight > 0);
  const wishes = mode === 'ground' ? [] : feet.map(({ goals, lifts }) => ({ heights: lifts, weights: goals.touching }));
  let changes: Changes = { raise: new Float64Array(count), feet: [] };
  let reach = 0;
  for (let pass = 0; pass < (isOnGround ? TRUNK_PASSES : 1); pass++) {
    if (pass > 0) correctTrunk(trunk, plan, source, clip, posed, changes);
    const raise = retarget.hips === null ? new Float64Array(count) : findHipsRaise(trunk, wishes, timing);
    if (retarget.hips !== null && mode !== 'ground') reach = lowerHips(raise, plan, feet, weights, timing);
    changes = { raise, feet: feet.map((foot) => footOffsets(foot, plan, raise, timing)) };
  }
  let largestChange = 0;
  for (const { offsets } of changes.feet) {
    for (let frame = 0; frame < count; frame++)
      largestChange = Math.max(largestChange, vec3.length(offsets, 3 * frame));
  }
  const report: ContactReport = {
    mode,
    plants,
    trunkSeconds: weights.filter((weight) => weight > 0.5).length * step,
    reach,
    largestChange,
    hipsRaised: changes.raise.reduce((most, value) => Math.max(most, value), 0),
    hipsLowered: changes.raise.reduce((most, value) => Math.max(most, -value), 0),
  };
  return { changes, report };
}

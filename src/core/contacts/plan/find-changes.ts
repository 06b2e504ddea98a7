import type { Clip } from '../../animation/clip.ts';
import { SIDES, type Side } from '../../humanoid/bones.ts';
import * as vec3 from '../../math/vec3.ts';
import { HIPS_SIGMA } from '../constants.ts';
import { type CharacterFrames, isLoop, type LegFrames } from '../frames/character-frames.ts';
import type { PosedCharacter } from '../frames/posed-character.ts';
import { smoothMaximum } from '../paths/smooth.ts';
import type { Timing } from '../paths/timing.ts';
import type { Floors } from '../plants/find-floors.ts';
import { declaredPlants, type FootPlants, findFootPlants } from '../plants/find-plants.ts';
import type { Changes } from './apply-changes.ts';
import type { ContactPlan, GroundReport, RestingHands } from './contact-plan.ts';
import { correctHeights, wantedRaise } from './correct-heights.ts';
import { findFlightHeight } from './flight-height.ts';
import { type Foot, findHipAndGoal, findStrain, measureStretch, reachAt } from './foot.ts';
import { describeFootPath, type FootLimits, solveFootPath } from './foot-goals.ts';
import { findLifts } from './foot-heights.ts';
import { footOffsets } from './foot-offsets.ts';
import { findHipsRaise, type HeightWish, trunkContact } from './hips-goals.ts';
import { lowerHips } from './lower-hips.ts';
import { raiseHips } from './raise-hips.ts';
import { shortenSteps } from './shorten-steps.ts';

const shoulder = new Float64Array(3);
const goal = new Float64Array(3);

/**
 * Raises the wanted height of hands out of reach. Without this an arm would be straight until its goal comes within reach, and then leave at the
 * speed of the goal. `feet`: feet and hands; `lifts` of hands are replaced. `raise`: how much the hips are raised, meters per frame.
 */
function raiseHands(feet: readonly Foot[], raise: Float64Array, { step, loops }: Timing): void {
  for (const foot of feet) {
    if (!foot.to.leg.isArm) continue;
    const missing = foot.lifts.map((_, frame) => {
      findHipAndGoal(shoulder, goal, foot, raise, foot.lifts, frame);
      const reach = reachAt(foot, frame);
      if (!(vec3.distance(goal, 0, shoulder, 0) > reach)) return 0;
      const across = Math.min(reach, Math.hypot(goal[0] - shoulder[0], goal[2] - shoulder[2]));
      const height = shoulder[1] - goal[1] - Math.sqrt(reach * reach - across * across);
      return Math.max(0, height) * foot.path.touching[frame];
    });
    if (!missing.some((height) => height > 0)) continue;
    const raised = smoothMaximum(missing, HIPS_SIGMA, step, loops);
    foot.lifts = foot.lifts.map((lift, frame) => lift + raised[frame]);
  }
}

/** How often the changes are found: moving the legs may move the lowest points of trunk and soles. */
const PASSES = 3;
/** A correction of these heights below this, relative to the leg, ends the search. */
const ENOUGH = 2e-4;
/**
 * Standard deviation with which what a hand rests on takes over from what it touches, seconds. Not critical: between 0.03 and 0.24 the jerk of crawls on four bodies of the demo, and of the KayKit Knight
 * who lies down and gets up on Xbot, differs by 0.01 × plain retargeting.
 */
const HANDOVER_SIGMA = 0.12;
/** How often steps are shortened at most until all feet are within reach. */
const STEP_ROUNDS = 6;

/**
 * Tells how much the hands of a body bear it: fully where its trunk lies, as in push-ups and crawling, or is upside down; not where it is upright,
 * as on a seat, whatever the hands rest on. Returns 0…1 per frame.
 */
export function bearingOfHands(
  { legs }: Pick<CharacterFrames, 'legs'>,
  { hip: shoulder }: Pick<LegFrames, 'hip'>,
): Float64Array {
  const hips = SIDES.flatMap((side) => legs[side]?.hip ?? []);
  const across = new Float64Array(3);
  return Float64Array.from({ length: shoulder.length / 3 }, (_, frame) => {
    across.fill(0);
    for (const hip of hips) vec3.addScaled(across, 0, across, 0, hip, 3 * frame, 1 / hips.length);
    vec3.subtract(across, 0, shoulder, 3 * frame, across, 0);
    const length = vec3.length(across, 0);
    if (!(hips.length > 0 && length > 0)) return 0;
    return across[1] < 0 ? 1 : Math.hypot(across[0], across[2]) / length;
  });
}

/**
 * Decides how hips, feet and hands that rest on something are moved. `declared`: plants of the feet that the file of the source declares. `hands`:
 * when hands rest; null where they never do.
 */
export function findChanges(
  plan: ContactPlan,
  source: CharacterFrames,
  target: CharacterFrames,
  clip: Clip,
  posed: PosedCharacter,
  declared: Clip['plants'],
  hands: Floors['hands'] | null,
): { readonly changes: Changes; readonly report: GroundReport; readonly hands: RestingHands } {
  const { mode, retarget } = plan;
  const { count, step } = source.grid;
  const timing: Timing = { step, loops: isLoop(source) };
  const plants: Record<Side, number> = { left: 0, right: 0 };
  const footOf = (from: LegFrames, to: LegFrames, found: FootPlants): Foot => {
    const other = from.leg.isArm ? null : source.legs[from.leg.side === 'left' ? 'right' : 'left'];
    const path = describeFootPath(plan, from, other, to, found, timing);
    const limits: FootLimits = { shifts: new Float64Array(2 * count), weights: new Float64Array(count) };
    const shift = mode === 'ground' ? new Float64Array(2 * count) : solveFootPath(path, limits);
    const clearance = to.clearance.slice();
    const lifts = findLifts(plan, from, clearance, path.following, timing);
    const bearing = from.leg.isArm ? bearingOfHands(source, from) : new Float64Array(count).fill(1);
    const foot = { from, to, stretch: measureStretch(from, to), bearing, path, limits, clearance, lifts, shift };
    return { ...foot, strain: findStrain(foot, timing) };
  };
  const feetOfLegs = SIDES.flatMap((side): Foot[] => {
    const [from, to] = [source.legs[side], target.legs[side]];
    if (from === null || to === null) return [];
    const found = declared === undefined ? findFootPlants(from, step) : declaredPlants(declared, side, source.grid);
    plants[side] = Math.max(found.ball.length, found.heel.length);
    return [footOf(from, to, found)];
  });
  const feetOfArms = SIDES.flatMap((side): Foot[] => {
    const [from, to, rests] = [source.arms[side], target.arms[side], hands?.[side]?.rests];
    return from === null || to === null || rests === undefined ? [] : [footOf(from, to, { ball: rests, heel: [] })];
  });
  const feet = [...feetOfLegs, ...feetOfArms];
  const legLength = Math.max(0, ...feetOfLegs.map(({ from }) => from.leg.length)) || plan.source.hipsHeight;
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
  const flight = findFlightHeight(plan, source, target, timing);
  let changes: Changes = { raise: new Float64Array(count), feet: [] };
  let reach = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    if (pass > 0) {
      if (!(correctHeights(plan, source, { clip, posed }, changes, feet, trunk) > ENOUGH * legLength)) break;
      for (const foot of feet) foot.lifts = findLifts(plan, foot.from, foot.clearance, foot.path.following, timing);
    }
    const wishes =
      mode === 'ground'
        ? []
        : feet.map(({ path, lifts, bearing }) => {
            return {
              heights: lifts,
              weights: path.touching.map((weight, frame) => weight * Math.sqrt(bearing[frame])),
            };
          });
    let raise: Float64Array;
    for (let round = 0; ; round++) {
      raise = retarget.hips === null ? new Float64Array(count) : findHipsRaise(trunk, wishes, flight, timing);
      if (mode === 'ground') break;
      if (retarget.hips !== null) raiseHips(raise, plan, feet, weights, timing);
      const wanted = retarget.hips === null ? 0 : lowerHips(raise, plan, feet, weights, timing);
      if (pass + round === 0) reach = wanted;
      if (round >= STEP_ROUNDS || !shortenSteps(feet, plan, raise, timing, round)) break;
    }
    raiseHands(feet, raise, timing);
    changes = { raise, feet: feet.map((foot) => footOffsets(foot, plan, raise, timing)) };
  }
  // Hands move with the hips, feet do not.
  const moved = new Float64Array(3);
  const largestOf = (isArm: boolean): number => {
    let largest = 0;
    for (const { frames, offsets } of changes.feet) {
      if (frames.leg.isArm !== isArm) continue;
      for (let frame = 0; frame < count; frame++) {
        vec3.copy(moved, 0, offsets, 3 * frame);
        if (isArm) moved[1] -= changes.raise[frame];
        largest = Math.max(largest, vec3.length(moved, 0));
      }
    }
    return largest;
  };
  const report: GroundReport = {
    mode,
    plants,
    trunkSeconds: weights.filter((weight) => weight > 0.5).length * step,
    reach,
    largestChange: largestOf(false),
    largestHandChange: largestOf(true),
    hipsRaised: changes.raise.reduce((most, value) => Math.max(most, value), 0),
    hipsLowered: changes.raise.reduce((most, value) => Math.max(most, -value), 0),
  };
  const restsOf = (side: Side): Float64Array | null => {
    const rests = feetOfArms.find(({ from }) => from.leg.side === side)?.path.following;
    return rests === undefined ? null : smoothMaximum(rests, HANDOVER_SIGMA, step, timing.loops);
  };
  return { changes, report, hands: { left: restsOf('left'), right: restsOf('right') } };
}

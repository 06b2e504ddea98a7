/** Decides how hips and feet of a clip are moved. */
import type { Clip } from '../../animation/clip.ts';
import { SIDES, type Side } from '../../humanoid/bones.ts';
import * as vec3 from '../../math/vec3.ts';
import { type CharacterFrames, isLoop } from '../frames/character-frames.ts';
import type { PosedCharacter } from '../frames/posed-character.ts';
import type { Timing } from '../paths/timing.ts';
import { declaredPlants, findFootPlants } from '../plants/find-plants.ts';
import type { Changes } from './apply-changes.ts';
import type { ContactPlan, GroundReport } from './contact-plan.ts';
import { correctHeights, wantedRaise } from './correct-heights.ts';
import { findFlightHeight } from './flight-height.ts';
import { type Foot, findStrain, measureStretch } from './foot.ts';
import { describeFootPath, type FootLimits, solveFootPath } from './foot-goals.ts';
import { findLifts } from './foot-heights.ts';
import { footOffsets } from './foot-offsets.ts';
import { findHipsRaise, type HeightWish, trunkContact } from './hips-goals.ts';
import { lowerHips } from './lower-hips.ts';
import { raiseHips } from './raise-hips.ts';
import { shortenSteps } from './shorten-steps.ts';

/** How often the changes are found: moving the legs may move the lowest points of trunk and soles. */
const PASSES = 3;
/** A correction of these heights below this, relative to the leg, ends the search. */
const ENOUGH = 2e-4;
/** How often steps are shortened at most until all feet are within reach. */
const STEP_ROUNDS = 6;

/** Decides how hips and feet of a clip are moved. */
export function findChanges(
  plan: ContactPlan,
  source: CharacterFrames,
  target: CharacterFrames,
  clip: Clip,
  posed: PosedCharacter,
  declared: Clip['plants'],
): { readonly changes: Changes; readonly report: GroundReport } {
  const { mode, retarget } = plan;
  const { count, step } = source.grid;
  const timing: Timing = { step, loops: isLoop(source) };
  const plants: Record<Side, number> = { left: 0, right: 0 };
  const feet = SIDES.flatMap((side): Foot[] => {
    const [from, to] = [source.legs[side], target.legs[side]];
    if (from === null || to === null) return [];
    const found = declared === undefined ? findFootPlants(from, step) : declaredPlants(declared, side, source.grid);
    plants[side] = Math.max(found.ball.length, found.heel.length);
    const path = describeFootPath(plan, from, to, found, timing);
    const limits: FootLimits = { shifts: new Float64Array(2 * count), weights: new Float64Array(count) };
    const shift = mode === 'ground' ? new Float64Array(2 * count) : solveFootPath(path, limits);
    const clearance = to.clearance.slice();
    const lifts = findLifts(plan, from, clearance, path.following, timing);
    const foot = { from, to, stretch: measureStretch(from, to), path, limits, clearance, lifts, shift };
    return [{ ...foot, strain: findStrain(foot, timing) }];
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
  const flight = findFlightHeight(plan, source, target, timing);
  let changes: Changes = { raise: new Float64Array(count), feet: [] };
  let reach = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    if (pass > 0) {
      if (!(correctHeights(plan, source, { clip, posed }, changes, feet, trunk) > ENOUGH * legLength)) break;
      for (const foot of feet) foot.lifts = findLifts(plan, foot.from, foot.clearance, foot.path.following, timing);
    }
    const wishes = mode === 'ground' ? [] : feet.map(({ path, lifts }) => ({ heights: lifts, weights: path.touching }));
    let raise: Float64Array;
    for (let round = 0; ; round++) {
      raise = retarget.hips === null ? new Float64Array(count) : findHipsRaise(trunk, wishes, flight, timing);
      if (mode === 'ground') break;
      if (retarget.hips !== null) raiseHips(raise, plan, feet, weights, timing);
      const wanted = retarget.hips === null ? 0 : lowerHips(raise, plan, feet, weights, timing);
      if (pass + round === 0) reach = wanted;
      if (round >= STEP_ROUNDS || !shortenSteps(feet, plan, raise, timing, round)) break;
    }
    changes = { raise, feet: feet.map((foot) => footOffsets(foot, plan, raise, timing)) };
  }
  let largestChange = 0;
  for (const { offsets } of changes.feet) {
    for (let frame = 0; frame < count; frame++)
      largestChange = Math.max(largestChange, vec3.length(offsets, 3 * frame));
  }
  const report: GroundReport = {
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

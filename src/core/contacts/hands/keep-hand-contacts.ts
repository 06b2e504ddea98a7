/** Keeps the contacts of hands: with each other, on trunk, head and legs. */
import type { Clip } from '../../animation/clip.ts';
import { SIDES } from '../../humanoid/bones.ts';
import * as vec3 from '../../math/vec3.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import type { CutTiming } from '../paths/timing.ts';
import type { ContactPlan } from '../plan/contact-plan.ts';
import { allowedDepths, armDepths } from '../self-collision/allowed-depths.ts';
import { findArmCuts } from '../self-collision/arm-cuts.ts';
import { isArmLoop } from '../self-collision/arm-loop.ts';
import { trunkBoneOf, UNKNOWNS } from '../self-collision/arm-pose.ts';
import { BONE_STRIDE, FRAME_STRIDE, POSITION_OFFSET, sampleBoneFrames } from '../self-collision/bone-frames.ts';
import { findArms, findParts } from '../self-collision/limb-points.ts';
import { writeArms } from '../self-collision/write-arms.ts';
import type { HandContactReport } from './hand-contact-report.ts';
import { findHandGoals } from './hand-goals.ts';
import { createMovedArms, moveArms } from './moved-arms.ts';
import { reachableGoals } from './reachable-goals.ts';
import { findArmSkin } from './skin-excess.ts';
import { type HandProblem, solveHands } from './solve-hands.ts';

/** A rotation below this, radians, is rounding: the clip stays as it is. */
const LEAST_ROTATION = 1e-7;

/** Measures how far the wrists are moved. */
function largestChange({ arms, trunkBone, bones }: HandProblem, unknowns: Float64Array): number {
  const moved = createMovedArms(arms, trunkBone);
  const count = bones.length / FRAME_STRIDE;
  let largest = 0;
  for (let frame = 0; frame < count; frame++) {
    moveArms(moved, bones, frame, unknowns);
    for (const { bones: chain } of arms) {
      const wrist = BONE_STRIDE * chain[2] + POSITION_OFFSET;
      largest = Math.max(largest, vec3.distance(moved.bones, wrist, bones, FRAME_STRIDE * frame + wrist));
    }
  }
  return largest;
}

/**
 * Moves the hands of a character to what those of the source touch. Shoulders and elbows rotate as little and as smoothly as possible; hands keep their
 * world rotation.
 */
export function keepHandContacts(
  plan: ContactPlan,
  sourceClip: Clip,
  clip: Clip,
): { readonly clip: Clip; readonly report: HandContactReport | null } {
  const { source, target, sourceSurface, targetSurface } = plan;
  if (sourceSurface.from !== 'skin' || targetSurface.from !== 'skin') return { clip, report: null };
  const grid = frameGridOf(sourceClip);
  const from = { humanoid: source, surface: sourceSurface };
  const to = { humanoid: target, surface: targetSurface };
  const sourceBones = sampleBoneFrames(createPosedCharacter(source, sourceSurface), sourceClip, grid);
  const { frames, contacts } = findHandGoals(from, to, sourceBones, grid.step);
  const seconds = frames.filter((list) => list.some(({ weight }) => weight >= 0.5)).length * grid.step;
  if (contacts.length === 0) return { clip, report: { contacts: 0, seconds: 0, reach: 0, largestChange: 0 } };
  const character = createPosedCharacter(target, targetSurface);
  const bones = sampleBoneFrames(character, clip, grid);
  const arms = findArms(target, targetSurface);
  const bySide = SIDES.map((side) => arms.find((arm) => arm.side === side));
  const { frames: goals, reach } = reachableGoals(frames, bySide, bones, target.height);
  const trunkBone = trunkBoneOf(target.map.nodes);
  const timing: CutTiming = {
    step: grid.step,
    loops: isArmLoop(target, trunkBone, bones),
    cuts: findArmCuts(trunkBone, bones, grid.step),
  };
  const parts = findParts(targetSurface);
  const allowed = arms.map((arm) => {
    return allowedDepths(arm, { character, surface: targetSurface }, { ...from, bones: sourceBones });
  });
  const plain = arms.map((arm) => armDepths(arm, target, parts, bones, Number.NEGATIVE_INFINITY));
  const skins = arms.map((arm) => findArmSkin(arm, target, targetSurface, parts, bones));
  const limits = plan.selfCollision !== 'off' ? { parts, allowed, plain, skins } : null;
  const sides = arms.map(({ side }) => SIDES.indexOf(side));
  const problem: HandProblem = { arms, sides, height: target.height, trunkBone, bones, goals, limits, timing };
  const unknowns = solveHands(problem);
  const report: HandContactReport = {
    contacts: contacts.length,
    seconds,
    reach,
    largestChange: largestChange(problem, unknowns),
  };
  if (!unknowns.some((angle) => Math.abs(angle) > LEAST_ROTATION)) return { clip, report };
  const moved = arms.map((arm, k) => {
    const own = unknowns.filter((_, index) => Math.floor(index / UNKNOWNS) % arms.length === k);
    return { arm, unknowns: own, keepsHand: true };
  });
  return { clip: writeArms(plan, clip, grid, character, bones, moved), report };
}

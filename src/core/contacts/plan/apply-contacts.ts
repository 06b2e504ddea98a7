import type { Clip } from '../../animation/clip.ts';
import { clipWithoutReflections, reflectClip } from '../../animation/reflect-clip.ts';
import { BONE, SIDES } from '../../humanoid/bones.ts';
import { isHipsHeightUsable } from '../../humanoid/hips-height.ts';
import { type FrameGrid, sampleCharacterFrames, sampleMiddles } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import { type ChangedChannel, detachedChannels, nodesOfChannels, rewriteClip } from '../frames/rewrite-clip.ts';
import { sampleSourceFrames } from '../frames/sample-source.ts';
import { keepHandContacts } from '../hands/keep-hand-contacts.ts';
import { findFloors, standOnFloors } from '../plants/find-floors.ts';
import { avoidSelfCollision, holdResting } from '../self-collision/avoid-self-collision.ts';
import { applySpacing } from '../spacing/apply-spacing.ts';
import { applyChanges, type Changes } from './apply-changes.ts';
import type { ContactPlan, ContactReport, GroundReport, RestingHands } from './contact-plan.ts';
import { findChanges } from './find-changes.ts';
import { keysPerFrame, refineChanges, type SampledPair } from './refine-keys.ts';

/** A change of feet and hips below this, relative to the height of the character, is rounding of float32 files: the clip stays as it is. */
const UNCHANGED_POSITION = 1e-6;

const LEG_BONES = SIDES.flatMap((side) => [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]]);

const NOTHING = {
  plants: { left: 0, right: 0 },
  trunkSeconds: 0,
  reach: 0,
  largestChange: 0,
  largestHandChange: 0,
  hipsRaised: 0,
  hipsLowered: 0,
};

/** Hands that never rest on anything. */
const NO_HANDS: RestingHands = { left: null, right: null };

/** A clip with contacts, and what they changed. */
export interface ContactResult {
  /** The clip; the same object where nothing changed. */
  readonly clip: Clip;
  /** What changed. */
  readonly report: ContactReport;
}

function affectedChannels({ retarget }: ContactPlan, { feet }: Changes): ChangedChannel[] {
  const channels = feet.flatMap(({ frames: { leg } }): ChangedChannel[] =>
    [leg.thigh, leg.shin, leg.foot].map((node) => ({ node, path: 'rotation' })),
  );
  if (retarget.hips !== null) channels.push({ node: retarget.hips.targetNode, path: 'translation' });
  return [...channels, ...detachedChannels(retarget)];
}

/** Tells whether a clip moves hips or legs; otherwise there are no contacts to keep. */
function movesLegs({ retarget, target }: ContactPlan, { tracks }: Clip): boolean {
  const nodes = LEG_BONES.map((bone) => target.map.nodes[bone]);
  return tracks.some((track) => nodes.includes(track.target) || track.target === retarget.hips?.targetNode);
}

/** Multiplies the number of frames. */
function refineGrid({ start, count, step }: FrameGrid, factor: number): FrameGrid {
  return { start, count: (count - 1) * factor + 1, step: step / factor };
}

/** Keeps feet and trunk on the ground, and hands that rest on something where they are. */
function keepGroundContacts(
  plan: ContactPlan,
  sourceClip: Clip,
  targetClip: Clip,
): { readonly clip: Clip; readonly report: GroundReport; readonly hands: RestingHands } {
  const { source, target } = plan;
  const unchanged = { clip: targetClip, report: { mode: plan.mode, ...NOTHING }, hands: NO_HANDS };
  const isUpright = [source, target].every(({ hipsHeight, height }) => isHipsHeightUsable(hipsHeight, height));
  if (!isUpright || !movesLegs(plan, targetClip)) return unchanged;
  const moving = { humanoid: source, surface: plan.sourceSurface, samples: plan.sourceSamples };
  const posed = createPosedCharacter(target, plan.targetSurface);
  const grid = frameGridOf(sourceClip, source);
  const moves = sampleSourceFrames(moving, sourceClip, grid, 'all', null, plan.mode !== 'ground');
  const floors = plan.mode === 'ground' ? null : findFloors(moves);
  const hasArms = floors !== null && SIDES.some((side) => floors.hands[side] !== null);
  const raw: SampledPair = [moves, sampleCharacterFrames(posed, targetClip, grid, 'all', null, hasArms)];
  const sample = (frames: FrameGrid, known: SampledPair): SampledPair => {
    return [
      sampleSourceFrames(moving, sourceClip, frames, 'feet', known[0], hasArms),
      sampleCharacterFrames(posed, targetClip, frames, 'feet', known[1], hasArms),
    ];
  };
  const onFloors = ([from, to]: SampledPair): SampledPair => [
    standOnFloors(from, floors, 1),
    standOnFloors(to, floors, plan.retarget.hipsScale),
  ];
  const coarse = onFloors(raw);
  const found = findChanges(plan, ...coarse, targetClip, posed, sourceClip.plants, floors?.hands ?? null);
  const { changes, report, hands } = found;
  const largest = Math.max(report.largestChange, report.largestHandChange, report.hipsRaised, report.hipsLowered);
  if (!(largest > UNCHANGED_POSITION * target.height)) return { clip: targetClip, report, hands };
  const rewrite = (frames: FrameGrid, refined: Changes): Clip => {
    const channels = affectedChannels(plan, refined);
    const change = (local: Float64Array, frame: number): void => applyChanges(local, plan, refined, frame);
    return rewriteClip(
      targetClip,
      target.skeleton.rest,
      frames,
      channels,
      change,
      nodesOfChannels(plan.retarget, target.skeleton.parents, channels),
    );
  };
  const clip = rewrite(grid, changes);
  if (grid.count < 2) return { clip, report, hands };
  const half = refineGrid(grid, 2);
  const atHalf = sample(half, raw);
  const halved = refineChanges(plan, changes, coarse, onFloors(atHalf), 2);
  const factor = keysPerFrame(plan, onFloors(atHalf)[0], halved, sampleMiddles(posed, clip, half, hasArms));
  if (factor === 1) return { clip, report, hands };
  if (factor === 2) return { clip: rewrite(half, halved), report, hands };
  const fine = refineGrid(half, 2);
  return {
    clip: rewrite(fine, refineChanges(plan, changes, coarse, onFloors(sample(fine, atHalf)), 4)),
    report,
    hands,
  };
}

/**
 * Makes a retargeted clip touch the ground as its source does: feet, and the trunk of characters that sit, kneel or lie; spaces limbs, keeps
 * the arms out of the character, and hands on what those of the source touch. Humanoids whose hips are not above the ground in the reference pose have no ground to touch; their legs stay as they are, and so do those of
 * clips that move neither hips nor legs.
 *
 * @param plan From `planContacts`.
 * @param sourceClip The clip of the source.
 * @param targetClip The same clip after `retargetClip`.
 * @returns The clip with new keys for hips, legs and arms, and a report. Where nothing has to change, the clip itself.
 */
export function applyContacts(plan: ContactPlan, sourceClip: Clip, targetClip: Clip): ContactResult {
  const { source, target, retarget } = plan;
  const from = clipWithoutReflections(sourceClip, retarget.sourceSigns, source.skeleton.rest);
  const to = clipWithoutReflections(targetClip, retarget.targetSigns, target.skeleton.rest);
  const { clip, report } = applyStraight(plan, from, to);
  return { clip: clip === to ? targetClip : reflectClip(clip, retarget.targetSigns), report };
}

function applyStraight(plan: ContactPlan, sourceClip: Clip, targetClip: Clip): ContactResult {
  const { retarget, target, spacing, selfCollision } = plan;
  const spaced = applySpacing(target, retarget, spacing, targetClip);
  const ground = keepGroundContacts(plan, sourceClip, spaced);
  const touching = plan.hands
    ? keepHandContacts(plan, sourceClip, ground.clip, ground.hands)
    : { clip: ground.clip, report: null, touching: null };
  const held = holdResting(touching.touching, ground.hands);
  const free =
    selfCollision === 'off'
      ? { clip: touching.clip, report: null }
      : avoidSelfCollision(plan, sourceClip, touching.clip, held);
  const [armSpace, legSpace] = [spacing.arm, spacing.leg].map((angle) => (angle * 180) / Math.PI);
  const moved = Math.max(
    free.report?.largestChange ?? 0,
    touching.report?.largestChange ?? 0,
    ground.report.largestHandChange,
  );
  const handsMoved = target.height > 0 ? moved / target.height : 0;
  return {
    clip: free.clip,
    report: { ...ground.report, armSpace, legSpace, handsMoved, arms: free.report, hands: touching.report },
  };
}

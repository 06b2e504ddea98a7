/** Applies contacts to a whole clip. */
import type { Clip } from '../../animation/clip.ts';
import { BONE, SIDES } from '../../humanoid/bones.ts';
import { isHipsHeightUsable } from '../../humanoid/hips-height.ts';
import { type CharacterFrames, sampleCharacterFrames } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import { type ChangedChannel, detachedChannels, rewriteClip } from '../frames/rewrite-clip.ts';
import { avoidSelfCollision } from '../self-collision/avoid-self-collision.ts';
import { applyChanges, type Changes } from './apply-changes.ts';
import type { ContactPlan, ContactReport } from './contact-plan.ts';
import { findChanges } from './find-changes.ts';

/** A change of feet and hips below this, relative to the height of the character, is rounding: the clip stays as it is. */
const UNCHANGED = 1e-7;

/** Bones whose tracks move feet. */
const LEG_BONES = SIDES.flatMap((side) => [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]]);
/** Greatest distance between keys of a foot on the ground from its path, relative to the height of the character. */
const KEY_TOLERANCE = 2e-4;
/** How often the number of keys is doubled at most. */
const MOST_DOUBLINGS = 2;
/** Clearance of a foot, relative to its leg, up to which it counts. */
const NEAR_GROUND = 0.03;

/** Figures of a report without a change. */
const NOTHING = {
  plants: { left: 0, right: 0 },
  trunkSeconds: 0,
  reach: 0,
  largestChange: 0,
  hipsRaised: 0,
  hipsLowered: 0,
  arms: null,
};

/** A clip with contacts, and what they changed. */
export interface ContactResult {
  /** The clip; the same object where nothing changed. */
  readonly clip: Clip;
  /** What changed. */
  readonly report: ContactReport;
}

/** Lists the channels that changes can affect. */
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

/** Measures how far a foot near the ground is from its path halfway between keys, where hip, knee and ankle are interpolated one by one; meters. */
function errorBetweenKeys(plan: ContactPlan, source: CharacterFrames, target: CharacterFrames): number {
  const factor = plan.retarget.hipsScale;
  let largest = 0;
  for (const side of SIDES) {
    const [from, to] = [source.legs[side], target.legs[side]];
    if (from === null || to === null) continue;
    for (let frame = 1; frame + 1 < source.grid.count; frame += 2) {
      if (from.clearance[frame] > NEAR_GROUND * from.leg.length) continue;
      let squared = 0;
      for (let at = 3 * frame; at < 3 * frame + 3; at++) {
        const bulge = (path: Float64Array): number => path[at] - (path[at - 3] + path[at + 3]) / 2;
        squared += (bulge(to.ball) - factor * bulge(from.ball)) ** 2;
      }
      largest = Math.max(largest, squared);
    }
  }
  return Math.sqrt(largest);
}

/** Keeps feet and trunk on the ground. */
function keepGroundContacts(plan: ContactPlan, sourceClip: Clip, targetClip: Clip): ContactResult {
  const { source, target } = plan;
  const isUpright = [source, target].every(({ hipsHeight, height }) => isHipsHeightUsable(hipsHeight, height));
  if (!isUpright || !movesLegs(plan, targetClip)) return { clip: targetClip, report: { mode: plan.mode, ...NOTHING } };
  const moving = createPosedCharacter(source, plan.sourceSurface);
  const posed = createPosedCharacter(target, plan.targetSurface);
  const scale = target.height;
  let grid = frameGridOf(sourceClip);
  let from = sampleCharacterFrames(moving, sourceClip, grid);
  for (let doubling = 0; ; doubling++) {
    const to = sampleCharacterFrames(posed, targetClip, grid);
    const { changes, report } = findChanges(plan, from, to, targetClip, posed);
    const largest = Math.max(report.largestChange, report.hipsRaised, report.hipsLowered);
    if (!(largest > UNCHANGED * scale)) return { clip: targetClip, report };
    const clip = rewriteClip(targetClip, target.skeleton.rest, grid, affectedChannels(plan, changes), (local, frame) =>
      applyChanges(local, plan, changes, frame),
    );
    if (doubling >= MOST_DOUBLINGS || grid.count < 2) return { clip, report };
    grid = { count: 2 * grid.count - 1, step: grid.step / 2 };
    from = sampleCharacterFrames(moving, sourceClip, grid);
    if (errorBetweenKeys(plan, from, sampleCharacterFrames(posed, clip, grid)) <= KEY_TOLERANCE * scale) {
      return { clip, report };
    }
  }
}

/**
 * Makes a retargeted clip touch the ground as its source does: feet, and the trunk of characters that sit, kneel or lie; and keeps the arms out of the
 * character. Humanoids whose hips are not above the ground in the reference pose have no ground to touch; their legs stay as they are, and so do those of
 * clips that move neither hips nor legs.
 *
 * @param plan From `planContacts`.
 * @param sourceClip The clip of the source.
 * @param targetClip The same clip after `retargetClip`.
 * @returns The clip with new keys for hips, legs and arms, and a report. Where nothing has to change, the clip itself.
 */
export function applyContacts(plan: ContactPlan, sourceClip: Clip, targetClip: Clip): ContactResult {
  const ground = keepGroundContacts(plan, sourceClip, targetClip);
  if (!plan.selfCollision) return ground;
  const { clip, report } = avoidSelfCollision(plan, sourceClip, ground.clip);
  return { clip, report: { ...ground.report, arms: report } };
}

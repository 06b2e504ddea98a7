/** Applies contacts to a whole clip. */
import type { Clip, Track, TrackPath } from '../../animation/clip.ts';
import { sampleClip } from '../../animation/sample.ts';
import { BONE, SIDES } from '../../humanoid/bones.ts';
import { isHipsHeightUsable } from '../../humanoid/hips-height.ts';
import * as quat from '../../math/quat.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../../skeleton/skeleton.ts';
import { type CharacterFrames, sampleCharacterFrames } from '../frames/character-frames.ts';
import { frameGridOf } from '../frames/frame-grid.ts';
import { createPosedCharacter } from '../frames/posed-character.ts';
import { applyChanges, type Changes } from './apply-changes.ts';
import type { ContactPlan, ContactReport } from './contact-plan.ts';
import { findChanges } from './find-changes.ts';

/** A change of feet and hips below this, relative to the height of the character, is rounding: the clip stays as it is. */
const UNCHANGED = 1e-7;
/** A component of a local transform that changes less than this has not changed. */
const SAME = 1e-12;

/** Times that differ by less than this, relative to the time between frames, are the same. */
const SAME_TIME = 1e-4;
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
};

/** A clip with contacts, and what they changed. */
export interface ContactResult {
  /** The clip; the same object where nothing changed. */
  readonly clip: Clip;
  /** What changed. */
  readonly report: ContactReport;
}

/** A channel that contacts write. */
interface Channel {
  readonly node: number;
  readonly path: TrackPath;
  readonly values: Float64Array;
  isChanged: boolean;
}

/** Lists the channels that changes can affect. */
function createChannels({ retarget }: ContactPlan, { feet }: Changes, count: number): Channel[] {
  const channels: Channel[] = [];
  const add = (node: number, path: TrackPath): void => {
    if (channels.some((one) => one.node === node && one.path === path)) return;
    channels.push({ node, path, values: new Float64Array((path === 'rotation' ? 4 : 3) * count), isChanged: false });
  };
  for (const { frames } of feet) {
    for (const node of [frames.leg.thigh, frames.leg.shin, frames.leg.foot]) add(node, 'rotation');
  }
  if (retarget.hips !== null) add(retarget.hips.targetNode, 'translation');
  for (const { targetNode, rotation } of retarget.detachedJoints) {
    add(targetNode, 'translation');
    if (rotation !== null) add(targetNode, 'rotation');
  }
  return channels;
}

/** Copies the values of a channel from a pose; quaternions keep the sign that is closest to the former frame. */
function recordChannel(channel: Channel, local: Float64Array, before: Float64Array, frame: number): void {
  const { node, path, values } = channel;
  const at = POSE_STRIDE * node + PATH_OFFSET[path];
  const width = path === 'rotation' ? 4 : 3;
  const sign = width === 4 && frame > 0 && quat.dot(local, at, values, 4 * (frame - 1)) < 0 ? -1 : 1;
  for (let c = 0; c < width; c++) {
    values[width * frame + c] = sign * local[at + c];
    if (Math.abs(local[at + c] - before[at + c]) > SAME) channel.isChanged = true;
  }
}

/** Times of the frames in float32; those of the other keys of the clip where these are the same frames. */
function keyTimes({ tracks }: Clip, count: number, step: number): Float64Array {
  const times = Float64Array.from({ length: count }, (_, frame) => Math.fround(frame * step));
  for (const list of new Set(tracks.map((track) => track.times))) {
    for (const time of list) {
      const frame = Math.round(time / step);
      if (frame < count && Math.abs(time - frame * step) <= SAME_TIME * step) times[frame] = time;
    }
  }
  return times;
}

/** Tells whether a clip moves hips or legs; otherwise there are no contacts to keep. */
function movesLegs({ retarget, target }: ContactPlan, { tracks }: Clip): boolean {
  const nodes = LEG_BONES.map((bone) => target.map.nodes[bone]);
  return tracks.some((track) => nodes.includes(track.target) || track.target === retarget.hips?.targetNode);
}

/** Samples the clip again, changes every frame, and returns the clip with new tracks for hips and legs. */
function rewriteClip(plan: ContactPlan, clip: Clip, changes: Changes, step: number): Clip {
  const count = changes.raise.length;
  const { rest } = plan.target.skeleton;
  const channels = createChannels(plan, changes, count);
  const local = new Float64Array(rest.length);
  const before = new Float64Array(rest.length);
  const cursors = new Int32Array(clip.tracks.length);
  for (let frame = 0; frame < count; frame++) {
    local.set(rest);
    sampleClip(clip, frame * step, local, cursors);
    before.set(local);
    applyChanges(local, plan, changes, frame);
    for (const channel of channels) recordChannel(channel, local, before, frame);
  }
  const times = keyTimes(clip, count, step);
  const written = channels.filter(({ isChanged }) => isChanged);
  const kept = clip.tracks.filter(
    ({ target, path }) => !written.some((channel) => channel.node === target && channel.path === path),
  );
  const tracks = written.map(({ node, path, values }): Track => {
    return { target: node, path, interpolation: 'LINEAR', times, values };
  });
  return { ...clip, tracks: [...kept, ...tracks] };
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

/**
 * Makes a retargeted clip touch the ground as its source does: feet, and the trunk of characters that sit, kneel or lie. Humanoids whose hips are not above
 * the ground in the reference pose have no ground to touch; their clips stay as they are, and so do clips that move neither hips nor legs.
 *
 * @param plan From `planContacts`.
 * @param sourceClip The clip of the source.
 * @param targetClip The same clip after `retargetClip`.
 * @returns The clip with new keys for hips and legs, and a report. Where nothing has to change, the clip itself.
 */
export function applyContacts(plan: ContactPlan, sourceClip: Clip, targetClip: Clip): ContactResult {
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
    const clip = rewriteClip(plan, targetClip, changes, grid.step);
    if (doubling >= MOST_DOUBLINGS || grid.count < 2) return { clip, report };
    grid = { count: 2 * grid.count - 1, step: grid.step / 2 };
    from = sampleCharacterFrames(moving, sourceClip, grid);
    if (errorBetweenKeys(plan, from, sampleCharacterFrames(posed, clip, grid)) <= KEY_TOLERANCE * scale) {
      return { clip, report };
    }
  }
}

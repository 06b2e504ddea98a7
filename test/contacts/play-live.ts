/** Plays a motion frame by frame with live contacts, as an engine does, and records it. */
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { sampleCharacterFrames } from '../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../src/core/contacts/frames/posed-character.ts';
import { createLiveContacts, type LiveGround } from '../../src/core/contacts/live/live-contacts.ts';
import type { ContactPlan } from '../../src/core/contacts/plan/contact-plan.ts';
import { findFootPlants } from '../../src/core/contacts/plants/find-plants.ts';
import { SIDES, type Side } from '../../src/core/humanoid/bones.ts';
import { retargetPose } from '../../src/core/retarget/retarget-pose.ts';
import { restPose } from '../../src/core/skeleton/pose.ts';
import { POSE_STRIDE } from '../../src/core/skeleton/skeleton.ts';

/** What was played. */
export interface Performance {
  /** All nodes of the target in all frames. */
  readonly clip: Clip;
  /** Per frame and foot: 2 while the toe joint is planted, 1 while only the heel is, else 0. */
  readonly plants: Readonly<Record<Side, Uint8Array>>;
}

/** Plays a clip of the source once, from 0 to its end. */
export function playLive(plan: ContactPlan, clip: Clip, fps: number, ground?: LiveGround): Performance {
  const { retarget, source, target } = plan;
  const live = createLiveContacts(plan, ground);
  const count = Math.floor(clip.duration * fps) + 1;
  const nodes = target.skeleton.parents.length;
  const times = Float64Array.from({ length: count }, (_, frame) => frame / fps);
  const channels = Array.from({ length: nodes }, (_, node): [Track, Track] => [
    { target: node, path: 'translation', interpolation: 'LINEAR', times, values: new Float64Array(3 * count) },
    { target: node, path: 'rotation', interpolation: 'LINEAR', times, values: new Float64Array(4 * count) },
  ]);
  const plants = { left: new Uint8Array(count), right: new Uint8Array(count) };
  const sourceLocal = restPose(source.skeleton);
  const targetLocal = restPose(target.skeleton);
  const cursors = new Int32Array(clip.tracks.length);
  for (let frame = 0; frame < count; frame++) {
    sampleClip(clip, frame / fps, sourceLocal, cursors);
    retargetPose(retarget, sourceLocal, targetLocal);
    live.update(sourceLocal, targetLocal, 1 / fps);
    for (const [node, [translation, rotation]] of channels.entries()) {
      const at = POSE_STRIDE * node;
      translation.values.set(targetLocal.subarray(at, at + 3), 3 * frame);
      rotation.values.set(targetLocal.subarray(at + 3, at + 7), 4 * frame);
    }
    for (const { side, isToePlanted, isHeelPlanted } of live.feet) {
      plants[side][frame] = isToePlanted ? 2 : isHeelPlanted ? 1 : 0;
    }
  }
  return { clip: { ...clip, duration: (count - 1) / fps, tracks: channels.flat() }, plants };
}

/** Returns the part of frames and feet in which live contacts and `findFootPlants` see the same end of the foot planted. */
export function plantAgreement(plan: ContactPlan, clip: Clip, fps: number): number {
  const { source, sourceSurface } = plan;
  const { plants } = playLive(plan, clip, fps);
  const count = plants.left.length;
  const frames = sampleCharacterFrames(createPosedCharacter(source, sourceSurface), clip, {
    start: 0,
    count,
    step: 1 / fps,
  });
  let same = 0;
  let all = 0;
  for (const side of SIDES) {
    const leg = frames.legs[side];
    if (leg === null) continue;
    const expected = new Uint8Array(count);
    const { ball, heel } = findFootPlants(leg, 1 / fps);
    for (const { from, to } of heel) expected.fill(1, from, to + 1);
    for (const { from, to } of ball) expected.fill(2, from, to + 1);
    all += count;
    same += expected.filter((value, frame) => value === plants[side][frame]).length;
  }
  return all > 0 ? same / all : 1;
}

/** Live retargeting, players of compiled clips and baked clips show the same vertices at the same time. */
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { frameTimeOf } from '../../../src/core/animation/frame-times.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { planRetarget } from '../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../src/core/retarget/retarget-clip.ts';
import { createLiveRetarget } from '../../../src/playback/live/live-retarget.ts';
import { Player } from '../../../src/playback/player/player.ts';
import { planPlayerClip } from '../../../src/playback/player/player-clip.ts';
import { asset, HAS_ASSETS, humanoidFiles } from '../../support/assets.ts';
import { IS_FULL_RUN, IS_RELEASE_RUN, sampledCases } from '../../support/law-runs.ts';
import { PLAYBACK_VERTICES } from '../../support/tolerances.ts';
import { type Character, largestDistance, openCharacter, poseAt, verticesOf } from './playback-vertices.ts';

const CHARACTERS = humanoidFiles('assets', 'glb', 'vrm', 'fbx', 'usda');
const MOTION = asset('assets', 'fbx', 'mixamo_Walking.fbx');
/** Frames that are compared: all in a full run. */
const STEP = IS_RELEASE_RUN ? 1 : IS_FULL_RUN ? 5 : 14;

let motion: Promise<Character> | null = null;

/** The walk, opened once. */
function openMotion(): Promise<Character> {
  motion ??= openCharacter(MOTION).then((character) => character as Character);
  return motion;
}

/** Times of frames of a clip, between which players interpolate on their own. */
function timesOf(clip: Clip): number[] {
  const frameTime = frameTimeOf(clip) ?? 1 / 30;
  const count = Math.round(clip.duration / frameTime);
  return Array.from({ length: count }, (_, k) => k * frameTime).filter((_, k) => k % STEP === 0);
}

describe.skipIf(!HAS_ASSETS)('the same vertices at the same time', () => {
  it.each(sampledCases(CHARACTERS, 6).map((path) => [basename(path), path]))('%s', async (_, path) => {
    const source = await openMotion();
    const target = await openCharacter(path);
    // Skeletons that are not humanoid.
    if (target === null) return;
    const [clip] = source.clips;
    const baked = retargetClip(planRetarget(source.humanoid, target.humanoid), clip);
    const live = createLiveRetarget(source.humanoid, target.humanoid);
    const player = new Player(target.humanoid.skeleton);
    const action = player.action(planPlayerClip(target.humanoid.skeleton, baked)).play();
    for (const time of timesOf(clip)) {
      const expected = verticesOf(target, poseAt(target, baked, time));
      sampleClip(clip, time, live.sourcePose);
      live.update();
      expect(largestDistance(expected, verticesOf(target, live.targetPose), target.height)).toBeLessThan(
        PLAYBACK_VERTICES,
      );
      action.time = time;
      player.update(0);
      expect(largestDistance(expected, verticesOf(target, player.pose), target.height)).toBeLessThan(PLAYBACK_VERTICES);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE, BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import type { DemoCharacter } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import * as rigs from '../../../src/demo/characters/rigs.ts';
import { makePose } from '../../../src/demo/figure/pose.ts';
import { type EncodeOptions, encodeMotion } from '../../../src/demo/files/encode.ts';
import type { Motion } from '../../../src/demo/motions/motion.ts';
import { makePivot } from '../../../src/demo/motions/pivot.ts';
import { lawRuns } from '../../support/law-runs.ts';
import { randomCharacterOptions } from '../../support/make/demo-character.ts';
import { makeRandomMotion } from '../../support/make/demo-motion.ts';
import { expectNear, expectSameRotation } from '../../support/near.ts';
import { inverse, product, read, rotated, times, worldPose } from '../../support/reference/plain.ts';
import { EXACT_CHAIN } from '../../support/tolerances.ts';

/** The local pose of a frame: the values of the clip, the rest pose for all other channels. */
function frameOf({ skeleton }: DemoCharacter, clip: Clip, frame: number): Float64Array {
  const local = Float64Array.from(skeleton.rest);
  for (const { target, path, values } of clip.tracks) {
    const width = path === 'rotation' ? 4 : 3;
    local.set(values.subarray(frame * width, (frame + 1) * width), target * 10 + (path === 'rotation' ? 3 : 0));
  }
  return local;
}

/** Expects that the clip shows the D of all bones and the hips of the motion, by plain forward kinematics. */
function expectMotion(body: DemoCharacter, motion: Motion, options: EncodeOptions): void {
  const clip = encodeMotion(body, motion, options);
  const { times: keyTimes } = clip.tracks[0];
  const toCanonical = Array.from(body.frame);
  const pose = makePose(motion.figure);
  for (const frame of [0, 7, keyTimes.length - 1]) {
    motion.pose(pose, keyTimes[frame]);
    const { rotations, positions } = worldPose(body.skeleton.parents, frameOf(body, clip, frame));
    for (let bone = 0; bone < BONE_COUNT; bone++) {
      const node = body.bones[bone];
      if (node < 0) continue;
      const reference = read(body.axes, body.bones[bone] * 4, 4);
      const delta = product(toCanonical, rotations[node], inverse(reference));
      expectSameRotation(delta, read(pose.deltas, bone * 4, 4), EXACT_CHAIN);
    }
    const hips = times(rotated(toCanonical, positions[body.bones[BONE.hips]]), body.metersPerUnit);
    expectNear(hips, pose.hips, EXACT_CHAIN);
  }
}

describe('encodeMotion', () => {
  it('keeps the world deltas and the root motion on any rig', () => {
    const property = fc.property(fc.integer({ min: 0, max: 1e6 }), fc.boolean(), (seed, animateInBetweens) => {
      const body = makeCharacter(randomCharacterOptions(seed));
      expectMotion(body, makeRandomMotion(body.figure, seed), { animateInBetweens });
    });
    fc.assert(property, { seed: 4, numRuns: lawRuns(100) });
  });

  it('keeps them if the armature carries the root motion', () => {
    for (const rig of [rigs.MIXAMO_RIG, rigs.RANDOM_RIG, { ...rigs.UNREAL_RIG, facing: 70, metersPerUnit: 0.01 }]) {
      const body = makeCharacter(rig);
      expectMotion(body, makePivot(body.figure), { rootMotion: 'armature' });
      expectMotion(body, makeRandomMotion(body.figure, 3), { rootMotion: 'armature' });
    }
    const body = makeCharacter(rigs.UNREAL_RIG);
    const clip = encodeMotion(body, makePivot(body.figure), { rootMotion: 'armature' });
    const hips = clip.tracks.find(({ target, path }) => target === body.bones[0] && path === 'translation')!;
    const root = clip.tracks.find(({ target, path }) => target === 0 && path === 'rotation')!;
    const sideways = Array.from(hips.values).filter((_, k) => k % 3 !== 1);
    expectNear(sideways, new Array(sideways.length).fill(0), EXACT_CHAIN);
    // Half a turn to the left, about +Y.
    expect(Math.abs(root.values.at(-3)!)).toBeGreaterThan(0.999);
  });

  it('animates in-between joints only on request', () => {
    const body = makeCharacter({ ...rigs.RANDOM_RIG, armature: [] });
    const motion = makeRandomMotion(body.figure, 5);
    const targets = (animateInBetweens: boolean): number =>
      encodeMotion(body, motion, { animateInBetweens }).tracks.length;
    const between = body.blendBones.filter((bone) => bone >= 0).length;
    expect(between).toBeGreaterThan(1);
    expect(targets(true) - targets(false)).toBe(between);
  });

  it('has keys on whole frames and unit quaternions without sign flips', () => {
    const body = makeCharacter(rigs.MIXAMO_RIG);
    const clip = encodeMotion(body, makePivot(body.figure), { fps: 24 });
    expect(clip.duration).toBe(clip.tracks[0].times.at(-1));
    expect(clip.tracks[0].times[24]).toBe(1);
    for (const { path, values, times: keys } of clip.tracks) {
      if (path !== 'rotation') continue;
      for (let key = 0; key < keys.length; key++) {
        const q = read(values, key * 4, 4);
        expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(EXACT_CHAIN);
        if (key > 0) expect(q.reduce((sum, c, k) => sum + c * values[key * 4 - 4 + k], 0)).toBeGreaterThan(0);
      }
    }
  });

  it('throws for root motion on a missing armature', () => {
    const body = makeCharacter({});
    expect(() => encodeMotion(body, makePivot(body.figure), { rootMotion: 'armature' })).toThrow(TypeError);
  });
});

import { describe, expect, test } from 'vitest';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { editedClip, movingHumanoid, sampleBytes } from '../../../src/files/jobs/motion-memory.ts';
import { openBytes } from '../../../src/files/open.ts';
import { demoBytes } from '../../support/make/demo-files.ts';

/** Opened for a test alone: nothing is known of it yet. */
const openWalk = () => openBytes(demoBytes('walk.glb'), { name: 'walk.glb' });

describe('what is known of motions', () => {
  test('a humanoid of a file is found and described once', async () => {
    const walk = await openWalk();
    const choice = chooseHumanoid(walk, 'source', {});
    expect(chooseHumanoid(walk, 'source', {}, [...walk.asset.clips])).toBe(choice);
    const moving = movingHumanoid(walk, choice.found!, {});
    expect(movingHumanoid(walk, choice.found!, {})).toBe(moving);
    expect(await moving.surface()).toBe(await moving.surface());
    expect(moving.humanoid).toBe(choice.found!.humanoid);
    expect(sampleBytes(walk)).toBe(0);
  });

  test('a clip is edited once: trim, speed and mirror', async () => {
    const walk = await openWalk();
    const [clip] = walk.asset.clips;
    const edits = { trim: { from: 0.1, to: 0.5 }, speed: 2, mirror: true };
    const edited = await editedClip(walk, clip, edits);
    expect(edited.clip.duration).toBeCloseTo(0.2, 6);
    expect(await editedClip(walk, clip, { ...edits })).toBe(edited);
    const found = chooseHumanoid(walk, 'source', {}).found!;
    const moving = movingHumanoid(walk, found, edits);
    expect(moving.humanoid).not.toBe(found.humanoid);
    const motion = await edited.motionOf(found, moving);
    expect(await edited.motionOf(found, moving)).toBe(motion);
    expect(motion).not.toBe(edited.clip.clips[found.index]);
  });

  test('a motion is put on the ground after the surface could not be described once', async () => {
    const walk = await openWalk();
    const found = chooseHumanoid(walk, 'source', {}).found!;
    const edits = { ground: 'fit' } as const;
    const known = movingHumanoid(walk, found, edits);
    let attempts = 0;
    const moving: typeof known = {
      ...known,
      surface: () => (attempts++ === 0 ? Promise.reject(new Error('not loaded')) : known.surface()),
    };
    const { motionOf } = await editedClip(walk, walk.asset.clips[0], edits);
    await expect(motionOf(found, moving)).rejects.toThrow('not loaded');
    expect((await motionOf(found, moving)).duration).toBe(walk.asset.clips[0].duration);
  });

  test('of many edits, the last ones are kept', async () => {
    const walk = await openWalk();
    const [clip] = walk.asset.clips;
    const slow = await editedClip(walk, clip, { speed: 0.5 });
    for (const speed of [1.1, 1.2, 1.3]) await editedClip(walk, clip, { speed });
    expect(await editedClip(walk, clip, { speed: 0.5 })).toBe(slow);
    for (const speed of [1.4, 1.5, 1.6, 1.7]) await editedClip(walk, clip, { speed });
    expect(await editedClip(walk, clip, { speed: 0.5 })).not.toBe(slow);
  });
});

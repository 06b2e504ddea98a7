import { describe, expect, test } from 'vitest';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { createMotionMemory } from '../../../src/files/jobs/motion-memory.ts';
import { openDemo } from '../../support/make/demo-files.ts';

describe('createMotionMemory', () => {
  test('describes the humanoid of a file once', async () => {
    const walk = await openDemo('walk.glb');
    const memory = createMotionMemory({});
    const choice = chooseHumanoid(walk, 'source', {});
    expect(chooseHumanoid(walk, 'source', {}, [...walk.asset.clips])).toBe(choice);
    const moving = memory.moving(walk, choice.found!);
    expect(memory.moving(walk, choice.found!)).toBe(moving);
    expect(moving.surface()).toBe(moving.surface());
    expect(moving.humanoid).toBe(choice.found!.humanoid);
    expect(memory.bytesOf(walk)).toBe(0);
  });

  test('edits a clip once: trim, speed and mirror', async () => {
    const walk = await openDemo('walk.glb');
    const [clip] = walk.asset.clips;
    const memory = createMotionMemory({ trim: { from: 0.1, to: 0.5 }, speed: 2, mirror: true });
    const edited = memory.edited(walk, clip);
    expect(edited.clip.duration).toBeCloseTo(0.2, 6);
    expect(memory.edited(walk, clip)).toBe(edited);
    const found = chooseHumanoid(walk, 'source', {}).found!;
    const moving = memory.moving(walk, found);
    expect(moving.humanoid).not.toBe(found.humanoid);
    expect(edited.motionOf(found, moving)).toBe(edited.motionOf(found, moving));
    expect(edited.motionOf(found, moving)).not.toBe(edited.clip.clips[found.index]);
  });
});

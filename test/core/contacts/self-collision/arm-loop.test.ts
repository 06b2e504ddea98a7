import { describe, expect, test } from 'vitest';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { isArmLoop } from '../../../../src/core/contacts/self-collision/arm-loop.ts';
import { trunkBoneOf } from '../../../../src/core/contacts/self-collision/arm-pose.ts';
import { sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';

describe('isArmLoop', () => {
  test.each([
    ['a whole walk', 1, true],
    ['a part of a step', 0.3, false],
  ])('%s: %f of the cycle', async (_, part, isLoop) => {
    const { humanoid, surface, walk } = await demoBody();
    const step = (part * walk.duration) / 20;
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, { start: 0, count: 21, step });
    expect(isArmLoop(humanoid, trunkBoneOf(humanoid.map.nodes), bones)).toBe(isLoop);
  });

  test('two frames are no loop', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const bones = sampleBoneFrames(createPosedCharacter(humanoid, surface), walk, {
      start: 0,
      count: 2,
      step: walk.duration,
    });
    expect(isArmLoop(humanoid, trunkBoneOf(humanoid.map.nodes), bones)).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { trimClip } from '../../../src/core/animation/trim-clip.ts';
import { isPoseLoop } from '../../../src/core/root-motion/find-root-motion.ts';
import { demoBody } from '../../contacts/demo-pair.ts';

test('isPoseLoop: a walk that travels is a loop, half a step of it and an empty clip are not', async () => {
  const { humanoid, walk } = await demoBody();
  expect(isPoseLoop(humanoid, walk)).toBe(true);
  expect(isPoseLoop(humanoid, trimClip(walk, 0, 0.3))).toBe(false);
  expect(isPoseLoop(humanoid, { ...walk, duration: 0 })).toBe(false);
});

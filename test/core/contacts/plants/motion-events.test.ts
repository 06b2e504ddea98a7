import { expect, it } from 'vitest';
import { sampleCharacterFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { findMotionEvents } from '../../../../src/core/contacts/plants/motion-events.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { repeatClip } from '../../../support/make/repeat-clip.ts';

it('findMotionEvents: a walk puts its feet down in turn, and each is on the ground until it is lifted', async () => {
  const { humanoid, surface, walk } = await demoBody();
  const clip = repeatClip(walk, 4);
  const { events, speed, ground } = findMotionEvents(humanoid, surface, clip);
  const downs = events.filter(({ name }) => name.endsWith('Down')).slice(2);
  expect(downs.length).toBeGreaterThan(5);
  for (const [k, { name }] of downs.entries()) expect(name).not.toBe(downs[k - 1]?.name);
  expect(ground).toBeCloseTo(0, 2);
  expect(speed).toBeGreaterThan(0.5);
  expect(speed).toBeLessThan(3);
  const grid = { start: 0, count: 241, step: clip.duration / 240 };
  const { legs } = sampleCharacterFrames(createPosedCharacter(humanoid, surface), clip, grid);
  for (const { time, name } of downs) {
    const side = name.startsWith('left') ? 'left' : 'right';
    const up = events.find((one) => one.time > time && one.name === `${side}FootUp`)?.time ?? clip.duration;
    const highest = Math.max(...legs[side]!.clearance.slice(Math.ceil(time / grid.step), Math.floor(up / grid.step)));
    expect(highest).toBeLessThan(0.06 * legs[side]!.leg.length);
  }
});

import { expect, it } from 'vitest';
import { measurePair, worstFigures } from '../../../src/batch/worker/pair-figures.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { demoBody } from '../../contacts/demo-pair.ts';
import { motionOf } from '../../contacts/ruler-of.ts';

it('measurePair: a motion on its own character has no errors; a bone without its track is an error, and on purpose when plain retargeting has it', async () => {
  const demo = await demoBody();
  const side = motionOf({ humanoid: demo.humanoid, clip: demo.walk });
  const same = measurePair(side, side, demo.walk);
  expect(same).toMatchObject({ level: 'good', errorScore: 0, below: 0, above: 0 });
  expect(Math.max(same.errorMax, same.changedMean)).toBeLessThan(1e-3);
  expect(same.slide).toBe(same.slideOfSource);
  // Without its track, the upper leg keeps its rest pose: it and all below it are wrong.
  const leg = demo.humanoid.map.nodes[BONE.leftUpperLeg];
  const tracks = demo.walk.tracks.filter(({ target, path }) => target !== leg || path !== 'rotation');
  expect(tracks.length).toBe(demo.walk.tracks.length - 1);
  const clip = { ...demo.walk, tracks };
  const wrong = measurePair(side, { ...side, clip }, clip);
  expect(wrong).toMatchObject({ level: 'wrong' });
  expect(wrong.errorMax).toBeGreaterThan(10);
  const changed = measurePair(side, { ...side, clip }, demo.walk);
  expect(changed.errorMax).toBeLessThan(0.01);
  expect(changed.changedMean).toBeGreaterThan(1);
});

it('worstFigures: takes of each figure the worst, keeps slide with that of its motion, and is null without clips', () => {
  const a = {
    level: 'good',
    findings: [],
    errorScore: 0,
    errorMean: 1,
    errorMax: 9,
    changedMean: 3,
    movedMost: 1,
    slide: 5,
    slideOfSource: 5,
    below: 0.1,
    above: 0.4,
  } as const;
  const b = {
    ...a,
    level: 'look',
    findings: ['x'],
    errorScore: 1,
    errorMean: 2,
    errorMax: 3,
    slide: 3,
    slideOfSource: 1,
  } as const;
  const worst = { ...b, errorMax: 9 };
  expect([worstFigures([a, b]), worstFigures([b, a])]).toEqual([worst, worst]);
  expect([worstFigures([]), worstFigures([a])]).toEqual([null, a]);
});

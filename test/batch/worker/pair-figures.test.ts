import { expect, it } from 'vitest';
import { measurePair, worstFigures } from '../../../src/batch/worker/pair-figures.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import { demoBody } from '../../contacts/demo-pair.ts';

it('measurePair: a motion on its own character has no errors; a bone without its track is found', async () => {
  const body = await demoBody();
  const side = { humanoid: body.humanoid, surface: body.surface, clip: body.walk };
  const same = measurePair(side, side, 1);
  expect(same).toMatchObject({ poseErrorMean: 0, poseErrorMax: 0, penetration: 0, float: 0 });
  expect(same.slide).toBe(same.slideOfSource);
  // Without its track, the upper leg keeps its rest pose: it and all below it are wrong.
  const leg = body.humanoid.map.nodes[BONE.leftUpperLeg];
  const tracks = body.walk.tracks.filter(({ target, path }) => target !== leg || path !== 'rotation');
  expect(tracks.length).toBe(body.walk.tracks.length - 1);
  const worse = measurePair(side, { ...side, clip: { ...body.walk, tracks } }, 1);
  expect(worse.poseErrorBone).toMatch(/^left(UpperLeg|LowerLeg|Foot|Toes)$/);
  expect(worse.poseErrorMax).toBeGreaterThan(10);
});

it('worstFigures: takes of each figure the worst, keeps bone with angle and slide with that of its motion, and is null without clips', () => {
  const a = {
    poseErrorMean: 1,
    poseErrorMax: 9,
    poseErrorBone: 'head',
    slide: 5,
    slideOfSource: 5,
    penetration: 0.1,
    float: 0.4,
  } as const;
  const b = {
    ...a,
    poseErrorMean: 2,
    poseErrorMax: 3,
    poseErrorBone: 'hips',
    slide: 3,
    slideOfSource: 1,
    penetration: 0.3,
  } as const;
  const worst = { ...a, poseErrorMean: 2, slide: 3, slideOfSource: 1, penetration: 0.3 };
  expect([worstFigures([a, b]), worstFigures([b, a])]).toEqual([worst, worst]);
  expect([worstFigures([]), worstFigures([a])]).toEqual([null, a]);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { frameGridOf } from '../../../../src/core/contacts/frames/frame-grid.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { findHandGoals, findHandTouches, heightRatio } from '../../../../src/core/contacts/hands/hand-goals.ts';
import { sampleBoneFrames } from '../../../../src/core/contacts/self-collision/bone-frames.ts';
import { describeContactSurface } from '../../../../src/core/contacts/surface/contact-surface.ts';
import { CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { type DemoBody, demoBody } from '../../../contacts/demo-pair.ts';
import { touchMotion } from '../../../contacts/touch-motions.ts';

let adult: DemoBody;
let chibi: DemoBody;
beforeAll(async () => {
  [adult, chibi] = await Promise.all([demoBody(), demoBody(CHIBI)]);
});

/** What hands that clap touch, on a body as high as `factor` times the real one. */
function clap(factor: number) {
  const surface = { ...adult.surface, height: factor * adult.surface.height };
  const motion = touchMotion('clap', adult, 1);
  const grid = frameGridOf(motion, adult.humanoid);
  const bones = sampleBoneFrames(createPosedCharacter(adult.humanoid, surface), motion, grid);
  const from = { humanoid: adult.humanoid, surface };
  return { from, bones, hands: findHandTouches(from, bones, { step: grid.step, loops: false }) };
}

describe('hands that touch', () => {
  test('are the closer to it, relative to the height of the skin', () => {
    const [whole, part] = [1, 0.05].map((factor) => clap(factor).hands.flatMap(({ touches }) => touches).length);
    expect(whole).toBeGreaterThan(part);
  });

  test('keep their gaps, times the ratio of the heights', () => {
    const { from, bones, hands } = clap(1);
    const gapsOf = (factor: number): number[] => {
      const surface = { ...from.surface, height: factor * from.surface.height };
      return findHandGoals(from, { ...from, surface }, hands, bones).frames.flatMap((goals) =>
        goals.map(({ gap }) => gap),
      );
    };
    const [same, twice] = [gapsOf(1), gapsOf(2)];
    expect(Math.max(...same)).toBeGreaterThan(0.001);
    for (const [k, gap] of twice.entries()) expect(gap).toBeCloseTo(2 * same[k], 9);
  });
});

describe('heightRatio', () => {
  test('compares heads with heads, and joints with joints where one has no mesh', () => {
    const joints = { ...chibi, surface: describeContactSurface(chibi.humanoid, null) };
    expect(heightRatio(adult, chibi)).toBeCloseTo(chibi.surface.height / adult.surface.height, 9);
    expect(heightRatio(adult, joints)).toBeCloseTo(chibi.humanoid.height / adult.humanoid.height, 9);
    expect(heightRatio(joints, chibi)).toBeCloseTo(1, 9);
  });
});

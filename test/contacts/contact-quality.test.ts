import { describe, expect, test } from 'vitest';
import { sampleClip } from '../../src/core/animation/sample.ts';
import { createPosedCharacter, footClearance } from '../../src/core/contacts/frames/posed-character.ts';
import { BONE } from '../../src/core/humanoid/bones.ts';
import { planRetarget } from '../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../src/core/retarget/retarget-clip.ts';
import { localToModelMatrices } from '../../src/core/skeleton/pose.ts';
import { ADULT } from '../../src/demo/figure/proportions.ts';
import { lowestVertex, weightedSlide } from '../support/reference/contact-figures.ts';
import { measureContacts } from '../support/reference/contact-quality.ts';
import { SOLE_POINTS } from '../support/tolerances.ts';
import { demoBody } from './demo-pair.ts';

describe('measureContacts', () => {
  test('equals its slow twin', async () => {
    const [source, target] = [await demoBody(), await demoBody({ ...ADULT, leg: 0.7 * ADULT.leg })];
    const clip = retargetClip(planRetarget(source.humanoid, target.humanoid), source.walk);
    const k = target.humanoid.hipsHeight / source.humanoid.hipsHeight;
    const percent = 100 / target.humanoid.height;
    const figures = measureContacts({ ...source, clip: source.walk }, { ...target, clip }, { fps: 20 });
    const own = weightedSlide(source, source.walk, source, source.walk, 20);
    const result = weightedSlide(source, source.walk, target, clip, 20);
    expect(figures.slide.source).toBeCloseTo(k * own * percent, 5);
    expect(figures.slide.target).toBeCloseTo(result * percent, 5);
    expect(figures.drift.plants).toBeGreaterThan(1);
  });

  test('soles: the lowest of the chosen points is the lowest of all vertices', async () => {
    const { humanoid, surface, skin, walk } = await demoBody();
    const body = createPosedCharacter(humanoid, surface);
    for (const time of [0, 0.1, 0.35, 0.6]) {
      body.local.set(humanoid.skeleton.rest);
      sampleClip(walk, time, body.local);
      localToModelMatrices(body.matrices, body.humanoid.skeleton.parents, body.local);
      const lowest = lowestVertex({ humanoid, skin }, walk, time, [BONE.leftFoot, BONE.leftToes]);
      expect(Math.abs(footClearance(body, body.legs.left!) - (lowest - surface.floor))).toBeLessThan(SOLE_POINTS);
    }
  });

  test('is 0 for a motion compared with itself', async () => {
    const body = await demoBody();
    const figures = measureContacts({ ...body, clip: body.walk }, { ...body, clip: body.walk });
    expect(figures.slide.target).toBe(figures.slide.source);
    expect(figures.drift.target).toBe(figures.drift.source);
    expect(figures.penetration.max).toBe(0);
    expect(figures.float.max).toBe(0);
  });
});

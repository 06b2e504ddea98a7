import { describe, expect, test } from 'vitest';
import { sampleCharacterFrames } from '../../../../src/core/contacts/frames/character-frames.ts';
import { createPosedCharacter } from '../../../../src/core/contacts/frames/posed-character.ts';
import { sampleSourceFrames } from '../../../../src/core/contacts/frames/sample-source.ts';
import { createSourceSamples } from '../../../../src/core/contacts/frames/source-samples.ts';
import { applyContacts } from '../../../../src/core/contacts/plan/apply-contacts.ts';
import { planContacts } from '../../../../src/core/contacts/plan/plan-contacts.ts';
import { getOrCreate } from '../../../../src/core/math/get-or-create.ts';
import { planRetarget } from '../../../../src/core/retarget/plan-retarget.ts';
import { retargetClip } from '../../../../src/core/retarget/retarget-clip.ts';
import { ADULT, CHIBI } from '../../../../src/demo/figure/proportions.ts';
import { demoBody } from '../../../contacts/demo-pair.ts';
import { touchMotion } from '../../../contacts/touch-motions.ts';
import { IS_FULL_RUN } from '../../../support/law-runs.ts';

describe('getOrCreate', () => {
  test('keeps values, null included', () => {
    const store = new Map<string, number | null>();
    expect(getOrCreate(store, 'a', () => null)).toBeNull();
    expect(getOrCreate(store, 'a', () => 1)).toBeNull();
  });
});

describe('sampleSourceFrames', () => {
  test('keeps the samples of a clip, and counts their bytes once', async () => {
    const { humanoid, surface, walk } = await demoBody();
    const source = { humanoid, surface, samples: createSourceSamples() };
    const grid = { start: 0, count: 5, step: 0.1 };
    const first = sampleSourceFrames(source, walk, grid, 'all');
    const { bytes } = source.samples;
    expect(bytes).toBe(8 * 5 * 40);
    expect(sampleSourceFrames(source, walk, grid, 'all')).toBe(first);
    expect(source.samples.bytes).toBe(bytes);
    expect(sampleSourceFrames(source, walk, { start: 0, count: 5, step: 0.2 }, 'all')).not.toBe(first);
    expect(first).toEqual(sampleCharacterFrames(createPosedCharacter(humanoid, surface), walk, grid, 'all'));
  });
});

describe('planContacts with shared samples', () => {
  test('gives the same clips as plans of their own', async () => {
    const source = await demoBody();
    const clap = touchMotion('clap', source, 0.3);
    const sourceSamples = createSourceSamples();
    for (const proportions of [CHIBI, { ...ADULT, leg: 0.8 * ADULT.leg }]) {
      const target = await demoBody(proportions);
      const retarget = planRetarget(source.humanoid, target.humanoid);
      const surfaces = { sourceSurface: source.surface, targetSurface: target.surface };
      for (const motion of IS_FULL_RUN ? [source.walk, clap] : [clap]) {
        const plain = retargetClip(retarget, motion);
        const [shared, own] = [{ ...surfaces, sourceSamples }, surfaces].map((options) => {
          return applyContacts(planContacts(retarget, source.humanoid, target.humanoid, options), motion, plain);
        });
        expect(shared).toEqual(own);
        if (motion === clap) expect(shared.report.hands?.contacts).toBeGreaterThan(0);
      }
    }
    expect(sourceSamples.bytes).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { CHARACTERS, clipIndices, MOTIONS } from '../matrix/cover.ts';
import { openOnce } from '../matrix/pair.ts';
import { faultsOf } from './faults.ts';
import { comparePair } from './pair.ts';

describe.skipIf(!HAS_ASSETS)('motions retargeted through a library of humanoid clips', () => {
  it('match direct retargeting: every file once', async () => {
    const motions: string[] = [];
    for (const motion of MOTIONS()) if ((await clipIndices(motion, 1)).length > 0) motions.push(motion);
    const characters = CHARACTERS();
    const faults: string[] = [];
    let compared = 0;
    const numbers = Array.from({ length: Math.max(motions.length, characters.length) }, (_, k) => k);
    for (const k of sampledCases(numbers, 8, 2)) {
      const motion = motions[k % motions.length];
      // Unlike the offset in test/external/matrix, so that more pairs are covered in total.
      const character = characters[(k + 4) % characters.length];
      const [clip] = await clipIndices(motion, 1);
      const pair = await comparePair(await openOnce(motion), clip, await openOnce(character));
      if (pair === null) continue;
      compared++;
      for (const fault of faultsOf(pair)) faults.push(`${motion} → ${character}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(sampledCases(numbers, 8, 2).length / 2);
  }, 120_000);

  it('keep STEP, LINEAR and CUBICSPLINE keys', async () => {
    const ymca = await openOnce(asset('assets/glb/m2mold_human-addon-animations.glb'));
    const pair = await comparePair(ymca, 0, await openOnce(asset('assets/glb/m2m_human-male.glb')));
    expect(pair?.counts.resampled).toBe(0);
    expect(pair?.any).toBeLessThan(1e-6);
  });
});

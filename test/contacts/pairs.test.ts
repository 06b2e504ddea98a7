import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HAS_ASSETS } from '../support/assets.ts';
import { IS_FULL_RUN } from '../support/law-runs.ts';
import { type ContactPair, evaluatePair, realPairs } from './pairs.ts';

/** Motions and characters of other proportions. */
const PAIRS: readonly (readonly [motion: string, clip: string, character: string])[] = [
  ['Xbot.glb', 'walk', 'Godette_vrm_v4.vrm'],
  ['RobotExpressive.glb', 'Death', 'Xbot.glb'],
  ['KayKit_Knight.glb', 'Lie_Down', 'Xbot.glb'],
];

/** Boots that are longer than legs, and a motion that stays in the air, close to the ground. */
const HARD_PAIRS: typeof PAIRS = [
  ['KayKit_Knight.glb', 'Sit_Floor_Down', 'pc_lumberjack.glb'],
  ['RobotExpressive.glb', 'Walking', 'pc_lumberjack.glb'],
  ['KayKit_Knight.glb', 'Jump_Idle', 'cool_loops.vrm'],
];

async function findPair(wanted: readonly string[]): Promise<ContactPair> {
  const pairs = await realPairs(4, wanted[0]);
  return pairs.find(({ motion, clip, character }) => {
    return [basename(motion), clip, basename(character)].every((name, k) => name === wanted[k]);
  })!;
}

describe.skipIf(!HAS_ASSETS)('contacts of real pairs', () => {
  // The first is the walk; a fall and a character that lies down take seconds.
  it.each(IS_FULL_RUN ? PAIRS : PAIRS.slice(0, 2))(
    '%s %s on %s: feet slide as in the source, soles and trunk are on the floor',
    async (...names) => {
      const figures = (await evaluatePair(await findPair(names), 'auto'))!;
      if (figures.slide !== null) expect(Math.abs(figures.slide - 1)).toBeLessThan(0.05);
      expect(figures.drift).toBeLessThan(figures.driftSource + 0.1);
      expect(figures.pen95).toBeLessThan(0.2);
      expect(figures.float95).toBeLessThan(0.5);
      expect(figures.trunk95 ?? 0).toBeLessThan(1);
      expect(figures.jerk).toBeLessThan(1.15);
      expect(figures.flips).toBe(0);
    },
  );

  it.each(IS_FULL_RUN ? HARD_PAIRS : HARD_PAIRS.slice(1, 2))(
    '%s %s on %s: no bone rotates suddenly',
    async (...names) => {
      const figures = (await evaluatePair(await findPair(names), 'auto'))!;
      expect(figures.spikes).toBeLessThanOrEqual(1);
      expect(figures.pen95).toBeLessThan(0.2);
      expect(figures.float95).toBeLessThan(0.5);
      expect(figures.trunk95 ?? 0).toBeLessThan(1);
      expect(figures.jerk).toBeLessThan(1.15);
    },
  );
});

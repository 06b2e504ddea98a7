/**
 * Compares VRMA on VRM with three-vrm-animation. It converts both humanoids to T-pose axes and copies local rotations. That equals the world
 * law if the character has all bones of the motion and only bones rotate. three-vrm-limits.test.ts shows all other cases; here, the rotations
 * that three-vrm-animation loses are compared with three.js, which plays the motion as plain glTF.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DEMO_CHARACTERS, DEMO_MOTIONS } from '../../../src/demo/index.ts';
import { assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { apart } from '../../support/reference/plain.ts';
import { RESAMPLED_RADIANS, SECOND_OPINION } from '../../support/tolerances.ts';
import {
  differenceToLaw,
  differenceToThreeVrm,
  hipsApart,
  isAtOrBelow,
  lostInThreeVrm,
  openPair,
  PARTS,
  restOffset,
  type VrmPair,
} from './vrm-pair.ts';

// three-vrm warns about features that are missing without a screen.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

function expectAgreement(pair: VrmPair): void {
  const { source, target, clip } = pair;
  const lost = lostInThreeVrm(pair);
  const present = target.humanoid.map.nodes.filter((node) => node >= 0).length;
  const shared = differenceToThreeVrm(pair, (bone) => !isAtOrBelow(bone, lost));
  expect(shared.largest).toBeLessThan(SECOND_OPINION);
  // At least the hips and the legs.
  expect(shared.compared).toBeGreaterThanOrEqual(PARTS.length * 7);
  const law = differenceToLaw(pair);
  expect(law.largest).toBeLessThan(RESAMPLED_RADIANS + SECOND_OPINION);
  expect(law.compared).toBe(PARTS.length * present);
  // three-vrm scales the position of the hips, anyrig their displacement from rest: the results differ by a constant offset.
  const moves = source.clips[0].tracks.some(({ path }) => path === 'translation');
  const offset = moves ? restOffset(pair) : [0, 0, 0];
  expect(Math.abs(offset[1])).toBeLessThan(1e-6);
  for (const part of PARTS) {
    const off = apart(hipsApart(pair, part * clip.duration), offset);
    expect(off / target.humanoid.hipsHeight).toBeLessThan(SECOND_OPINION);
  }
}

describe('VRMA on VRM beside three-vrm', () => {
  const vrma = DEMO_MOTIONS.find(({ name }) => name === 'wave.vrma')!;
  const vrms = DEMO_CHARACTERS.filter(({ name }) => name.endsWith('.vrm'));

  it.each(vrms.map(({ name, bytes }) => [name, bytes] as const))(
    'shows the same rotations and the same way of the hips: wave.vrma onto %s',
    async (_, bytes) => expectAgreement(await openPair(vrma.bytes(), bytes())),
  );
});

describe.skipIf(!HAS_ASSETS)('VRMA on VRM beside three-vrm, third-party files', () => {
  const pairs = assetFiles('assets/vrma', 'vrma').flatMap((motion) =>
    assetFiles('assets/vrm', 'vrm').map((character) => [basename(motion), basename(character), motion, character]),
  );

  it.each(pairs)(
    'shows the same rotations and the same way of the hips: %s onto %s',
    async (_motion, _character, motion, character) =>
      expectAgreement(await openPair(readFileSync(motion), readFileSync(character))),
  );
});

import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src/files/jobs/inspect-file.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { CHARACTERS, clipIndices, faultsOf, MOTIONS, NEGATIVES, SKELETONS } from './cover.ts';
import { openOnce, retargetPair } from './pair.ts';

/** A fixed cover of the matrix: every file once as motion and once as character. `npm run matrix` runs all pairs. */
async function cover(): Promise<{ motion: string; character: string }[]> {
  const withClip: string[] = [];
  for (const motion of MOTIONS()) if ((await clipIndices(motion, 1)).length > 0) withClip.push(motion);
  const characters = CHARACTERS();
  const count = Math.max(withClip.length, characters.length);
  // Offset by seven, so that files of one folder seldom meet, and no file meets itself.
  return Array.from({ length: count }, (_, k) => {
    return { motion: withClip[k % withClip.length], character: characters[(k + 7) % characters.length] };
  });
}

describe.skipIf(!HAS_ASSETS)('the matrix of motions and characters', () => {
  it('retargets every file once as motion and once as character without a fault', async () => {
    const faults: string[] = [];
    for (const { motion, character } of sampledCases(await cover(), 16)) {
      const [clip] = await clipIndices(motion, 1);
      const result = await retargetPair(motion, clip, character);
      for (const fault of faultsOf(result)) faults.push(`${result.motion} → ${result.character}: ${fault}`);
    }
    expect(faults).toEqual([]);
  });

  it('finds the humanoid in every FBX', async () => {
    for (const path of SKELETONS()) {
      const { humanoids } = inspectFile(await openOnce(path));
      expect.soft([path, humanoids.length]).toEqual([path, 1]);
    }
  });

  it('refuses every non-humanoid file with exit 1 and a reason, as motion and as character', async () => {
    const xbot = asset('assets/glb/Xbot.glb');
    for (const negative of NEGATIVES()) {
      const asCharacter = await retargetPair(xbot, 0, negative);
      expect.soft({ ...asCharacter, reason: typeof asCharacter.reason }).toMatchObject({ exit: 1, reason: 'string' });
      const [clip] = await clipIndices(negative, 1);
      if (clip === undefined) continue;
      const asMotion = await retargetPair(negative, clip, xbot);
      expect.soft({ ...asMotion, reason: typeof asMotion.reason }).toMatchObject({ exit: 1, reason: 'string' });
    }
  });
});

/** Which clips an output holds beside the new one, and which of them programs play. */
import { describe, expect, it } from 'vitest';
import { type RetargetMotionsResult, retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, type OpenOptions, openBytes } from '../../../src/files/open.ts';
import { openDemo } from '../../support/make/demo-files.ts';

/** A character with two clips of its own, `a` of 2.2 s and `b` of 4.23 s. */
async function withClips(options: OpenOptions = {}): Promise<OpenFile> {
  const motions = [await openDemo('walk.glb'), await openDemo('turn.bvh')];
  const { outputs } = await retargetMotions(motions, await openDemo('mixamo.glb'), {
    output: 'own.glb',
    name: 'own {index}{clip}',
    contacts: 'off',
  });
  return openBytes(Buffer.concat(outputs[outputs.length - 1].parts), { ...options, name: 'own.glb' });
}

async function addWave(character: OpenFile, output: string, replace = false): Promise<RetargetMotionsResult> {
  return retargetMotions([await openDemo('wave.vrma')], character, { output, replace, contacts: 'off' });
}

const textOf = ({ outputs }: RetargetMotionsResult): string =>
  Buffer.concat(outputs[outputs.length - 1].parts).toString();

const clipsOf = async ({ outputs }: RetargetMotionsResult): Promise<string[]> => {
  const { asset } = await openBytes(Buffer.concat(outputs[outputs.length - 1].parts));
  return asset.clips.map(({ name }) => name);
};

describe('clips of a retargeted character', () => {
  it('a GLB with clips keeps them as USD, also where only its first clip was read; the new clip is bound and sets the time range', async () => {
    const character = await withClips({ wantsClip: (_, index) => index === 0 });
    const done = await addWave(character, 'a.usda');
    expect(done.report.issues.filter(({ code }) => code === 'CLIP_EMPTY')).toEqual([]);
    const text = textOf(done);
    expect(text.match(/def SkelAnimation "[^"]+"/g)).toEqual([
      'def SkelAnimation "wave"',
      'def SkelAnimation "own_0walk"',
      'def SkelAnimation "own_0turn"',
    ]);
    expect(text).toMatch(/rel skel:animationSource = <[^>]*\/wave>/);
    const rate = Number(/timeCodesPerSecond = ([\d.]+)/.exec(text)?.[1]);
    const end = Number(/endTimeCode = ([\d.]+)/.exec(text)?.[1]);
    expect(end / rate).toBeCloseTo(done.report.clips[0].duration, 5);
    expect(done.report).toMatchObject({ keptClips: 2, firstClip: 'wave' });
  });

  it('a USD with clips as GLB starts with the new one', async () => {
    const usd = await openBytes(Buffer.from(textOf(await addWave(await withClips(), 'a.usda'))), { name: 'a.usda' });
    const walk = await openDemo('walk.glb');
    const done = await retargetMotions([walk], usd, { output: 'b.glb', contacts: 'off' });
    expect(await clipsOf(done)).toEqual(['walk', 'wave', 'own 0walk', 'own 0turn']);
    expect(done.report).toMatchObject({ keptClips: 3, firstClip: 'walk' });
  });

  it('an edited glTF keeps the indices of its clips and reports which one players start with', async () => {
    const character = await withClips();
    const done = await addWave(character, 'a.glb');
    expect(await clipsOf(done)).toEqual(['own 0walk', 'own 0turn', 'wave']);
    expect(done.report).toMatchObject({ keptClips: 2, firstClip: 'own 0walk' });
    const replaced = await addWave(character, 'a.glb', true);
    expect(await clipsOf(replaced)).toEqual(['wave']);
    expect(replaced.report).toMatchObject({ keptClips: 0, firstClip: 'wave' });
  });
});

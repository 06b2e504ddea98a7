/** Opens every motion and model of MMD of the asset folder, and retargets it; what cannot be is refused with words. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { retargetClips } from '../../../src/files/jobs/retarget-clips.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { faultOfAsset } from '../../fuzz/check-asset.ts';
import { asset, assetFiles, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { danceVmd } from '../../support/make/mmd-files.ts';

const CHARACTERS = ['glb/Xbot.glb', 'glb/m2m_human-female.glb', 'vrm/Godette_vrm_v4.vrm', 'pmx/yw_test_model.pmx'];

/** Files that have nothing for a humanoid, and what is said about them. */
const NOTHING: Readonly<Record<string, RegExp>> = {
  // Keys of morphs that are all 0.
  'gene_00_normal.vmd': /animates no bone/,
  'threemmd_joint_orient_test.vmd': /moves no bone that the standard skeleton has.*option model/,
  'threemmd_test_append_bone.vmd': /moves no bone that the standard skeleton has.*option model/,
};

function open(path: string, model?: OpenFile): Promise<OpenFile> {
  const bytes = new Uint8Array(readFileSync(path));
  return openBytes(bytes, { name: path, ...(model === undefined ? {} : { model }) });
}

async function retargeted(motion: OpenFile, character: OpenFile): Promise<string[]> {
  const edits = { trim: { from: 0, to: 2 } };
  const { report, outputs } = await retargetMotions([motion], character, { output: 'out.glb', replace: true, edits });
  const said = report.issues.filter(({ severity }) => severity !== 'info').map(({ message }) => message);
  if (!report.ok) return said;
  const again = await openBytes(concatParts(outputs[outputs.length - 1].parts), { name: 'out.glb' });
  expect(faultOfAsset(again.asset)).toBeNull();
  expect(again.asset.clips.some(({ clips }) => clips.some(({ tracks }) => tracks.length > 10))).toBe(true);
  return ['written'];
}

describe.skipIf(!HAS_ASSETS)('motions of MMD', () => {
  const pairs = assetFiles('assets/vmd', 'vmd', 'vpd').flatMap((path) =>
    CHARACTERS.map((character) => [basename(path), character, path]),
  );
  it.each(sampledCases(pairs, 12, 3))('%s on %s', async (name, character, path) => {
    const said = await retargeted(await open(path), await open(asset('assets', character)));
    if (NOTHING[name] === undefined) expect(said).toEqual(['written']);
    else expect(said.join('\n')).toMatch(NOTHING[name]);
  });
});

describe.skipIf(!HAS_ASSETS)('models of MMD', () => {
  it('legs that deform the mesh (左足D) follow those of a model that walks', async () => {
    const model = await open(asset('assets/pmx/yw_test_model.pmx'));
    const dance = await openBytes(danceVmd(), { name: 'dance.vmd' });
    const { clips } = await retargetClips([dance], model, { contacts: 'off' });
    const { names } = clips[0].target.humanoid.skeleton;
    const moved = new Set(clips[0].clip.tracks.map(({ target }) => names[target]));
    for (const name of ['左足D', '左ひざD', '左足首D', '右足D']) expect(moved).toContain(name);
  });

  it.each(sampledCases(assetFiles('assets/pmx', 'pmx', 'pmd'), 6))(
    '%s as character and as the model of a motion',
    async (path) => {
      // Its vertices are a byte longer than its header says.
      if (path.includes('joint_orient'))
        return expect(open(path)).rejects.toThrow(/deform 63; expected 0 to 4.*get it again/);
      const model = await open(path);
      expect(faultOfAsset(model.asset)).toBeNull();
      const dance = await openBytes(danceVmd(), { name: 'dance.vmd', model });
      expect(faultOfAsset(dance.asset)).toBeNull();
      if (path.includes('append_bone')) return expect(model.asset.skeletons[0].skeleton.names).toHaveLength(9);
      expect(await retargeted(dance, await open(asset('assets/glb/Xbot.glb')))).toEqual(['written']);
      const motion = await openBytes(danceVmd(), { name: 'dance.vmd' });
      const { report } = await retargetMotions([motion], model, {
        output: 'out.glb',
        mesh: model.format === 'mmd' && model.model?.mesh !== null,
      });
      expect(report.ok).toBe(true);
    },
  );
});

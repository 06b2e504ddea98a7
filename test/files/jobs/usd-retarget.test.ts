/** Retargets a motion to glTF characters and to the same characters as USD: the joint positions must match. */
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import { localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../../../src/core/skeleton/skeleton.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openFile } from '../../../src/files/node.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { KEPT_OUT, USD_WRITTEN } from '../../support/tolerances.ts';

const MOTION = 'assets/bvh/AD_cmu1_jumping_jacks.bvh';
/** A plain character, one with rigid parts, and one with unbound joints and detached bones. */
const CHARACTERS = ['m2m_rig-human', 'KayKit_Knight', 'pc_lumberjack'].map((name) => `assets/glb/${name}.glb`);
/** Times as fractions of the clip. */
const PARTS = [0, 0.31, 0.77];

async function reopened(outputs: readonly OutputFile[]): Promise<OpenFile> {
  const { path, parts } = outputs[outputs.length - 1];
  return openBytes(concatParts(parts), { name: path });
}

/** Retargets the motion to the character, replacing its clips. Frames, because glTF and USD get keys of their own. */
async function moved(character: OpenFile, output: string, contacts: 'auto' | 'off'): Promise<OpenFile> {
  const motion = await openFile(asset(MOTION));
  return reopened((await retargetMotions([motion], character, { output, replace: true, contacts, fps: 30 })).outputs);
}

/** Returns the joint positions of the first skeleton at a fraction of the first clip, by name. */
function jointPositionsAt({ asset: { skeletons, clips } }: OpenFile, part: number): Map<string, Float64Array> {
  const { names, parents, rest } = skeletons[0].skeleton;
  const pose = Float64Array.from(rest);
  const [clip] = clips[0].clips;
  sampleClip(clip, clip.duration * part, pose);
  const worlds = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(worlds, parents, pose);
  return new Map(names.map((name, n) => [name, worlds.slice(MATRIX_STRIDE * n + 12, MATRIX_STRIDE * n + 15)]));
}

describe.skipIf(!HAS_ASSETS)('retargetMotions: glTF character and its USD twin', () => {
  it.each(sampledCases(CHARACTERS))('moves the joints of %s equally', async (path) => {
    const name = basename(path, '.glb');
    const contacts = IS_FULL_RUN ? 'auto' : 'off';
    const gltf = await moved(await openFile(asset(path)), `${name}.glb`, contacts);
    const { outputs } = await convertFile(await openFile(asset(path)), { output: `${name}.usdz` });
    const usd = await moved(await reopened(outputs), `${name}.usdz`, contacts);
    for (const part of PARTS) {
      const [there, here] = [jointPositionsAt(gltf, part), jointPositionsAt(usd, part)];
      const heights = Array.from(there.values(), ([, y]) => y);
      const height = Math.max(...heights) - Math.min(...heights);
      const shared = [...there].flatMap(([joint, [x, y, z]]) => {
        const found = here.get(joint);
        return found === undefined ? [] : [Math.hypot(found[0] - x, found[1] - y, found[2] - z) / height];
      });
      expect(shared.length).toBeGreaterThan(20);
      expect(Math.max(...shared)).toBeLessThan(contacts === 'auto' ? KEPT_OUT : USD_WRITTEN);
    }
  });
});

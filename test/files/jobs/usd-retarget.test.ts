/** A motion on characters of glTF and on the USD that they become: the same joints in the same places. */
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
import { asset, HAS_ASSETS } from '../../assets.ts';
import { USD_WRITTEN } from '../../tolerances.ts';

const MOTION = 'assets/bvh/AD_cmu1_jumping_jacks.bvh';
/** A plain one; one with rigid parts; one with joints that were never bound, and bones that follow. */
const CHARACTERS = ['m2m_rig-human', 'KayKit_Knight', 'pc_lumberjack'].map((name) => `assets/glb/${name}.glb`);
/** Parts of the clip. */
const PARTS = [0, 0.31, 0.77];

async function reopened(outputs: readonly OutputFile[]): Promise<OpenFile> {
  const { path, parts } = outputs[outputs.length - 1];
  return openBytes(concatParts(parts), { name: path });
}

/** The character with the motion alone. */
async function moved(character: OpenFile, output: string): Promise<OpenFile> {
  const motion = await openFile(asset(MOTION));
  return reopened((await retargetMotions([motion], character, { output, replace: true })).outputs);
}

/** Where the joints of the first skeleton stand at a part of the first clip, by name. */
function placesAt({ asset: { skeletons, clips } }: OpenFile, part: number): Map<string, Float64Array> {
  const { names, parents, rest } = skeletons[0].skeleton;
  const pose = Float64Array.from(rest);
  const [clip] = clips[0].clips;
  sampleClip(clip, clip.duration * part, pose);
  const worlds = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(worlds, parents, pose);
  return new Map(names.map((name, n) => [name, worlds.slice(MATRIX_STRIDE * n + 12, MATRIX_STRIDE * n + 15)]));
}

describe.skipIf(!HAS_ASSETS)('a motion on a character of glTF and on its USD', () => {
  it.each(CHARACTERS)('moves %s alike', async (path) => {
    const name = basename(path, '.glb');
    const gltf = await moved(await openFile(asset(path)), `${name}.glb`);
    const { outputs } = await convertFile(await openFile(asset(path)), { output: `${name}.usdz` });
    const usd = await moved(await reopened(outputs), `${name}.usdz`);
    for (const part of PARTS) {
      const [there, here] = [placesAt(gltf, part), placesAt(usd, part)];
      const heights = Array.from(there.values(), ([, y]) => y);
      const height = Math.max(...heights) - Math.min(...heights);
      const shared = [...there].flatMap(([joint, [x, y, z]]) => {
        const found = here.get(joint);
        return found === undefined ? [] : [Math.hypot(found[0] - x, found[1] - y, found[2] - z) / height];
      });
      expect(shared.length).toBeGreaterThan(20);
      expect(Math.max(...shared)).toBeLessThan(USD_WRITTEN);
    }
  });
});

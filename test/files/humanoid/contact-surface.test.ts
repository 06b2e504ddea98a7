import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contactSurfaceOf } from '../../../src/files/humanoid/contact-surface.ts';
import { chooseHumanoid, type FoundHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN } from '../../support/law-runs.ts';
import { measurePoseError } from '../../support/reference/pose-error.ts';

const open = (...path: readonly string[]): Promise<OpenFile> =>
  openBytes(readFileSync(asset(...path)), { name: path.at(-1)! });
const reopen = ({ path, parts }: OutputFile): Promise<OpenFile> =>
  openBytes(new Uint8Array(Buffer.concat(parts)), { name: path });
const foundIn = (file: OpenFile): FoundHumanoid => chooseHumanoid(file, 'only', {}).found!;

describe.skipIf(!HAS_ASSETS)('contactSurfaceOf: the same character as FBX and as GLB', () => {
  const characters = async (): Promise<OpenFile[]> => {
    const fbx = await open('assets', 'fbx', 'maya2016_arnaud_skinned.fbx');
    return [fbx, await reopen((await convertFile(fbx, { output: 'arnaud.glb' })).outputs[0])];
  };

  it('has the same soles and radii, from the skin', async () => {
    const [fbx, glb] = await Promise.all((await characters()).map((file) => contactSurfaceOf(file, foundIn(file))));
    expect([fbx.from, glb.from]).toEqual(['skin', 'skin']);
    for (const side of ['left', 'right'] as const) {
      for (const height of ['ankleHeight', 'ballHeight'] as const) {
        expect(Math.abs(fbx.soles[side]![height] - glb.soles[side]![height])).toBeLessThan(1e-4);
      }
    }
    expect(Math.abs(fbx.floor - glb.floor)).toBeLessThan(1e-4);
  });

  it.runIf(IS_FULL_RUN)('gets the same result, contacts included', async () => {
    const motion = await open('cases', '02-negative-scale', 'walk.glb');
    const results = [];
    for (const character of await characters()) {
      results.push(await reopen((await retargetMotions([motion], character, { output: 'walks.glb' })).outputs[0]));
    }
    const [from, to] = results.map(foundIn);
    const [clip, other] = results.map(({ asset }, k) => asset.clips[0].clips[[from, to][k].index]);
    const { worldDelta } = measurePoseError(from.humanoid, clip, to.humanoid, other, { fps: 30 });
    // Which points of a sole are lowest, and so how deep a foot is, differs in the last bits.
    expect(worldDelta.max).toBeLessThan(0.2);
  });
});

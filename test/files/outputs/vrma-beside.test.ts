import { describe, expect, it } from 'vitest';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../../src/files/open.ts';
import { vrmaPathBeside } from '../../../src/files/outputs/plan-output.ts';
import { concatParts } from '../../../src/formats/gltf/document/glb.ts';
import { openDemo } from '../../support/make/demo-files.ts';

async function retargeted(motions: readonly string[], options: RetargetMotionsOptions) {
  const opened = await Promise.all(motions.map(openDemo));
  return retargetMotions(opened, await openDemo('child.vrm'), { contacts: 'off', ...options });
}

describe('retargetMotions: VRM Animations beside a .vrm', () => {
  it.each<readonly [string, readonly string[], string, readonly string[]]>([
    ['one clip has the path of the character', ['walk.glb'], 'a/out.vrm', ['a/out.vrma', 'a/out.vrm']],
    [
      'several clips are one file each',
      ['walk.glb', 'turn.bvh'],
      'out.vrm',
      ['out-walk.vrma', 'out-turn.vrma', 'out.vrm'],
    ],
    [
      'a template gives pairs',
      ['walk.glb', 'turn.bvh'],
      '{clip}.vrm',
      ['walk.vrma', 'walk.vrm', 'turn.vrma', 'turn.vrm'],
    ],
    ['they go with every format of a character', ['walk.glb'], 'out.glb', ['out.vrma', 'out.glb']],
    ['a .vrma alone stays alone', ['walk.glb'], 'out.vrma', ['out.vrma']],
  ])('vrma: %s', async (_, motions, output, paths) => {
    const { outputs, report } = await retargeted(motions, { output, vrma: true });
    expect(outputs.map(({ path }) => path)).toEqual(paths);
    expect(report).toMatchObject({ ok: true, output, files: paths });
    expect(report.issues.map(({ code }) => code)).not.toContain('VRM_CLIP_PLAYBACK');
    for (const { path, parts } of outputs.filter((one) => one.path.endsWith('.vrma'))) {
      const { asset } = await openBytes(concatParts(parts), { name: path });
      expect([asset.format, asset.clips.length]).toEqual(['vrma', 1]);
    }
  });

  it('VRM_CLIP_PLAYBACK: says in one line how clips inside a .vrm play, and offers the .vrma', async () => {
    const { report } = await retargeted(['walk.glb', 'turn.bvh'], { output: '{clip}.vrm' });
    const found = report.issues.filter(({ code }) => code === 'VRM_CLIP_PLAYBACK');
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
    expect(found[0].message).toMatch(/autoUpdateHumanBones: false.*write a \.vrma.*option vrma/);
    // Longer messages are cut on the terminal.
    expect(found[0].message.length).toBeLessThan(220);
    const glb = await retargeted(['walk.glb'], { output: 'out.glb' });
    expect(glb.report.issues.map(({ code }) => code)).not.toContain('VRM_CLIP_PLAYBACK');
  });
});

describe('convertFile: clips inside a .vrm', () => {
  it('VRM_CLIP_PLAYBACK: is reported for edited clips, not for a file that stays as it is', async () => {
    const { outputs } = await retargeted(['walk.glb'], { output: 'out.vrm' });
    const file = await openBytes(concatParts(outputs[0].parts), { name: 'out.vrm' });
    const codesOf = async (options: Parameters<typeof convertFile>[1]) =>
      (await convertFile(file, options)).report.issues.map(({ code }) => code);
    expect(await codesOf({ output: 'fast.vrm', edits: { speed: 2 } })).toContain('VRM_CLIP_PLAYBACK');
    expect(await codesOf({ output: 'same.vrm' })).not.toContain('VRM_CLIP_PLAYBACK');
  });
});

it('vrmaPathBeside: replaces the extension, and adds the clip where one file holds several', () => {
  expect(vrmaPathBeside('a.b/out.vrm', 1)).toBe('a.b/out.vrma');
  expect(vrmaPathBeside('out.VRM', 3)).toBe('out-{clip}.vrma');
  expect(vrmaPathBeside('{file}/{clip}.glb', 3)).toBe('{file}/{clip}.vrma');
});

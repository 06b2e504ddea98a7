import { mkdirSync, writeFileSync } from 'node:fs';
import * as inNode from 'anyrig/files';
import { describe, expect, it } from 'vitest';
import * as inBrowsers from '../../src/files/browser.ts';
import { demoBytes, temporaryFolder, writeDemo } from '../support/make/demo-files.ts';

const at = temporaryFolder();

describe('anyrig/files in Node', () => {
  it('exports the same names in Node and in browsers, so that one declaration serves both', () => {
    expect(Object.keys(inBrowsers).sort()).toEqual(Object.keys(inNode).sort());
    expect(inNode.openBytes).toBe(inBrowsers.openBytes);
  });

  it('openFile: says in browsers which function to use', () => {
    expect(() => inBrowsers.openFile()).toThrow(/only Node has\. In browsers use openBytes: await openBytes\(/);
    expect(inNode.openFile).not.toBe(inBrowsers.openFile);
  });

  it('openFile and writeFiles: retarget files on disk', async () => {
    const motion = await inNode.openFile(writeDemo(at, 'walk.glb'));
    const character = await inNode.openFile(writeDemo(at, 'child.vrm'));
    const { outputs, report } = await inNode.retargetMotions([motion], character, { output: at('out/new.vrm') });
    await inNode.writeFiles(outputs);
    const written = await inNode.openFile(at('out/new.vrm'));
    expect(report.ok).toBe(true);
    expect(written.asset.clips.map(({ name }) => name)).toEqual(['walk']);
    expect(written.asset.format).toBe('vrm1');
  });

  it('openFile: reads only the wanted clips', async () => {
    const motion = await inNode.openFile(writeDemo(at, 'walk.glb', 'w.glb'), { wantsClip: () => false });
    expect(motion.asset.clips[0].clips[0].tracks).toEqual([]);
  });

  it('openFile: reads references to other folders with assetRoot', async () => {
    mkdirSync(at('chars'));
    mkdirSync(at('shots'));
    const { outputs } = await inNode.convertFile(await inNode.openFile(writeDemo(at, 'walk.glb', 'v.glb')), {
      output: at('chars/hero.usdc'),
    });
    await inNode.writeFiles(outputs);
    writeFileSync(at('shots/a.usda'), '#usda 1.0\ndef "A" (\n  references = @../chars/hero.usdc@\n)\n{\n}\n');
    expect((await inNode.openFile(at('shots/a.usda'))).asset.skeletons).toEqual([]);
    const options = { assetRoot: at('chars'), wantsClip: () => false };
    const { asset } = await inNode.openFile(at('shots/a.usda'), options);
    expect([asset.skeletons.length, asset.clips.map(({ name }) => name)]).toEqual([1, ['walk']]);
    expect(asset.clips[0].clips[0].tracks).toEqual([]);
  });

  it('openFile: reads the buffers of a .gltf from its folder', async () => {
    const character = await inNode.openBytes(demoBytes('mixamo.glb'));
    const motion = await inNode.openBytes(demoBytes('walk.glb'), { name: 'walk.glb' });
    mkdirSync(at('gltf'));
    const { outputs } = await inNode.retargetMotions([motion], character, { output: at('gltf/a.gltf') });
    await inNode.writeFiles(outputs);
    expect((await inNode.openFile(at('gltf/a.gltf'))).asset.clips).toHaveLength(1);
    writeFileSync(at('gltf/a.bin'), 'short');
    await expect(inNode.openFile(at('gltf/a.gltf'))).rejects.toMatchObject({ name: 'FormatError' });
  });
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../src/core/report/format-error.ts';
import { prepareUserFiles } from '../../src/studio-server/user-files.ts';
import { temporaryFolder, writeDemo } from '../support/make/demo-files.ts';

const at = temporaryFolder();
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Writes a glTF with an external buffer and an external texture on a visible triangle. */
function writeGltf(name: string, { buffer = 'hero.bin', image = 'textures/skin%20a.png' } = {}): string {
  const gltf = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ uri: image }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    buffers: [{ uri: buffer, byteLength: 36 }],
  };
  writeFileSync(at(name), JSON.stringify(gltf));
  return at(name);
}

const triangle = new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
mkdirSync(at('textures'));
writeFileSync(at('hero.bin'), triangle);
writeFileSync(at('textures/skin a.png'), PNG);

describe('prepareUserFiles', () => {
  it('serves a file with the buffers and textures that it references', async () => {
    const { list, served } = await prepareUserFiles([writeDemo(at, 'walk.glb'), writeGltf('hero.gltf')]);
    expect(list).toEqual([
      { name: 'walk.glb', url: 'files/0/walk.glb', resources: [] },
      {
        name: 'hero.gltf',
        url: 'files/1/hero.gltf',
        resources: [
          { name: 'hero.bin', url: 'files/1/0/hero.bin' },
          { name: 'textures/skin a.png', url: 'files/1/1/skin%20a.png' },
        ],
      },
    ]);
    expect(served.size).toBe(4);
    expect(Buffer.from((await served.get('/files/1/1/skin%20a.png')?.read()) as Uint8Array)).toEqual(PNG);
  });

  it('serves the layers of a USD scene, also from the asset root', async () => {
    mkdirSync(at('scene'));
    const prim = '#usda 1.0\n(\n    defaultPrim = "A"\n)\ndef Scope "A"\n{\n}\n';
    writeFileSync(at('scene/part.usda'), prim);
    writeFileSync(at('shared.usda'), prim);
    writeFileSync(at('scene/root.usda'), '#usda 1.0\n(\n    subLayers = [@part.usda@, @../shared.usda@]\n)\n');
    const near = await prepareUserFiles([at('scene/root.usda')]);
    expect(near.list[0].resources.map(({ name }) => name)).toEqual(['part.usda']);
    const all = await prepareUserFiles([at('scene/root.usda')], { assetRoot: at() });
    expect(all.list[0].resources).toEqual([
      { name: 'part.usda', url: 'files/0/0/part.usda' },
      { name: '../shared.usda', url: 'files/0/1/shared.usda' },
    ]);
  });

  it('serves nothing outside of the folder of the file: no path upward, no link', async () => {
    mkdirSync(at('inside'));
    writeFileSync(at('secret.bin'), triangle);
    symlinkSync(at('secret.bin'), at('inside/link.bin'));
    for (const buffer of [
      '../secret.bin',
      'link.bin',
      '%2e%2e/secret.bin',
      at('secret.bin'),
      `file://${at('secret.bin')}`,
    ]) {
      const path = writeGltf('inside/thief.gltf', { buffer });
      const { list, served } = await prepareUserFiles([path]);
      expect([list[0].resources, served.size], buffer).toEqual([[], 1]);
    }
  });

  it('serves a file that cannot be opened: the page says why', async () => {
    writeFileSync(at('broken.glb'), 'glTF but not really');
    const { list } = await prepareUserFiles([at('broken.glb')]);
    expect(list).toEqual([{ name: 'broken.glb', url: 'files/0/broken.glb', resources: [] }]);
  });

  it('throws for a file that does not exist', async () => {
    const opened: string[] = [];
    const prepared = prepareUserFiles([at('nothing.glb')], { onFile: (path) => opened.push(path) });
    await expect(prepared).rejects.toThrow(FormatError);
    expect(opened).toEqual([at('nothing.glb')]);
  });
});

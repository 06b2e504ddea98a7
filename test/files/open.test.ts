import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';
import { demoBytes, openDemo } from '../support/make/demo-files.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('openBytes', () => {
  it.each([
    ['walk.glb', 'gltf'],
    ['wave.vrma', 'vrma'],
    ['child.vrm', 'vrm1'],
    ['chibi.vrm', 'vrm0'],
    ['turn.bvh', 'bvh'],
  ])('opens %s as %s', async (name, format) => {
    const file = await openDemo(name);
    expect(file.asset.format).toBe(format);
    expect(file.asset.skeletons).toHaveLength(1);
    expect(file.name).toBe(name);
    expect(file.format).toBe(format === 'bvh' ? 'bvh' : 'gltf');
  });

  it('detects the format by content, with a wrong or missing name', async () => {
    expect((await openBytes(demoBytes('turn.bvh'), { name: 'a.glb' })).asset.format).toBe('bvh');
    expect((await openBytes(demoBytes('walk.glb'))).name).toBe('');
  });

  it('reads the keys of wanted clips, and the names of all', async () => {
    const all = await openBytes(demoBytes('walk.glb'));
    const none = await openBytes(demoBytes('walk.glb'), { wantsClip: () => false });
    expect(all.asset.clips.map(({ name, clips }) => [name, clips[0].tracks.length > 0])).toEqual([['walk', true]]);
    expect(none.asset.clips.map(({ name, clips }) => [name, clips[0].tracks.length])).toEqual([['walk', 0]]);
  });

  it('reads external buffers with readResource, and throws without it', async () => {
    const json = {
      asset: { version: '2.0' },
      buffers: [{ uri: 'motion%20data.bin', byteLength: 32 }],
      bufferViews: [
        { buffer: 0, byteLength: 8 },
        { buffer: 0, byteOffset: 8, byteLength: 24 },
      ],
      accessors: [
        { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR' },
        { bufferView: 1, componentType: 5126, count: 2, type: 'VEC3' },
      ],
      nodes: [{ name: 'a', children: [1] }, { name: 'b' }],
      animations: [
        { channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }], samplers: [{ input: 0, output: 1 }] },
      ],
    };
    const bytes = utf8(JSON.stringify(json));
    const bin = new Uint8Array(Float32Array.of(0, 1, 1, 2, 3, 4, 5, 6).buffer);
    const asked: string[] = [];
    const file = await openBytes(bytes, {
      readResource: async (path) => {
        asked.push(path);
        return bin;
      },
    });
    expect(asked).toEqual(['motion data.bin']);
    expect([...file.asset.clips[0].clips[0].tracks[0].values]).toEqual([1, 2, 3, 4, 5, 6]);
    await expect(openBytes(bytes)).rejects.toMatchObject({ code: 'GLTF_BUFFER' });
  });

  it('throws a FormatError for unsupported content', async () => {
    await expect(openBytes(new Uint8Array(0))).rejects.toMatchObject({ name: 'FormatError', code: 'FORMAT_UNKNOWN' });
    await expect(openBytes(utf8('{}'))).rejects.toMatchObject({ name: 'FormatError', code: 'GLTF_VERSION' });
  });

  it.skipIf(!HAS_ASSETS)('decompresses meshopt buffers', async () => {
    const bytes = readFileSync(asset('assets/glb/VALID_AIAN_M_1_Casual.glb'));
    const file = await openBytes(bytes, { name: 'VALID.glb' });
    expect(file.asset.skeletons[0].skeleton.bind).not.toBeNull();
  });
});

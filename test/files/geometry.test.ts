import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { geometryOf } from '../../src/files/geometry.ts';
import { type OpenFile, openBytes } from '../../src/files/open.ts';
import { asset, HAS_ASSETS } from '../support/assets.ts';
import { openDemo } from '../support/make/demo-files.ts';
import { documentOf } from '../support/make/opened.ts';

async function openAsset(path: string): Promise<OpenFile> {
  const file = asset('conformance/gltf', path);
  const readResource = async (name: string): Promise<Uint8Array> => readFileSync(join(dirname(file), name));
  return openBytes(new Uint8Array(readFileSync(file)), { name: path, readResource });
}

afterEach(() => {
  vi.doUnmock('draco3dgltf');
});

describe('geometryOf', () => {
  it.each(['walk.glb', 'child.vrm', 'chibi.vrm'])('reads the geometry of %s', async (name) => {
    const read = (await geometryOf(await openDemo(name)))!;
    const { meshes, skins, instances, nodes, materials } = read.geometry;
    expect(instances.every(({ skin }) => skin >= 0)).toBe(true);
    expect(meshes[0].primitives[0].influences!.jointsPerVertex).toBe(4);
    expect(skins[0].joints.every((joint) => nodes.joints[joint] === 1)).toBe(true);
    expect(materials.length).toBeGreaterThan(0);
    expect(read.issues.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('returns null for a format without geometry', async () => {
    expect(await geometryOf(await openDemo('turn.bvh'))).toBeNull();
  });

  describe.skipIf(!HAS_ASSETS)('with third-party files', () => {
    const BOX = 'gltf-transform-tests/packages/extensions/test/in/BoxDraco.gltf';

    it('decodes Draco on request of the geometry', async () => {
      const file = await openAsset(BOX);
      expect(documentOf(file).cache.dracoDecoder).toBeNull();
      const { geometry, issues } = (await geometryOf(file))!;
      expect(geometry.meshes[0].primitives[0].vertexCount).toBe(24);
      expect(issues).toEqual([]);
    });

    it('reads attributes outside of the compressed mesh', async () => {
      const { geometry } = (await geometryOf(
        await openAsset('gltf-transform-tests/packages/extensions/test/in/DracoSparseMesh.gltf'),
      ))!;
      const { influences, vertexCount } = geometry.meshes[0].primitives[0];
      expect(influences!.indices).toEqual(new Uint16Array(4 * vertexCount));
      expect(influences!.weights.some((weight) => weight > 0)).toBe(true);
    });

    it('opens a Draco file without the package, and throws with the install command for its geometry', async () => {
      vi.doMock('draco3dgltf', () => {
        throw new Error('Cannot find package');
      });
      await expect(geometryOf(await openAsset(BOX))).rejects.toMatchObject({
        name: 'FormatError',
        code: 'GLTF_COMPRESSION',
        message: expect.stringContaining('Install the package draco3dgltf'),
      });
    });

    it('loads images, and reports missing ones', async () => {
      const embedded = (await geometryOf(
        await openAsset('gltf-transform-tests/packages/core/test/in/BoxTextured_glTF/BoxTextured.gltf'),
      ))!;
      expect(embedded.geometry.textures.map(({ mimeType }) => mimeType)).toEqual(['image/png']);
      const file = await openAsset('three-vrm/packages/three-vrm-materials-mtoon/examples/models/cube.gltf');
      expect((await geometryOf(file))!.issues.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^2 textures were dropped because no image data was available: .*uv-grid\.png/),
      );
    });
  });
});

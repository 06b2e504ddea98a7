import { geometryOf, openBytes } from 'anyrig/files';
import { describe, expect, it } from 'vitest';
import { DEMO_MOTIONS } from '../../../src/demo/index.ts';
import type { GltfFile } from '../../../src/files/open-file.ts';
import { parseGlb } from '../../../src/formats/gltf/document/glb.ts';
import { stageGlb } from '../../../studio/src/engine/stage-glb.ts';
import { dracoGlb } from '../../support/make/draco-glb.ts';

async function open(bytes: Uint8Array, name: string): Promise<GltfFile> {
  return (await openBytes(bytes, { name })) as GltfFile;
}

async function instancesOf(file: GltfFile) {
  const found = await geometryOf(file);
  return found?.geometry ?? null;
}

describe('stageGlb', () => {
  it('has the meshes and nodes of a file with clips, and no clips', async () => {
    const demo = DEMO_MOTIONS.find(({ name }) => name === 'walk.glb');
    const file = await open(demo?.bytes() as Uint8Array, 'walk.glb');
    const bytes = await stageGlb(file);
    const shown = await open(bytes, 'walk.glb');
    expect(shown.asset.clips).toEqual([]);
    expect(shown.asset.skeletons).toEqual(file.asset.skeletons);
    expect((await instancesOf(shown))?.meshes).toEqual((await instancesOf(file))?.meshes);
    expect(bytes.length).toBeLessThan(demo?.bytes().length as number);
    expect(parseGlb(bytes).issues).toEqual([]);
  });

  it('decodes meshes that are compressed by Draco', async () => {
    const demo = DEMO_MOTIONS.find(({ name }) => name === 'walk.glb');
    const file = await open(await dracoGlb(demo?.bytes() as Uint8Array), 'draco.glb');
    expect(file.document.json['extensionsRequired']).toEqual(['KHR_draco_mesh_compression']);
    // Attaches the decoder, as the worker does when it opens a file.
    const decoded = (await instancesOf(file))?.meshes;
    const shown = await open(await stageGlb(file), 'draco.glb');
    expect(shown.document.json['extensionsRequired']).toBeUndefined();
    expect(decoded?.length).toBeGreaterThan(0);
    expect((await instancesOf(shown))?.meshes).toEqual(decoded);
  });
});

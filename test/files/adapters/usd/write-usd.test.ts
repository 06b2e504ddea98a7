import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../src/core/asset/geometry.ts';
import type { Texture } from '../../../../src/core/asset/material.ts';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { MIXAMO_RIG } from '../../../../src/demo/characters/rigs.ts';
import { usdCharacterFiles, usdMotionFiles } from '../../../../src/files/adapters/usd/write-usd.ts';
import { mergeSkeletonClips } from '../../../../src/files/clips/merge-skeleton-clips.ts';
import { geometryOf } from '../../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../../src/files/open.ts';
import type { UsdFormat } from '../../../../src/files/outputs/output-format.ts';
import { concatParts } from '../../../../src/formats/gltf/document/glb.ts';
import { readUsdz } from '../../../../src/formats/usd/package/read-usdz.ts';
import { attributeAssets } from '../../../../src/formats/usd/stage/layer-assets.ts';
import { openDemo } from '../../../support/make/demo-files.ts';
import { usdSourceOf } from '../../../support/make/opened.ts';
import { gltfWithCharacters } from '../../../support/make/two-characters.ts';

const TRIANGLE = Float32Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0);

/** A humanoid of rigid parts: triangles at the head and the left hand, without a skin. */
async function openDoll(): Promise<OpenFile> {
  const json = JSON.parse(gltfWithCharacters([MIXAMO_RIG])) as { nodes: { name: string; mesh?: number }[] };
  for (const node of json.nodes) if (/:(?:Head|LeftHand)$/.test(node.name)) node.mesh = 0;
  const uri = `data:application/octet-stream;base64,${Buffer.from(TRIANGLE.buffer).toString('base64')}`;
  const doll = {
    ...json,
    meshes: [{ name: 'Part', primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0.1, 0.1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: TRIANGLE.byteLength }],
    buffers: [{ byteLength: TRIANGLE.byteLength, uri }],
  };
  return openBytes(new TextEncoder().encode(JSON.stringify(doll)), { name: 'doll.gltf' });
}

async function geometryIn(file: OpenFile): Promise<Geometry> {
  return (await geometryOf(file))!.geometry;
}

describe('usdCharacterFiles: humanoid of rigid parts', () => {
  it('writes its bones as joints, so that motions can be retargeted to it', async () => {
    const made = await convertFile(await openDoll(), { output: 'doll.usdc' });
    expect(made.report).toMatchObject({ ok: true, issues: [] });
    const doll = await openBytes(concatParts(made.outputs[0].parts), { name: 'doll.usdc' });
    const { report, outputs } = await retargetMotions([await openDemo('walk.glb')], doll, { output: 'out.usdc' });
    expect(report).toMatchObject({ ok: true, target: { humanoid: true } });
    expect(report.issues.map(({ code }) => code)).not.toContain('CLIP_EMPTY');
    const file = await openBytes(concatParts(outputs[0].parts), { name: 'out.usdc' });
    const { asset } = file;
    expect(asset.clips.map(({ name }) => name)).toEqual(['walk']);
    const { names } = asset.skeletons[0].skeleton;
    const moved = asset.clips[0].clips[0].tracks.map(({ target, path }) => `${names[target]} ${path}`);
    expect(moved).toEqual(expect.arrayContaining(['mixamorig:Hips translation', 'mixamorig:LeftArm rotation']));
    const { nodes, instances, skins, meshes } = await geometryIn(file);
    const holders = instances.map(({ node, skin, mesh }) => {
      const [{ influences }] = meshes[mesh].primitives;
      return nodes.names[skin < 0 ? node : skins[skin].joints[influences!.indices[0]]];
    });
    expect(holders.sort()).toEqual(['mixamorig:Head', 'mixamorig:LeftHand']);
  });
});

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const SKIN: Texture = {
  name: 'skin',
  image: PNG,
  mimeType: 'image/png',
  wrapU: 'repeat',
  wrapV: 'repeat',
  magFilter: null,
  minFilter: null,
};
const DESTINATIONS = (['usdc', 'usdz'] as const).map((format): { path: string; format: UsdFormat } => {
  return { path: `out/walker.${format}`, format };
});

describe('usdCharacterFiles', () => {
  it('writes a character with its clips, and its images next to it or in a package', async () => {
    const file = { ...(await openDemo('walk.glb')), name: 'in/my walk.glb' };
    const shown = (await geometryOf(file))!.geometry;
    const baseColorTexture = { texture: 0, uvSet: 0, transform: null };
    const materials = shown.materials.map((material) => ({ ...material, baseColorTexture }));
    const geometry: Geometry = { ...shown, textures: [SKIN], materials };
    const { part, humanoid } = chooseHumanoid(file, 'only', {}).found!;
    const animations = file.asset.clips.map((clip) => mergeSkeletonClips(clip, file.asset.skeletons));
    for (const destination of DESTINATIONS) {
      const issues: Issue[] = [];
      const files = usdCharacterFiles({ file, geometry, part, humanoid }, animations, destination, issues);
      const main = concatParts(files[files.length - 1].parts);
      const written = await openBytes(main, { name: destination.path });
      const { asset } = written;
      const { stage, layer } = usdSourceOf(written);
      expect(stage.prims[0].path).toBe('/my_walk');
      expect(asset).toMatchObject({ metersPerUnit: 1, up: [0, 1, 0] });
      expect(asset.clips.map(({ name }) => name)).toEqual(['walk']);
      const [path] = attributeAssets(layer);
      if (destination.format === 'usdz') {
        expect(files.map((one) => one.path)).toEqual([destination.path]);
        expect(readUsdz(main).entries.map(({ name }) => name)).toEqual(['walker.usdc', path.replace('./', '')]);
      } else expect(files.map((one) => one.path)).toEqual([`out/${path.replace('./', '')}`, destination.path]);
    }
  });
});

describe('usdMotionFiles', () => {
  it('writes an animated skeleton without visible content', async () => {
    const file = await openDemo('turn.bvh');
    const [part] = file.asset.skeletons;
    const { humanoid } = chooseHumanoid(file, 'only', {}).found!;
    const clips = file.asset.clips.map(({ clips: [clip] }) => ({ ...clip, name: 'turn' }));
    for (const destination of DESTINATIONS) {
      const issues: Issue[] = [];
      const files = usdMotionFiles(file, part.skeleton, humanoid, clips, destination, issues);
      expect([files.map(({ path }) => path), issues]).toEqual([[destination.path], []]);
      const made = await openBytes(concatParts(files[0].parts), { name: destination.path });
      expect(made.asset).toMatchObject({ metersPerUnit: 0.01, clips: [{ name: 'turn' }] });
      expect(made.asset.skeletons[0].skeleton.names).toEqual(expect.arrayContaining([...part.skeleton.names]));
      expect((await geometryOf(made))?.geometry.instances).toEqual([]);
    }
  });
});

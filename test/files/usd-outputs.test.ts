import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../src/core/asset/geometry.ts';
import { MIXAMO_RIG } from '../../src/demo/rigs.ts';
import { convertFile } from '../../src/files/convert-file.ts';
import { geometryOf } from '../../src/files/geometry.ts';
import { type OpenFile, openBytes } from '../../src/files/open.ts';
import { retargetMotions } from '../../src/files/retarget-motions.ts';
import { concatParts } from '../../src/formats/gltf/glb.ts';
import { openDemo } from '../make/demo-files.ts';
import { gltfOfBodies } from '../make/two-bodies.ts';

const TRIANGLE = Float32Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0);

/** A doll of stiff parts: a triangle at the head, one at the left hand, and no skin. */
async function openDoll(): Promise<OpenFile> {
  const json = JSON.parse(gltfOfBodies([MIXAMO_RIG])) as { nodes: { name: string; mesh?: number }[] };
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

describe('a humanoid of stiff parts', () => {
  it('has joints as USD, so that motions can be put on it', async () => {
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

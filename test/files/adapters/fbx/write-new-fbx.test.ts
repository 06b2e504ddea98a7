import { describe, expect, it } from 'vitest';
import { glbBytes } from '../../../../src/demo/files/glb.ts';
import { geometryOf } from '../../../../src/files/geometry.ts';
import { type ConvertOptions, convertFile } from '../../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../../../src/files/open.ts';
import type { OpenFile } from '../../../../src/files/open-file.ts';
import { createStandardRig } from '../../../../src/files/standard-rig.ts';
import { readProperties } from '../../../../src/formats/fbx/document/object-properties.ts';
import { parseFbx } from '../../../../src/formats/fbx/document/parse-fbx.ts';
import { readScene } from '../../../../src/formats/fbx/nodes/fbx-scene.ts';
import { readFbx } from '../../../../src/formats/fbx/read-fbx.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import { concatParts } from '../../../../src/formats/gltf/document/parts.ts';
import { parseGltf } from '../../../../src/formats/gltf/index.ts';
import { demoBytes, openDemo } from '../../../support/make/demo-files.ts';
import { richVrm0 } from '../../../support/make/rich-vrm0.ts';

async function written(file: OpenFile, options: Partial<ConvertOptions>) {
  const { outputs } = await convertFile(file, { output: 'out/hero.fbx', ...options });
  const files = new Map(outputs.map(({ path, parts }) => [path, concatParts(parts)]));
  const bytes = files.get('out/hero.fbx')!;
  const objects = [...readScene(parseFbx(bytes), []).objects.values()];
  return { outputs, files, bytes, objects };
}

/** `PreRotation` and `Lcl Rotation` of a Model; undefined where it has none. */
function turnsOf({ objects }: Awaited<ReturnType<typeof written>>, name: string) {
  const found = objects.find((object) => object.kind === 'Model' && object.name === name)!;
  const values = readProperties(found.record);
  return [values.get('PreRotation'), values.get('Lcl Rotation')];
}

describe('a new FBX', () => {
  it('rests in a T-pose with joint orient, or as the character with rotations', async () => {
    const hero = await openDemo('mixamo.glb');
    const [orient, turn] = turnsOf(await written(hero, {}), 'mixamorig:LeftArm');
    expect(turn).toEqual([0, 0, 0]);
    const kept = turnsOf(await written(hero, { rest: 'keep' }), 'mixamorig:LeftArm');
    expect(kept[0]).toBeUndefined();
    // The character of the demo rests in a T-pose.
    for (const [c, value] of kept[1]!.entries()) expect(value).toBeCloseTo(Number(orient![c]), 3);
  });

  it('has an uneven scale at the joint of the source in its T-pose, also where the mesh was bound without it', async () => {
    const { json, ...rest } = parseGltf(demoBytes('mixamo.glb'));
    const nodes = (json['nodes'] as JsonObject[]).map((node) =>
      node['name'] === 'mixamorig:Spine1' ? { ...node, scale: [1.2, 1, 1] } : node,
    );
    const hero = await openBytes(glbBytes({ ...rest, json: { ...json, nodes } }), { name: 'wide.glb' });
    const { skeleton } = readFbx((await written(hero, {})).bytes).skeletons[0];
    const scales = (name: string) => {
      const at = 10 * skeleton.names.indexOf(name) + 7;
      return Array.from(skeleton.rest.subarray(at, at + 3), (x) => Math.round(1e6 * x) / 1e6);
    };
    expect(scales('mixamorig:Hips')).toEqual([1, 1, 1]);
    expect(scales('mixamorig:Spine1')).toEqual([1.2, 1, 1]);
  });

  it('keeps hips that move off the tail of the root bone, where Blender would hold them', async () => {
    const options = { output: 'out.fbx', mesh: false, contacts: 'off' } as const;
    const { outputs } = await retargetMotions([await openDemo('walk.glb')], createStandardRig('unity'), options);
    const { skeleton } = readFbx(Buffer.concat(outputs[0].parts)).skeletons[0];
    const at = 10 * skeleton.names.indexOf('Hips');
    const [x, y, z] = skeleton.rest.subarray(at, at + 3);
    expect(x / y).toBeGreaterThan(4e-6);
    expect(x / y).toBeLessThan(1e-5);
    expect(z).toBeCloseTo(0, 6);
  });

  it.each(['LINEAR', 'CUBICSPLINE'])(
    'leaves joints whose translation is constant at the tail: %s',
    async (interpolation) => {
      const key = interpolation === 'LINEAR' ? [0, 1, 0] : [0, 0, 0, 0, 1, 0, 0, 0, 0];
      const data = Buffer.from(Float32Array.of(0, 1, ...key, ...key).buffer);
      const accessor = (byteOffset: number, count: number, type: string) => ({
        bufferView: 0,
        byteOffset,
        componentType: 5126,
        count,
        type,
        ...(type === 'SCALAR' ? { min: [0], max: [1] } : {}),
      });
      const json = {
        asset: { version: '2.0' },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [
          { name: 'root', children: [1] },
          { name: 'hips', translation: [0, 1, 0] },
        ],
        buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
        bufferViews: [{ buffer: 0, byteLength: data.length }],
        accessors: [accessor(0, 2, 'SCALAR'), accessor(8, (2 * key.length) / 3, 'VEC3')],
        animations: [
          {
            samplers: [{ input: 0, output: 1, interpolation }],
            channels: [{ sampler: 0, target: { node: 1, path: 'translation' } }],
          },
        ],
      };
      const file = await openBytes(Buffer.from(JSON.stringify(json)), { name: 'a.gltf' });
      const { outputs } = await convertFile(file, { output: 'a.fbx' });
      const { skeleton } = readFbx(Buffer.concat(outputs[0].parts)).skeletons[0];
      const at = 10 * skeleton.names.indexOf('hips');
      expect([...skeleton.rest.subarray(at, at + 3)]).toEqual([0, 100, 0]);
    },
  );

  it('has its images in a folder of the SDK beside it, and reads them there', async () => {
    const document = richVrm0();
    for (const material of document.json['materials'] as JsonObject[])
      material['pbrMetallicRoughness'] = { baseColorTexture: { index: 0 } };
    const hero = await openBytes(glbBytes(document), { name: 'hero.vrm' });
    const { geometry } = (await geometryOf(hero))!;
    const embedded = await written(hero, {});
    expect(embedded.outputs.map(({ path }) => path)).toEqual(['out/hero.fbx']);
    const beside = await written(hero, { textures: 'beside' });
    const images = beside.outputs.filter(({ isDependency }) => isDependency);
    expect(images.length).toBeGreaterThan(0);
    for (const { path } of images) expect(path).toMatch(/^out\/hero\.fbm\/[^/]+\.png$/);
    expect(beside.bytes.length).toBeLessThan(embedded.bytes.length);
    const readResource = async (path: string): Promise<Uint8Array> => beside.files.get(`out/${path}`)!;
    const again = await openBytes(beside.bytes, { name: 'hero.fbx', readResource });
    const found = (await geometryOf(again))!;
    expect(found.issues).toEqual([]);
    const known = geometry.textures.map(({ image }) => [...image]);
    for (const { image } of found.geometry.textures) expect(known).toContainEqual([...image]);
    expect(found.geometry.textures.length).toBe(images.length);
  });
});

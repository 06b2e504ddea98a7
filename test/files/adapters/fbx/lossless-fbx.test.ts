import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clip } from '../../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../../src/core/animation/sample.ts';
import * as quat from '../../../../src/core/math/quat.ts';
import * as vec3 from '../../../../src/core/math/vec3.ts';
import { localToModelMatrices, localToModelRotations } from '../../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { findHumanoid } from '../../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../../src/files/jobs/convert-file.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../../../src/files/jobs/retarget-motions.ts';
import { openBytes } from '../../../../src/files/open.ts';
import type { OpenFile } from '../../../../src/files/open-file.ts';
import { parseFbx } from '../../../../src/formats/fbx/document/parse-fbx.ts';
import { recordIn } from '../../../../src/formats/fbx/document/records.ts';
import { readScene } from '../../../../src/formats/fbx/nodes/fbx-scene.ts';
import { fbxBinary, rec } from '../../../formats/fbx/fbx-bytes.ts';
import { model, treeOf } from '../../../formats/fbx/fbx-scene.ts';
import { fbxText } from '../../../formats/fbx/fbx-text.ts';
import { asset, HAS_ASSETS } from '../../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../../support/law-runs.ts';
import { walkFbx } from '../../../support/make/demo-fbx.ts';
import { openDemo } from '../../../support/make/demo-files.ts';

const BODY = 'test/external/oracle/fbx-meshes/body.fbx';

const open = (bytes: Uint8Array, images: Readonly<Record<string, Uint8Array>> = {}): Promise<OpenFile> =>
  openBytes(bytes, {
    name: 'hero.fbx',
    readResource: async (path) => {
      if (images[path] === undefined) throw new Error('missing');
      return images[path];
    },
  });

describe('FBX written as FBX', () => {
  it('keeps the bytes of a file that is not changed', async () => {
    const bytes = new Uint8Array(readFileSync(BODY));
    const { outputs } = await convertFile(await open(bytes), { output: 'out/hero.fbx' });
    expect(outputs.map(({ path }) => path)).toEqual(['out/hero.fbx']);
    expect(Buffer.concat(outputs[0].parts).equals(bytes)).toBe(true);
  });

  it.runIf(IS_FULL_RUN)(
    'has the keys of the file and no more in a clip of 12 minutes, where key times are coarse',
    async () => {
      const frames = 12 * 60 * 30;
      const swing = (k: number, degrees: number, phase: number) => (degrees * Math.sin(k / 5 + phase)).toFixed(6);
      const lines = Array.from(
        { length: frames },
        (_, k) => `0 100 0 ${swing(k, 50, 0)} ${swing(k, 30, 2)} ${swing(k, 20, 4)}`,
      );
      const bvh = `HIERARCHY
ROOT Hips { OFFSET 0 100 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation End Site { OFFSET 0 50 0 } }
MOTION
Frames: ${frames}
Frame Time: 0.03333333333
${lines.join('\n')}
`;
      const file = await openBytes(new TextEncoder().encode(bvh), { name: 'long.bvh' });
      const { outputs } = await convertFile(file, { output: 'long.fbx' });
      const { clips } = (await open(Buffer.concat(outputs[0].parts))).asset.clips[0];
      const rotation = clips[0].tracks.find(({ path }) => path === 'rotation');
      expect(rotation?.times.length).toBeGreaterThan(frames / 2);
      expect(rotation?.times.length).toBeLessThanOrEqual(frames);
    },
  );

  it('becomes text with the option ascii, and binary without it', async () => {
    const binary = walkFbx('binary', { fps: 4 });
    const text = await convertFile(await open(binary), { output: 'hero.fbx', ascii: true });
    const textBytes = Buffer.concat(text.outputs[0].parts);
    expect(textBytes.toString('utf8', 0, 30)).toMatch(/^; FBX 7\.\d\.0 project file/);
    const again = await convertFile(await open(textBytes), { output: 'hero.fbx' });
    const tree = parseFbx(Buffer.concat(again.outputs[0].parts));
    expect(tree.encoding).toBe('binary');
    const { skeletons } = (await open(Buffer.concat(again.outputs[0].parts))).asset;
    expect(skeletons).toEqual((await open(binary)).asset.skeletons);
  });

  it('gets a motion beside its own clips, or instead of them', async () => {
    const character = await open(new Uint8Array(walkFbx('binary', { fps: 4 })));
    const motion = await openDemo('turn.bvh');
    const clipsAfter = async (replace: boolean): Promise<[string[], string | null]> => {
      const options = { output: 'out.fbx', replace, contacts: 'off' } as const;
      const { outputs, report } = await retargetMotions([motion], character, options);
      const { asset } = await open(Buffer.concat(outputs[0].parts));
      return [asset.clips.map(({ name }) => name), report.firstClip];
    };
    const [own] = character.asset.clips.map(({ name }) => name);
    expect(await clipsAfter(false)).toEqual([[own, 'turn'], own]);
    expect(await clipsAfter(true)).toEqual([['turn'], 'turn']);
  });

  it('takes the images along that it names and that are there', async () => {
    const textures = ['skin.png', 'gone.png'].map((name, k) =>
      rec('Texture', [50 + k, `${name}\0\x01Texture`, ''], [rec('RelativeFilename', [`images\\${name}`])]),
    );
    const objects = [model(1, 'Hips', 'LimbNode'), model(2, 'Spine', 'LimbNode'), ...textures];
    const connections = [
      [1, 0],
      [2, 1],
    ] as const;
    const bytes = fbxBinary(treeOf({ objects, connections }));
    const image = Uint8Array.of(1, 2, 3);
    const file = await open(bytes, { 'images/skin.png': image });
    const { outputs } = await convertFile(file, { output: 'out/hero.fbx' });
    expect(outputs.map(({ path }) => path)).toEqual(['out/images/skin.png', 'out/hero.fbx']);
    expect(outputs[0].parts).toEqual([image]);
  });

  it('keeps a file of FBX 6 unchanged', async () => {
    const objects = [rec('Model', ['Model::Hips', 'Limb']), rec('Model', ['Model::Spine', 'Limb'])];
    const lines = [
      rec('Connect', ['OO', 'Model::Hips', 'Model::Scene']),
      rec('Connect', ['OO', 'Model::Spine', 'Model::Hips']),
    ];
    const header = rec('FBXHeaderExtension', [], [rec('FBXVersion', [6100])]);
    const records = [header, rec('Objects', [], objects), rec('Connections', [], lines)];
    const text = new TextEncoder().encode(fbxText({ version: 6100, records }));
    const { outputs } = await convertFile(await open(text), { output: 'hero.fbx', ascii: true });
    expect(Buffer.concat(outputs[0].parts).equals(text)).toBe(true);
  });
});

/** Counts the curves that animation stacks play, and their keys; curves without a stack are left over from edits. */
function countCurves(bytes: Uint8Array): { curves: number; keys: number; bytes: number } {
  const { objects, parentConnections } = readScene(parseFbx(bytes), []);
  let curves = 0;
  let keys = 0;
  for (const { id, kind, record } of objects.values()) {
    if (kind !== 'AnimationCurve' || !parentConnections.has(id)) continue;
    curves++;
    keys += (recordIn(record.records, 'KeyTime')!.properties[0] as BigInt64Array).length;
  }
  return { curves, keys, bytes: bytes.length };
}

const IN_OWN_FILE = sampledCases(['mixamo_Walking', 'mobu2017_cmu_85_04_cliponly']);

describe.skipIf(!HAS_ASSETS).each(IN_OWN_FILE)('%s in its own file', (name) => {
  let bytes: Uint8Array;
  let file: OpenFile;
  beforeAll(async () => {
    bytes = new Uint8Array(readFileSync(asset('assets', 'fbx', `${name}.fbx`)));
    file = await open(bytes);
  });
  const counts = async (options: Partial<RetargetMotionsOptions>) => {
    const { outputs } = await retargetMotions([file], file, { output: 'out.fbx', contacts: 'off', ...options });
    return [countCurves(bytes), countCurves(Buffer.concat(outputs[0].parts))];
  };

  it('has no more curves and at most 1.1 times the keys', async () => {
    const [before, after] = await counts({ replace: true });
    expect(after.curves).toBeLessThanOrEqual(before.curves);
    expect(after.keys / before.keys).toBeLessThan(1.1);
  });

  it('as a new file with the motion alone has at most 1.1 times the keys and 1.2 times the bytes', async () => {
    const [before, after] = await counts({ mesh: false });
    expect(after.curves).toBeLessThanOrEqual(before.curves);
    expect(after.keys / before.keys).toBeLessThan(1.1);
    expect(after.bytes / before.bytes).toBeLessThan(1.2);
  });

  it('has its joints within 1e-5 of the height and 0.005° at 60 times, most of them between keys', async () => {
    const { outputs } = await convertFile(file, { output: 'out.fbx', edits: { speed: 2 } });
    const [clip, fast] = [file.asset.clips[0], (await open(Buffer.concat(outputs[0].parts))).asset.clips[0]];
    const { skeleton } = file.asset.skeletons[0];
    const { height, metersPerUnit } = findHumanoid(file).humanoid;
    let [far, turned] = [0, 0];
    for (let k = 0; k < 60; k++) {
      const time = ((k + 0.37) / 60) * fast.duration;
      const [a, b] = [worldsAt(skeleton, clip.clips[0], 2 * time), worldsAt(skeleton, fast.clips[0], time)];
      for (const node of skeleton.parents.keys()) {
        far = Math.max(far, vec3.distance(a.matrices, 16 * node + 12, b.matrices, 16 * node + 12));
        turned = Math.max(turned, quat.angleBetween(a.rotations, 4 * node, b.rotations, 4 * node));
      }
    }
    expect((far * metersPerUnit) / height).toBeLessThan(1e-5);
    expect((turned * 180) / Math.PI).toBeLessThan(0.005);
  });
});

function worldsAt({ parents, rest }: Skeleton, clip: Clip, time: number) {
  const pose = Float64Array.from(rest);
  sampleClip(clip, time, pose);
  const matrices = new Float64Array(16 * parents.length);
  const rotations = new Float64Array(4 * parents.length);
  localToModelMatrices(matrices, parents, pose);
  localToModelRotations(rotations, parents, pose);
  return { matrices, rotations };
}

import { readFileSync } from 'node:fs';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { geometryOf } from '../../../src/files/geometry.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { animation } from '../../formats/fbx/fbx-animation.ts';
import { fbxBinary } from '../../formats/fbx/fbx-bytes.ts';
import { clusterRecords, deformer, mesh, polygonRecords, SQUARE } from '../../formats/fbx/fbx-mesh.ts';
import { model, moved, treeOf } from '../../formats/fbx/fbx-scene.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { documentOf } from '../../support/make/opened.ts';
import { measurePoseError } from '../../support/reference/pose-error.ts';
import { HIPS_RATIO, POSE_DEGREES } from '../../support/tolerances.ts';

const joined = ({ parts }: OutputFile): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** A square skinned to two limbs, of which the upper one rotates; +Z up, centimeters. */
function heldSquare(): Uint8Array {
  const turn = { model: 2, property: 'Lcl Rotation', curves: [{ times: [0, 1], values: [0, 90] }, null, null] };
  const moves = animation([{ name: 'bend', layers: [{ channels: [turn] }] }]);
  const tree = treeOf({
    settings: { UpAxis: [2], UpAxisSign: [1], UnitScaleFactor: [1] },
    objects: [
      model(1, 'low', 'LimbNode'),
      model(2, 'high', 'LimbNode', { 'Lcl Translation': [0, 0, 100] }),
      model(3, 'Square', 'Mesh'),
      mesh(4, polygonRecords(SQUARE.points, SQUARE.polygons)),
      deformer(5, 'Skin'),
      deformer(6, 'Cluster', clusterRecords([0, 1], [1, 1], { TransformLink: moved(0, 0, 0) })),
      deformer(7, 'Cluster', clusterRecords([2, 3], [1, 1], { TransformLink: moved(0, 0, 100) })),
      ...moves.objects,
    ],
    connections: [[1, 0], [2, 1], [3, 0], [4, 3], [5, 4], [6, 5], [7, 5], [1, 6], [2, 7], ...moves.connections],
  });
  return fbxBinary(tree);
}

describe('convertFile: FBX with a mesh', () => {
  it('writes a glTF with its skin and its clip, in meters and upright', async () => {
    const file = await openBytes(heldSquare(), { name: 'square.fbx' });
    const { report, outputs } = await convertFile(file, { output: 'out/square.glb' });
    expect(report).toMatchObject({ ok: true, output: 'out/square.glb', clips: [{ name: 'bend' }] });
    const bytes = joined(outputs[0]);
    const { issues } = await validateBytes(bytes);
    expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0]);
    const written = await openBytes(bytes);
    const { geometry } = (await geometryOf(written))!;
    expect([geometry.meshes.length, geometry.skins.length]).toEqual([1, 1]);
    const { names, rest } = geometry.nodes;
    const high = names.indexOf('high');
    expect([...rest.subarray(10 * high, 10 * high + 3)].map((value) => Math.round(value * 1000) / 1000)).toEqual([
      0, 0, 1,
    ]);
    expect(written.asset.clips.map(({ name }) => name)).toEqual(['bend']);
  });

  it('writes only the skeleton with `mesh: false` and in formats without meshes', async () => {
    for (const [output, mesh] of [
      ['a.glb', false],
      ['a.bvh', true],
    ] as const) {
      const { outputs } = await convertFile(await openBytes(heldSquare(), { name: 'a.fbx' }), { output, mesh });
      const written = await openBytes(joined(outputs[0]));
      expect(written.asset.skeletons).toHaveLength(1);
      if (written.format === 'gltf') expect(written.document.json['meshes']).toBeUndefined();
      else expect(written.format).toBe('bvh');
    }
  });
});

describe('convertFile: FBX without a mesh', () => {
  it('writes a skeleton with its clip', async () => {
    const { report, outputs } = await convertFile(await openBytes(walkFbx(), { name: 'walk.fbx' }), {
      output: 'a.glb',
    });
    expect(report).toMatchObject({ ok: true, clips: [{ name: 'walk' }] });
    expect(documentOf(await openBytes(joined(outputs[0]))).json['meshes']).toBeUndefined();
  });

  it('throws as the character of retargetMotions with a mesh', async () => {
    const character = await openBytes(walkFbx(), { name: 'walk.fbx' });
    await expect(retargetMotions([await openDemo('wave.vrma')], character, { output: 'a.glb' })).rejects.toThrow(
      OptionError,
    );
  });
});

describe.skipIf(!HAS_ASSETS)('retargetMotions: FBX character', () => {
  const open = async (name: string): Promise<OpenFile> => {
    return openBytes(readFileSync(asset('assets/fbx', name)), { name });
  };

  it('adds a motion to its own clips, with a pose error below the tolerance', async () => {
    const motion = await openDemo('walk.glb');
    const character = await open('ufbx_maya_kenney_character_7700_binary.fbx');
    const options = { output: 'a.glb', contacts: 'off' } as const;
    const { report, outputs } = await retargetMotions([motion], character, options);
    expect(report.ok).toBe(true);
    const bytes = joined(outputs[0]);
    expect((await validateBytes(bytes)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
    const written = await openBytes(bytes, { name: 'a.glb' });
    expect(written.asset.clips.map(({ name }) => name)).toEqual(['walk', 'Take 001']);
    const [from, to] = [chooseHumanoid(motion, 'only', {}).found!, chooseHumanoid(written, 'only', {}).found!];
    const clips = [motion.asset.clips[0].clips[from.index], written.asset.clips[0].clips[to.index]] as const;
    const { worldDelta, hipsHeight } = measurePoseError(from.humanoid, clips[0], to.humanoid, clips[1], { fps: 30 });
    expect(worldDelta.max).toBeLessThan(POSE_DEGREES);
    expect(hipsHeight).toBeLessThan(HIPS_RATIO);
  });

  it('drops its own clips with `replace`', async () => {
    const character = await open('ufbx_maya_kenney_character_7700_binary.fbx');
    const { outputs } = await retargetMotions([await openDemo('walk.glb')], character, {
      output: 'a.glb',
      replace: true,
    });
    expect((await openBytes(joined(outputs[0]))).asset.clips.map(({ name }) => name)).toEqual(['walk']);
  });
});

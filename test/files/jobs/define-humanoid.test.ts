import { describe, expect, it } from 'vitest';
import { BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import { CANONICAL_FRAMES } from '../../../src/core/humanoid/canonical-frames.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import * as quat from '../../../src/core/math/quat.ts';
import { chooseHumanoid } from '../../../src/files/humanoid/find-humanoid.ts';
import { type DefineOptions, defineHumanoid } from '../../../src/files/jobs/define-humanoid.ts';
import { type OpenFile, openBytes } from '../../../src/files/open.ts';
import { concatParts, parseGltf } from '../../../src/formats/gltf/index.ts';
import { defined, momentsOf, nodesOf, vertexError } from '../../external/oracle/defined.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { demoBytes, openDemo } from '../../support/make/demo-files.ts';
import { glbOf } from '../../support/make/glb.ts';
import { documentOf } from '../../support/make/opened.ts';
import { CANONICAL_AXES, DEFINED_VERTICES, T_POSE_DEGREES } from '../../support/tolerances.ts';

const CHARACTERS = ['mixamo.glb', 'unreal.glb', 'blender.glb', 'odd-axes.glb', 'giant.glb', 'fighter.glb', 'walk.glb'];

function axesError({ map, reference }: Humanoid): number {
  let worst = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] < 0) continue;
    worst = Math.max(worst, quat.angleBetween(reference.rotations, 4 * bone, CANONICAL_FRAMES, 4 * bone));
  }
  return worst;
}

/** Returns the issue codes of a job. */
async function codesOf(name: string, options: Partial<DefineOptions> = {}): Promise<string[]> {
  const output = name.endsWith('.vrm') ? 'out.vrm' : 'out.glb';
  const { report } = await defineHumanoid(await openDemo(name), { output, ...options });
  return report.issues.map(({ code }) => code);
}

describe('defineHumanoid', () => {
  it.each(CHARACTERS)('gives %s canonical axes without changing how its clips look', async (name) => {
    const result = await defined(demoBytes(name), { axes: true });
    expect(await vertexError(result, momentsOf(result.before, 2, [0, 0.37, 0.91]))).toBeLessThan(DEFINED_VERTICES);
    // The humanoid that is found without the definition has these axes too.
    const bare = parseGltf(result.bytes.after);
    delete bare.json['extensions'];
    const again: OpenFile = { ...result.after, format: 'gltf', document: bare };
    const { found } = chooseHumanoid(again, 'only', {
      map: result.report.definition?.humanoidBones ?? {},
      pose: 'node',
    });
    expect(found).not.toBeNull();
    const tPose = await defined(demoBytes(name), { axes: true, tPose: true });
    const map = tPose.report.definition?.humanoidBones ?? {};
    const posed =
      chooseHumanoid(tPose.after, 'only', { map, pose: 'bind' }).found ??
      chooseHumanoid(tPose.after, 'only', { map, pose: 'node' }).found;
    expect(axesError(posed?.humanoid as Humanoid)).toBeLessThan(CANONICAL_AXES);
    for (const degrees of Object.values(posed?.humanoid.reference.deviationDegrees ?? {})) {
      expect(degrees).toBeLessThan(T_POSE_DEGREES);
    }
  });

  it('adds only the definition without options', async () => {
    const bytes = demoBytes('unreal.glb');
    const { after, report } = await defined(bytes, {});
    const before = parseGltf(bytes);
    const { json } = documentOf(after);
    const { extensions, extensionsUsed, ...rest } = json;
    const { extensions: _old, extensionsUsed: _used, ...oldRest } = before.json;
    expect(rest).toEqual(oldRest);
    expect(documentOf(after).bin).toEqual(before.bin);
    expect((extensions as Record<string, unknown>)['EXT_skeleton_humanoid']).toBeDefined();
    expect(extensionsUsed).toContain('EXT_skeleton_humanoid');
    expect(report.definition).toMatchObject({ index: 0, wrappedBones: [], axes: false, tPose: false, bakedMeshes: 0 });
    expect(report.issues.map(({ code }) => code)).toContain('DEFINE_AXES');
  });

  it('keeps a VRM 0.x facing −Z, parented to a root node in whose space it faces +Z', async () => {
    const { after, report } = await defined(demoBytes('chibi.vrm'), { axes: true, tPose: true }, true);
    const extensions = documentOf(after).json['extensions'] as Record<string, unknown>;
    expect(Object.keys(extensions).sort()).toEqual(['EXT_skeleton_humanoid', 'VRM']);
    const root = nodesOf(documentOf(after))[report.definition?.rootNode as number];
    const [x, y, z, w] = root['rotation'] as number[];
    expect([Math.hypot(x, z, w), Math.abs(y)].map((value) => Number(value.toFixed(9)))).toEqual([0, 1]);
    expect(chooseHumanoid(after, 'only', {}).found?.humanoid.frame[1]).toBeCloseTo(1, 9);
    expect(report.issues.map(({ code }) => code)).toEqual(expect.arrayContaining(['DEFINE_ROOT_ADDED', 'DEFINE_VRM0']));
  });

  it('keeps the root node of a VRM 1.0 without a rotation', async () => {
    const { after, report } = await defined(demoBytes('child.vrm'), { axes: true, tPose: true }, true);
    expect(after.asset.format).toBe('vrm1');
    expect(nodesOf(documentOf(after))[report.definition?.rootNode as number]['rotation'] ?? [0, 0, 0, 1]).toEqual([
      0, 0, 0, 1,
    ]);
  });

  it('converts an FBX to GLB first', async () => {
    const file = await openBytes(walkFbx(), { name: 'walk.fbx' });
    const { report, outputs } = await defineHumanoid(file, { output: 'walk.glb', axes: true, tPose: true });
    expect(report).toMatchObject({ ok: true, format: 'fbx', output: 'walk.glb' });
    const after = await openBytes(concatParts(outputs[0].parts), { name: 'walk.glb' });
    expect(after.asset.clips).toHaveLength(1);
    // The GLB of an FBX without a mesh has a skin of all nodes.
    expect(report.definition?.newJoints).toEqual([]);
    const map = report.definition?.humanoidBones ?? {};
    expect(axesError(chooseHumanoid(after, 'only', { map, pose: 'node' }).found?.humanoid as Humanoid)).toBeLessThan(
      CANONICAL_AXES,
    );
  });

  it('straightens the spine only with `strict`', async () => {
    const lean = async (strict: boolean): Promise<number> => {
      const { after, report } = await defined(demoBytes('mixamo.glb'), { tPose: true, strict });
      const { positions } = chooseHumanoid(after, 'only', { map: report.definition?.humanoidBones ?? {}, pose: 'node' })
        .found!.humanoid.reference;
      const spine = [3, 4, 5].map((c) => positions[c]);
      // head is the sixth bone
      const head = [15, 16, 17].map((c) => positions[c]);
      return Math.hypot(head[0] - spine[0], head[2] - spine[2]);
    };
    expect(await lean(false)).toBeGreaterThan(1e-3);
    expect(await lean(true)).toBeLessThan(1e-6);
  });

  it('reports the rules that the output does not meet', async () => {
    expect(await codesOf('mixamo.glb')).toContain('DEFINE_AXES');
    const done = await codesOf('mixamo.glb', { axes: true, tPose: true });
    expect(done).not.toContain('DEFINE_AXES');
    expect(done).not.toContain('DEFINE_POSE_NOT_T');
  });

  it('writes nothing for a file that is not humanoid, and reports why', async () => {
    const glb = glbOf({ asset: { version: '2.0' }, nodes: [{ name: 'box', children: [1] }, { name: 'lid' }] });
    const { report, outputs } = await defineHumanoid(await openBytes(glb, { name: 'box.glb' }), { output: 'out.glb' });
    expect([report.ok, report.output, report.definition, outputs]).toEqual([false, null, null, []]);
    expect(report.issues.map(({ code }) => code)).toContain('NOT_HUMANOID');
  });

  it.each([
    ['out.bvh', {}, /\.bvh file holds no character/],
    ['out.vrm', {}, /not VRM/],
    ['out.glb', { strict: true }, /straighten the spine of the T-pose/],
  ] as const)('throws for %s with %o', async (output, options, message) => {
    await expect(defineHumanoid(await openDemo('unreal.glb'), { output, ...options })).rejects.toThrow(message);
  });
});

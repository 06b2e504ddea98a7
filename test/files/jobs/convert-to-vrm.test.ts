import { describe, expect, it } from 'vitest';
import { BONE, REQUIRED_BONES } from '../../../src/core/humanoid/bones.ts';
import { type ConvertToVrmOptions, convertToVrm } from '../../../src/files/jobs/convert-to-vrm.ts';
import { openBytes } from '../../../src/files/open.ts';
import type { GltfFile } from '../../../src/files/open-file.ts';
import { OptionError } from '../../../src/files/option-error.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { concatParts, parseGltf, readGltf } from '../../../src/formats/gltf/index.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { openDemo } from '../../support/make/demo-files.ts';
import { makeArkitGlb } from '../../support/make/face-vrm.ts';
import { vrm1Faults } from '../../support/make/vrm1-schema.ts';

const META = { name: 'Hero', authors: ['Jane'], licenseUrl: 'https://vrm.dev/licenses/1.0/' };

/** The VRM that the job writes; null without an output. */
async function convertedBytes(
  file: Parameters<typeof convertToVrm>[0],
  options: Partial<ConvertToVrmOptions> = {},
): Promise<{ bytes: Uint8Array; codes: string[]; messages: string[]; ok: boolean }> {
  const { report, outputs } = await convertToVrm(file, { output: 'out.vrm', vrm: 1, meta: META, ...options });
  const bytes = concatParts(outputs.at(-1)?.parts ?? []);
  const messages = report.issues.map(({ message }) => message);
  return { bytes, codes: report.issues.map(({ code }) => code), messages, ok: report.ok };
}

const vrmOf = (bytes: Uint8Array): JsonObject =>
  (parseGltf(bytes).json['extensions'] as Record<string, JsonObject>)['VRMC_vrm'];

describe('convertToVrm', () => {
  it.each(['mixamo.glb', 'unreal.glb', 'odd-axes.glb'])(
    'makes a VRM 1.0 of %s: facing +Z, in a T-pose, in meters',
    async (name) => {
      const { bytes, ok } = await convertedBytes(await openDemo(name));
      expect(ok).toBe(true);
      const doc = parseGltf(bytes);
      expect(vrm1Faults(doc)).toEqual([]);
      expect(doc.json['extensionsUsed']).not.toContain('EXT_skeleton_humanoid');
      const { format, skeletons } = readGltf(doc);
      expect(format).toBe('vrm1');
      expect(vrmOf(bytes)['meta']).toEqual(META);
      // Arms and legs of the rest pose that the file declares.
      const [{ declared }] = skeletons;
      expect(REQUIRED_BONES.every((bone) => (declared?.nodes[BONE[bone]] ?? -1) >= 0)).toBe(true);
      const { describeFileHumanoid } = await import('../../../src/files/humanoid/describe-file-humanoid.ts');
      const file = (await openBytes(bytes, { name: 'out.vrm' })) as GltfFile;
      const { humanoid } = describeFileHumanoid(file, 0, { pose: 'declared' });
      for (const degrees of Object.values(humanoid!.reference.deviationDegrees)) expect(degrees).toBeLessThan(0.1);
      expect(Math.abs(humanoid!.ground)).toBeLessThan(1e-3);
    },
  );

  it('makes a VRM 0.x of a plain character: facing −Z, bones without rotations', async () => {
    const { bytes, ok, messages } = await convertedBytes(await openDemo('mixamo.glb'), { vrm: 0 });
    expect(ok).toBe(true);
    // The armature above the hips is rotated.
    expect(messages).toContainEqual(expect.stringMatching(/^1 bones .* keep a rotation/));
    const file = (await openBytes(bytes, { name: 'out.vrm' })) as GltfFile;
    expect([file.asset.format, file.asset.skeletons[0].declared?.facing]).toEqual(['vrm0', '-Z']);
    const { VRM } = file.document.json['extensions'] as Record<string, { meta: JsonObject; humanoid: JsonObject }>;
    expect(VRM.meta).toMatchObject({ title: 'Hero', author: 'Jane' });
    const nodes = file.document.json['nodes'] as JsonObject[];
    for (const { bone, node } of VRM.humanoid['humanBones'] as { bone: string; node: number }[]) {
      if (bone === 'hips') continue;
      const [x, y, z] = (nodes[node]['rotation'] ?? [0, 0, 0, 1]) as number[];
      expect(Math.hypot(x, y, z)).toBeLessThan(1e-6);
    }
  });

  it('makes expressions of morph targets, and look-at of expressions for a character without eyes', async () => {
    const { bytes } = await convertedBytes(await openBytes(makeArkitGlb({}), { name: 'arkit.glb' }));
    expect(vrm1Faults(parseGltf(bytes))).toEqual([]);
    const { expressions, lookAt } = vrmOf(bytes) as { expressions: Record<string, JsonObject>; lookAt: JsonObject };
    expect(Object.keys(expressions['preset'])).toEqual(
      expect.arrayContaining(['happy', 'blink', 'blinkLeft', 'aa', 'lookUp']),
    );
    const { morphTargetBinds } = expressions['preset']['blinkLeft'] as { morphTargetBinds: JsonObject[] };
    expect(morphTargetBinds).toEqual([expect.objectContaining({ weight: 1 })]);
    // A shape with a preset of its own is not listed twice.
    expect(expressions['custom']['eyeBlinkLeft']).toBeUndefined();
    expect(expressions['custom']['tongueOut']).toBeDefined();
    expect(lookAt['type']).toBe('expression');
  });

  it('makes a VRM 1.0 of an FBX', async () => {
    const { bytes, ok } = await convertedBytes(await openBytes(walkFbx(), { name: 'walk.fbx' }));
    expect(ok).toBe(true);
    expect(vrm1Faults(parseGltf(bytes))).toEqual([]);
  });

  it('names what is missing in the metadata', async () => {
    const { ok, codes, messages } = await convertedBytes(await openDemo('mixamo.glb'), { meta: { authors: 'Jane' } });
    expect(ok).toBe(false);
    expect(new Set(codes)).toEqual(new Set(['VRM_META_INVALID']));
    expect(messages.join(' ')).toMatch(/name is missing.*licenseUrl is missing.*authors is "Jane", expected a list/s);
  });

  it('converts a VRM 0.x, keeps a VRM 1.0, and reports clips that VRM players do not show', async () => {
    const old = await convertedBytes(await openDemo('chibi.vrm'), { meta: {} });
    expect(old.ok).toBe(true);
    expect(vrm1Faults(parseGltf(old.bytes))).toEqual([]);
    const same = await convertedBytes(await openDemo('child.vrm'), { meta: {} });
    expect(vrmOf(same.bytes)).toEqual(vrmOf((await convertedBytes(await openDemo('child.vrm'), { meta: {} })).bytes));
    expect((await convertedBytes(await openDemo('walk.glb'))).codes).toContain('VRM_CLIP_PLAYBACK');
  });

  it('throws for outputs that are not .vrm, and without a mesh', async () => {
    const file = await openDemo('chibi.vrm');
    await expect(convertToVrm(file, { output: 'a.glb', vrm: 1 })).rejects.toThrow(OptionError);
    await expect(convertToVrm(file, { output: 'a.vrm', vrm: 1, mesh: false })).rejects.toThrow(OptionError);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertFile } from '../../../src/files/jobs/convert-file.ts';
import { type RetargetMotionsOptions, retargetMotions } from '../../../src/files/jobs/retarget-motions.ts';
import { validateFile } from '../../../src/files/jobs/validate-file.ts';
import { openBytes } from '../../../src/files/open.ts';
import type { OutputFile } from '../../../src/files/outputs/output-file.ts';
import { createStandardRig } from '../../../src/files/standard-rig.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { IS_FULL_RUN, sampledCases } from '../../support/law-runs.ts';
import { walkFbx } from '../../support/make/demo-fbx.ts';
import { openDemo } from '../../support/make/demo-files.ts';

async function codesOf(name: string): Promise<string[]> {
  const { issues, isValid, format } = await validateFile(readFileSync(asset('assets', 'fbx', name)), { name });
  expect({ isValid, format }).toEqual({ isValid: true, format: 'fbx' });
  return issues
    .filter(({ severity }) => severity !== 'info')
    .map(({ code }) => code)
    .filter((code) => code !== 'RESOURCE_MISSING');
}

/** The codes of errors and warnings of the FBX among outputs. */
async function findingsIn(outputs: readonly OutputFile[]): Promise<string[]> {
  const { parts } = outputs.find(({ path }) => path.endsWith('.fbx'))!;
  const { issues } = await validateFile(new Uint8Array(Buffer.concat(parts)), { name: 'out.fbx' });
  return issues.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
}

describe.skipIf(!HAS_ASSETS || !IS_FULL_RUN)('validateFile of FBX files of other programs', () => {
  it.each([
    ['Mixamo', 'mixamo_Walking.fbx'],
    ['Maya LT, a skinned character', 'mayalt2017_Neo_skinned.fbx'],
    ['Maya, version 7.5', 'ufbx_maya_character_7500_binary.fbx'],
    ['Unity, as text', 'unity421_SOMA30_nulls_ascii.fbx'],
  ])('finds nothing wrong with a file of %s', async (_, name) => {
    expect(await codesOf(name)).toEqual([]);
  });

  it.each([
    ['the turned and scaled Armature of Blender', 'unirig_tira_blender42.fbx', ['FBX_NAME', 'FBX_ROOT_TRANSFORM']],
    ['a unit of one meter', 'ufbx_maya_human_ik_7400_binary.fbx', ['FBX_ROOT_TRANSFORM', 'FBX_UNIT']],
    ['keys outside of the declared range', 'ozz_pab_walk.fbx', ['FBX_HUMANOID', 'FBX_TAKE_CUT']],
    ['a body of 155 m', 'm2m_CMU_91_48.fbx', ['FBX_HUMANOID', 'FBX_ROOT_TRANSFORM', 'UNIT_IMPLAUSIBLE']],
  ])('reports %s', async (_, name, codes) => {
    const found = (await codesOf(name)).filter((code) => !code.startsWith('FBX_GEOMETRY'));
    expect([...new Set(found)].sort()).toEqual(codes);
  });
});

describe('FBX files that anyrig writes', () => {
  it.each(
    sampledCases<[string, string, boolean]>(
      [
        ['a VRM character', 'child.vrm', true],
        ['a GLB character', 'walk.glb', true],
        ['skeleton and clip of a VRM', 'child.vrm', false],
        ['skeleton and clip of a GLB', 'walk.glb', false],
      ],
      3,
    ),
  )('are what importers want: %s', async (_, character, mesh) => {
    const options = { output: 'out.fbx', mesh, contacts: 'off' } as const;
    const { outputs } = await retargetMotions([await openDemo('turn.bvh')], await openDemo(character), options);
    expect(await findingsIn(outputs)).toEqual([]);
  });

  it.each(sampledCases(['turn.bvh', 'walk.glb']))('are what importers want: %s, converted', async (name) => {
    expect(await findingsIn((await convertFile(await openDemo(name), { output: 'out.fbx' })).outputs)).toEqual([]);
  });

  it.each(sampledCases(['mixamo', 'unity', 'smplx', 'soma', 'vrm', 'ue5'] as const, 5))(
    'are what importers want, but for the pose that its convention rests in: %s',
    async (rig) => {
      const options = { output: 'out.fbx', mesh: false, contacts: 'off' } as const;
      const { outputs } = await retargetMotions([await openDemo('turn.bvh')], createStandardRig(rig), options);
      expect(await findingsIn(outputs)).toEqual(rig === 'ue5' ? ['FBX_HUMANOID'] : []);
    },
  );

  it.each(
    sampledCases<[string, RetargetMotionsOptions]>([
      ['text', { output: 'out.fbx', ascii: true }],
      ['images beside it', { output: 'out.fbx', textures: 'beside' }],
      ['the rest pose of the source', { output: 'out.fbx', rest: 'keep' }],
      ['names of Manny', { output: 'out.fbx', names: 'ue5' }],
      ['names of Unity, skeleton and clip', { output: 'out.fbx', names: 'unity', mesh: false }],
    ]),
  )('are what importers want: %s', async (_, options) => {
    const { outputs } = await retargetMotions([await openDemo('turn.bvh')], await openDemo('walk.glb'), {
      contacts: 'off',
      ...options,
    });
    expect(await findingsIn(outputs)).toEqual([]);
  });

  it.runIf(IS_FULL_RUN)('are what importers want: a USD character', async () => {
    const { outputs: usd } = await convertFile(await openDemo('walk.glb'), { output: 'walk.usdz' });
    const character = await openBytes(new Uint8Array(Buffer.concat(usd[0].parts)), { name: 'walk.usdz' });
    const { outputs } = await retargetMotions([await openDemo('turn.bvh')], character, {
      output: 'out.fbx',
      contacts: 'off',
    });
    expect(await findingsIn(outputs)).toEqual([]);
  });

  it('are what importers want: a standard rig in proportions of the source', async () => {
    const options = { output: 'out.fbx', mesh: false, proportions: 'source' } as const;
    const { outputs } = await retargetMotions([await openDemo('turn.bvh')], createStandardRig('unity'), options);
    expect(await findingsIn(outputs)).toEqual([]);
  });

  it.runIf(IS_FULL_RUN)('are what importers want after a clip was added to an FBX', async () => {
    const hero = await openBytes(walkFbx(), { name: 'hero.fbx' });
    const options = { output: 'out.fbx' } as const;
    const { outputs } = await retargetMotions([await openDemo('turn.bvh')], hero, { ...options, mesh: false });
    expect(await findingsIn(outputs)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validateFile } from '../../../src/files/jobs/validate-file.ts';
import { asset, HAS_ASSETS } from '../../support/assets.ts';

async function codesOf(name: string): Promise<string[]> {
  const { issues, isValid, format } = await validateFile(readFileSync(asset('assets', 'fbx', name)), { name });
  expect({ isValid, format }).toEqual({ isValid: true, format: 'fbx' });
  return issues
    .filter(({ severity }) => severity !== 'info')
    .map(({ code }) => code)
    .filter((code) => code !== 'RESOURCE_MISSING');
}

describe.skipIf(!HAS_ASSETS)('validateFile of FBX files of other programs', () => {
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

import { describe, expect, it } from 'vitest';
import { asset, HAS_ASSETS } from '../../support/assets.ts';
import { sampledCases } from '../../support/law-runs.ts';
import { faultsOf } from './cover.ts';
import { convertTo, retargetPair } from './pair.ts';

/** Motions and characters of every format; those with a star are converted to USD first. */
const PAIRS: readonly (readonly [motion: string, character: string])[] = [
  ['fbx/mixamo_Walking.fbx', 'glb/m2m_human-male.glb*'],
  ['bvh/pybvh_cmu_12_01_walk.bvh', 'vrm/univrm_EmissionMigration.vrm*'],
  ['vrma/threevrm_test.vrma', 'glb/pc_lumberjack.glb*'],
  ['glb/CesiumMan.glb', 'fbx/ufbx_maya_kenney_character_7700_binary.fbx*'],
  ['bvh/AD_fair1_dab.bvh*', 'vrm/cool_loops.vrm'],
  ['glb/m2mold_human-addon-animations.glb*', 'usd/animu_mocopi_avatar.usda'],
  ['usd/openusd_skeleton.usda', 'glb/m2m_human-male.glb*'],
];

async function fileOf(name: string): Promise<string> {
  const path = asset('assets', name.replace('*', ''));
  return name.endsWith('*') ? convertTo('usdc', path) : path;
}

describe.skipIf(!HAS_ASSETS)('anyrig retarget with USD files', () => {
  it.each(sampledCases(PAIRS, 3))('retargets %s to %s without a fault', async (motion, character) => {
    const result = await retargetPair(await fileOf(motion), 0, await fileOf(character));
    expect(result).toMatchObject({ exit: 0, reason: null });
    expect(faultsOf(result)).toEqual([]);
  });
});

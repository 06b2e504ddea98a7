import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, type BoneName } from '../../../../../src/core/humanoid/bones.ts';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { repairTrunk } from '../../../../../src/core/humanoid/mapping/combine/repair-trunk.ts';
import { namesByBone, rigOf } from '../../../../support/make/rig-text.ts';

const LIMBS = { leftUpperLeg: 'lThigh', rightUpperLeg: 'rThigh', leftUpperArm: 'lArm', rightUpperArm: 'rArm' };

function repaired(text: string, bones: Readonly<Partial<Record<BoneName, string>>>, from = 'words') {
  const skeleton = rigOf(text);
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const confidences = new Float32Array(BONE_COUNT);
  for (const [bone, name] of Object.entries({ ...LIMBS, ...bones })) {
    nodes[BONE[bone as BoneName]] = skeleton.names.indexOf(name);
    confidences[BONE[bone as BoneName]] = 1;
  }
  repairTrunk(createNamedRig(skeleton), nodes, confidences, from);
  const { hips, spine, chest, upperChest, neck } = namesByBone(skeleton, nodes);
  const used = [...nodes].filter((node) => node >= 0);
  expect(new Set(used).size).toBe(used.length);
  return { found: [hips, spine, chest, upperChest, neck], confidences };
}

const rigText = (spine: string, neck = 'neck'): string => `hips\n {l|r}Thigh\n ${spine}\n  {l|r}Arm\n  ${neck} > head`;

describe('repairTrunk', () => {
  it('keeps a valid trunk and its confidences', () => {
    const { found, confidences } = repaired(rigText('spine > spine1 > spine2'), {
      hips: 'hips',
      spine: 'spine',
      chest: 'spine1',
      upperChest: 'spine2',
      neck: 'neck',
      head: 'head',
    });
    expect(found).toEqual(['hips', 'spine', 'spine1', 'spine2', 'neck']);
    expect([...confidences].every((value) => value === 0 || value === 1)).toBe(true);
  });

  it('keeps the chest that a convention chooses in a long spine', () => {
    const bones = { hips: 'hips', spine: 'spine', chest: 'spine3', upperChest: 'spine4' } as const;
    expect(repaired(rigText('spine > spine1 > spine2 > spine3 > spine4'), bones).found[2]).toBe('spine3');
  });

  it('redistributes a spine without its ends, with lower confidence for moved bones', () => {
    const bones = { hips: 'hips', spine: 'spine04', chest: 'spine03', upperChest: 'spine02' } as const;
    const { found, confidences } = repaired(rigText('spine05 > spine04 > spine03 > spine02 > spine01'), bones);
    expect(found.slice(0, 4)).toEqual(['hips', 'spine05', 'spine03', 'spine01']);
    expect(confidences[BONE.spine]).toBeLessThan(1);
    expect(confidences[BONE.chest]).toBe(1);
  });

  it('maps two joints to spine and chest, and a single joint to the spine', () => {
    expect(repaired(rigText('abdomen > chest'), { hips: 'hips', spine: 'abdomen', upperChest: 'chest' }).found).toEqual(
      ['hips', 'abdomen', 'chest', undefined, undefined],
    );
    expect(repaired(rigText('chest'), { hips: 'hips', chest: 'chest' }).found.slice(1, 3)).toEqual([
      'chest',
      undefined,
    ]);
  });

  it('moves hips that are not above legs and spine', () => {
    const text = 'root\n hips\n  {l|r}Thigh\n spine\n  {l|r}Arm\n  neck > head';
    expect(repaired(text, { hips: 'hips', spine: 'spine', head: 'head' }).found).toEqual([
      'root',
      'spine',
      undefined,
      undefined,
      'neck',
    ]);
  });

  it('maps the pelvis of Rigify, which is named spine', () => {
    const text = 'spine\n {l|r}Thigh\n spine.001 > spine.002\n  {l|r}Arm\n  head';
    expect(repaired(text, { spine: 'spine', chest: 'spine.001', head: 'head' }).found.slice(0, 3)).toEqual([
      'spine',
      'spine.001',
      'spine.002',
    ]);
  });

  it('skips nodes that a convention excludes', () => {
    const text =
      'mPelvis\n {l|r}Thigh\n mSpine1 > mSpine2 > mTorso > mSpine3 > mSpine4 > mChest\n  {l|r}Arm\n  mNeck > mHead';
    const bones = { hips: 'mPelvis', spine: 'mTorso', chest: 'mChest' } as const;
    expect(repaired(text, bones, 'second_life_bento').found.slice(1, 4)).toEqual(['mTorso', 'mChest', undefined]);
    expect(repaired(text, bones, 'words').found.slice(1, 4)).toEqual(['mSpine1', 'mTorso', 'mChest']);
  });
});

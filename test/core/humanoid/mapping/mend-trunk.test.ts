import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import { mendTrunk } from '../../../../src/core/humanoid/mapping/mend-trunk.ts';
import { readRig } from '../../../../src/core/humanoid/mapping/rig.ts';
import { namesByBone, rigOf } from '../../../make/rig-text.ts';

const LIMBS = { leftUpperLeg: 'lThigh', rightUpperLeg: 'rThigh', leftUpperArm: 'lArm', rightUpperArm: 'rArm' };

function mended(text: string, bones: Readonly<Partial<Record<BoneName, string>>>, from = 'words') {
  const skeleton = rigOf(text);
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const sure = new Float32Array(BONE_COUNT);
  for (const [bone, name] of Object.entries({ ...LIMBS, ...bones })) {
    nodes[BONE[bone as BoneName]] = skeleton.names.indexOf(name);
    sure[BONE[bone as BoneName]] = 1;
  }
  mendTrunk(readRig(skeleton), nodes, sure, from);
  const { hips, spine, chest, upperChest, neck } = namesByBone(skeleton, nodes);
  const used = [...nodes].filter((node) => node >= 0);
  expect(new Set(used).size).toBe(used.length);
  return { found: [hips, spine, chest, upperChest, neck], sure };
}

const body = (spine: string, neck = 'neck'): string => `hips\n {l|r}Thigh\n ${spine}\n  {l|r}Arm\n  ${neck} > head`;

describe('mending the trunk of a map', () => {
  it('leaves a trunk that is right, and how sure it is', () => {
    const { found, sure } = mended(body('spine > spine1 > spine2'), {
      hips: 'hips',
      spine: 'spine',
      chest: 'spine1',
      upperChest: 'spine2',
      neck: 'neck',
      head: 'head',
    });
    expect(found).toEqual(['hips', 'spine', 'spine1', 'spine2', 'neck']);
    expect([...sure].every((value) => value === 0 || value === 1)).toBe(true);
  });

  it('keeps the middle that a convention has chosen in a long spine', () => {
    const bones = { hips: 'hips', spine: 'spine', chest: 'spine3', upperChest: 'spine4' } as const;
    expect(mended(body('spine > spine1 > spine2 > spine3 > spine4'), bones).found[2]).toBe('spine3');
  });

  it('spreads a spine again where the map leaves out its ends, and is less sure of what it moved', () => {
    const bones = { hips: 'hips', spine: 'spine04', chest: 'spine03', upperChest: 'spine02' } as const;
    const { found, sure } = mended(body('spine05 > spine04 > spine03 > spine02 > spine01'), bones);
    expect(found.slice(0, 4)).toEqual(['hips', 'spine05', 'spine03', 'spine01']);
    expect(sure[BONE.spine]).toBeLessThan(1);
    expect(sure[BONE.chest]).toBe(1);
  });

  it('makes two bones spine and chest, and one bone the spine', () => {
    expect(mended(body('abdomen > chest'), { hips: 'hips', spine: 'abdomen', upperChest: 'chest' }).found).toEqual([
      'hips',
      'abdomen',
      'chest',
      undefined,
      undefined,
    ]);
    expect(mended(body('chest'), { hips: 'hips', chest: 'chest' }).found.slice(1, 3)).toEqual(['chest', undefined]);
  });

  it('moves hips that do not hold legs and spine', () => {
    const text = 'root\n hips\n  {l|r}Thigh\n spine\n  {l|r}Arm\n  neck > head';
    expect(mended(text, { hips: 'hips', spine: 'spine', head: 'head' }).found).toEqual([
      'root',
      'spine',
      undefined,
      undefined,
      'neck',
    ]);
  });

  it('takes the pelvis of Rigify from the spine that it is called', () => {
    const text = 'spine\n {l|r}Thigh\n spine.001 > spine.002\n  {l|r}Arm\n  head';
    expect(mended(text, { spine: 'spine', chest: 'spine.001', head: 'head' }).found.slice(0, 3)).toEqual([
      'spine',
      'spine.001',
      'spine.002',
    ]);
  });

  it('leaves out what a convention says is never a bone', () => {
    const text =
      'mPelvis\n {l|r}Thigh\n mSpine1 > mSpine2 > mTorso > mSpine3 > mSpine4 > mChest\n  {l|r}Arm\n  mNeck > mHead';
    const bones = { hips: 'mPelvis', spine: 'mTorso', chest: 'mChest' } as const;
    expect(mended(text, bones, 'second_life_bento').found.slice(1, 4)).toEqual(['mTorso', 'mChest', undefined]);
    expect(mended(text, bones, 'words').found.slice(1, 4)).toEqual(['mSpine1', 'mTorso', 'mChest']);
  });
});

import { describe, expect, it } from 'vitest';
import { BONES, type BoneName } from '../../../../../src/core/humanoid/bones.ts';
import {
  conventionKeys,
  decodeMeaning,
  expandConvention,
  expandNodeNames,
} from '../../../../../src/core/humanoid/mapping/by-name/convention-names.ts';
import { CONVENTION_NAMES } from '../../../../../src/core/humanoid/mapping/by-name/conventions.ts';
import { cleanName, nameKey } from '../../../../../src/core/humanoid/mapping/by-name/node-names.ts';

describe('expandConvention and conventionKeys', () => {
  it('expandConvention: combines prefixes, spellings, fingers and sides', () => {
    const mixamo = expandConvention('mixamo');
    expect(mixamo.hips).toEqual(['mixamorig:Hips', 'mixamorigHips', 'mixamorig_Hips', 'Hips']);
    expect(mixamo.leftIndexProximal?.[0]).toBe('mixamorig:LeftHandIndex1');
    expect(mixamo.rightLittleDistal?.[0]).toBe('mixamorig:RightHandPinky3');
    expect(expandConvention('rigify_def').leftUpperArm).toEqual([
      'DEF-upper_arm.L',
      'DEF-upper_armL',
      'DEF-upper_arm_L',
    ]);
    expect(expandConvention('vrm0').leftThumbMetacarpal).toEqual(['leftThumbProximal']);
    expect(expandConvention('mmd_japanese').rightLowerArm).toEqual(['右ひじ', 'ひじ.R']);
    expect(expandConvention('smpl').leftUpperArm).toContain('m_avg_L_Shoulder');
  });

  it('expandConvention: leaves out bones without a name', () => {
    const expanded = expandConvention('roblox_r15');
    expect(expanded.neck).toBeUndefined();
    expect(expanded.leftShoulder).toBeUndefined();
    expect(Object.keys(expanded)).toHaveLength(15);
  });

  it('expandConvention: returns as many different names for the left as for the right', () => {
    for (const name of CONVENTION_NAMES) {
      const expanded = expandConvention(name);
      for (const bone of BONES.filter((candidate) => candidate.startsWith('left'))) {
        const left = expanded[bone] ?? [];
        const right = expanded[`right${bone.slice(4)}` as BoneName] ?? [];
        expect(left.length, `${name} ${bone}`).toBe(right.length);
        for (const [i, text] of left.entries()) expect(right[i], `${name} ${bone}`).not.toBe(text);
      }
    }
  });

  it('conventionKeys: has the key of every expanded name', () => {
    const keys = conventionKeys();
    const lost: string[] = [];
    for (const [convention, name] of CONVENTION_NAMES.entries()) {
      for (const [boneName, names] of Object.entries(expandConvention(name))) {
        const bone = BONES.indexOf(boneName as BoneName);
        for (const written of names) {
          // Robot_ and m_avg_ are removed as the common prefix of a rig, not from single names.
          if (/^(?:Robot|[mf]_avg)_/.test(written)) continue;
          const meanings = (keys.get(nameKey(cleanName(written))) ?? []).map(decodeMeaning);
          if (!meanings.some((m) => m.convention === convention && m.bone === bone)) lost.push(`${name}: ${written}`);
        }
      }
    }
    expect(lost).toEqual([]);
  });

  it('decodeMeaning: ranks the preferred name before alternatives', () => {
    const neuron = CONVENTION_NAMES.indexOf('perception_neuron_axis');
    const alternative = (key: string): number | undefined =>
      (conventionKeys().get(key) ?? []).map(decodeMeaning).find((m) => m.convention === neuron)?.alternative;
    expect(alternative('spine3')).toBe(0);
    expect(alternative('spine2')).toBe(1);
  });

  it('expandNodeNames: lists nodes that identify a convention or are never bones', () => {
    expect(expandNodeNames('cmu_cgspeed_motionbuilder', 'markers')).toContain('RHipJoint');
    expect(expandNodeNames('second_life_bento', 'skip')).toEqual(['mSpine1', 'mSpine2', 'mSpine3', 'mSpine4']);
    expect(expandNodeNames('mixamo', 'skip')).toEqual([]);
  });
});

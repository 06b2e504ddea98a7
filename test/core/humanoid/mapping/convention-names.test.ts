import { describe, expect, it } from 'vitest';
import { BONES, type BoneName } from '../../../../src/core/humanoid/bones.ts';
import {
  conventionKeys,
  expandConvention,
  meaningOf,
  otherNames,
} from '../../../../src/core/humanoid/mapping/convention-names.ts';
import { CONVENTION_NAMES } from '../../../../src/core/humanoid/mapping/conventions.ts';
import { cleanName, nameKey } from '../../../../src/core/humanoid/mapping/names.ts';

describe('names of conventions', () => {
  it('puts prefixes, spellings, fingers and sides together', () => {
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

  it('leaves out the bones that a convention does not name', () => {
    const expanded = expandConvention('roblox_r15');
    expect(expanded.neck).toBeUndefined();
    expect(expanded.leftShoulder).toBeUndefined();
    expect(Object.keys(expanded)).toHaveLength(15);
  });

  it('gives left and right names that differ in the side alone', () => {
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

  it('finds every name again by its key, whatever its prefix and spelling', () => {
    const keys = conventionKeys();
    const lost: string[] = [];
    for (const [convention, name] of CONVENTION_NAMES.entries()) {
      for (const [boneName, names] of Object.entries(expandConvention(name))) {
        const bone = BONES.indexOf(boneName as BoneName);
        for (const written of names) {
          // Robot_ and m_avg_ are taken off by what all names of a rig share, not one by one.
          if (/^(?:Robot|[mf]_avg)_/.test(written)) continue;
          const meanings = (keys.get(nameKey(cleanName(written))) ?? []).map(meaningOf);
          if (!meanings.some((m) => m.convention === convention && m.bone === bone)) lost.push(`${name}: ${written}`);
        }
      }
    }
    expect(lost).toEqual([]);
  });

  it('tells the preferred name from the others', () => {
    const neuron = CONVENTION_NAMES.indexOf('perception_neuron_axis');
    const alternative = (key: string): number | undefined =>
      (conventionKeys().get(key) ?? []).map(meaningOf).find((m) => m.convention === neuron)?.alternative;
    expect(alternative('spine3')).toBe(0);
    expect(alternative('spine2')).toBe(1);
  });

  it('knows the nodes that give a convention away or are never bones', () => {
    expect(otherNames('cmu_cgspeed_motionbuilder', 'signs')).toContain('RHipJoint');
    expect(otherNames('second_life_bento', 'skip')).toEqual(['mSpine1', 'mSpine2', 'mSpine3', 'mSpine4']);
    expect(otherNames('mixamo', 'skip')).toEqual([]);
  });
});

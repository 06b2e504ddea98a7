import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAnatomyWord } from '../../../../../src/core/humanoid/mapping/by-name/lexicon.ts';
import {
  cleanName,
  nameKey,
  rigNames,
  splitWords,
} from '../../../../../src/core/humanoid/mapping/by-name/node-names.ts';

describe('cleanName', () => {
  it.each([
    ['mixamorig:LeftArm', 'LeftArm'],
    ['mixamorig12:LeftArm', 'LeftArm'],
    ['mixamorigLeftArm', 'LeftArm'],
    ['mixamorig_LeftArm', 'LeftArm'],
    ['a:b|Hips', 'Hips'],
    ['Armature|Hips', 'Hips'],
    ['Character1_LeftUpLeg', 'LeftUpLeg'],
    ['Bip001 L Thigh', 'L Thigh'],
    ['Bip01_L_Thigh', 'L_Thigh'],
    ['ValveBiped.Bip01_L_Thigh', 'L_Thigh'],
    ['CC_Base_L_Thigh', 'L_Thigh'],
    ['J_Bip_C_Hips', 'C_Hips'],
    ['DEF-spine.001', 'spine.001'],
    ['upper_arm.l_Armature', 'upper_arm.l'],
    ['left_leg_joint', 'left_leg'],
    ['handFBXASC046L', 'hand.L'],
    ['rigFBXASC058Hips', 'Hips'],
    ['左親指０', '左親指0'],
    ['ＩＫ', 'IK'],
    ['ends with:', 'ends with:'],
    ['DEF-', 'DEF-'],
    ['', ''],
  ])('removes prefixes, suffixes and namespaces from %s', (name, clean) => {
    expect(cleanName(name)).toBe(clean);
  });

  it('keeps the name of the joint between hips and thigh', () => {
    expect(cleanName('LHipJoint')).toBe('LHipJoint');
  });

  it('never returns an empty name for random names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        if (name.trim() !== '' && name.normalize('NFKC').trim() !== '') expect(cleanName(name)).not.toBe('');
        expect(nameKey(cleanName(name))).toBe(nameKey(nameKey(cleanName(name))));
      }),
      { seed: 11 },
    );
  });
});

describe('nameKey and splitWords', () => {
  it('nameKey: returns one key for all spellings of a name', () => {
    const spellings = ['Spine.001', 'spine_001', 'Spine001', 'SPINE-001', 'spine 001'];
    expect(new Set(spellings.map(nameKey))).toEqual(new Set(['spine001']));
    expect(nameKey('上半身2')).toBe('上半身2');
  });

  it.each([
    ['LeftForeArm', ['left', 'fore', 'arm']],
    ['upperarm01.L', ['upperarm', '01', 'l']],
    ['lCollar', ['l', 'collar']],
    ['LArm', ['l', 'arm']],
    ['handIK', ['hand', 'ik']],
    ['IKHand', ['ik', 'hand']],
    ['l_up_arm', ['l', 'up', 'arm']],
    ['finger1-2.R', ['finger', '1', '2', 'r']],
    ['左ひじ', ['左', 'ひじ']],
    ['右足首D', ['右', '足首', 'd']],
    ['', []],
  ])('splitWords: splits %s', (name, words) => {
    expect(splitWords(name)).toEqual(words);
  });
});

describe('rigNames', () => {
  const parts = [
    'Hips',
    'Spine',
    'Neck',
    'Head',
    'LeftArm',
    'RightArm',
    'LeftLeg',
    'RightLeg',
    'Left_Foot',
    'Right_Foot',
  ];
  const keysOf = (names: readonly string[]): readonly string[] => rigNames(names, isAnatomyWord).wordKeys;
  const plain = keysOf(parts);

  it('removes common prefixes and suffixes of several words', () => {
    expect(keysOf(parts.map((name) => `Alice_${name}`))).toEqual(plain);
    expect(keysOf(parts.map((name) => `Old Alice 2 ${name}`))).toEqual(plain);
    expect(keysOf(parts.map((name) => `${name}_deformer`))).toEqual(plain);
    const some = [...parts.map((name) => `Alice_${name}`), 'Camera', 'Sword'];
    expect(keysOf(some).slice(0, parts.length)).toEqual(plain);
  });

  it('keeps words for body parts and sides that most names have', () => {
    const fingers = Array.from({ length: 10 }, (_, i) => `hand_finger_${i}_l`);
    expect(rigNames(fingers, isAnatomyWord).words[3]).toEqual(['hand', 'finger', '3', 'l']);
  });

  it('removes unique numbers before names', () => {
    const numbered = parts.map((name, i) => `${i}_${name}`);
    expect(rigNames([...numbered, '0_Head_end'], isAnatomyWord).clean.slice(0, parts.length)).toEqual(parts);
  });

  it('removes only the unique numbers of Sketchfab', () => {
    const numbered = parts.map((name, i) => `${name}_0${10 + i}`);
    expect(rigNames([...numbered, 'Object_7', 'Camera'], isAnatomyWord).clean.slice(0, 10)).toEqual(parts);
    const spines = ['spine_01', 'spine_02', 'spine_03', ...parts];
    expect(rigNames(spines, isAnatomyWord).clean.slice(0, 3)).toEqual(['spine_01', 'spine_02', 'spine_03']);
    // Recurring numbers are part of the names.
    const fingers = ['thumb', 'index', 'middle', 'ring'].flatMap((finger) => [1, 2, 3].map((k) => `${finger}_0${k}`));
    expect(rigNames(fingers, isAnatomyWord).clean).toEqual(fingers);
  });

  it('accepts names of object properties, blank names and an empty list', () => {
    const unusual = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', ':', '|', '_12'];
    const { clean, keys, words, wordKeys } = rigNames(unusual, isAnatomyWord);
    for (const list of [clean, keys, words, wordKeys]) expect(list).toHaveLength(unusual.length);
    expect(rigNames([], isAnatomyWord).clean).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAnatomyWord } from '../../../../../src/core/humanoid/mapping/by-name/lexicon.ts';
import { splitWords } from '../../../../../src/core/humanoid/mapping/by-name/node-names.ts';
import { type NameReading, readNames } from '../../../../../src/core/humanoid/mapping/by-name/read-names.ts';

const read = (name: string): NameReading => readNames([name], [splitWords(name)])[0];

describe('readNames', () => {
  it.each([
    ['LeftUpperArm', 'upperArm', 'left'],
    ['upperarm.l', 'upperArm', 'left'],
    ['upperarml', 'upperArm', 'left'],
    ['UpArm_L', 'upperArm', 'left'],
    ['l_up_arm', 'upperArm', 'left'],
    ['arm_upper_R', 'upperArm', 'right'],
    ['LoArm_R', 'lowerArm', 'right'],
    ['LeftForeArm', 'lowerArm', 'left'],
    ['lForearmBend', 'lowerArm', 'left'],
    ['l_low_leg', 'lowerLeg', 'left'],
    ['RightUpLeg', 'upperLeg', 'right'],
    ['lhand', 'hand', 'left'],
    ['Lefthand', 'hand', 'left'],
    ['RSHOULDER', 'shoulder', 'right'],
    ['lShldr', 'shldr', 'left'],
    ['Left elbow', 'elbow', 'left'],
    ['arm_elbow_l', 'elbow', 'left'],
    ['左ひじ', 'elbow', 'left'],
    ['右つま先', 'toes', 'right'],
    ['LeftToeBase', 'toes', 'left'],
    ['ball_r', 'toes', 'right'],
    ['LeftFootThumb1', 'toes', 'left'],
    ['LeftHandThumb2', 'thumb', 'left'],
    ['index_middle_l', 'index', 'left'],
    ['LeftHandRingPinky1', 'little', 'left'],
    ['left_eyeball', 'eye', 'left'],
    ['lowerJaw', 'jaw', ''],
    ['upperJaw', null, ''],
    ['Hips', 'hips', ''],
    ['hip', 'hips', ''],
    ['LeftHip', 'hip', 'left'],
    ['lower body', 'hips', ''],
    ['upper body2', 'spine', ''],
    ['LowerBack', 'spine', ''],
    ['Back', 'spine', ''],
    ['spine_mid', 'spine', ''],
    ['UpChest', 'spine', ''],
    ['Camera', null, ''],
    ['__proto__', null, ''],
    ['', null, ''],
  ])('parses %s as %s', (name, part, side) => {
    const reading = read(name);
    expect([reading.part, reading.side]).toEqual([part, side]);
    expect(reading.helper).toBe(false);
  });

  it.each([
    'handIK.l',
    'LeftFoot_end',
    'upperarm_twist_01_l',
    'LeafLeftArmRoll1',
    'handslot.l',
    'control-foot-roll.l',
    'LeftKneeCtrl',
    'Bip01 L Finger0Nub',
    'head_leaf',
    'PoleTarget.L',
    'MCH-spine',
    'LeftArm_$AssimpFbx$_PreRotation',
    'eyelid_l',
    'earring_l',
    'palm.01.metacarpal.L',
  ])('marks %s as a helper', (name) => {
    expect(read(name).helper).toBe(true);
  });

  it.each(['Front_Leg_Upper_L', 'Back_Leg_Lower_L', 'foreleg_l', 'HindLeg_R', 'paw_l', 'Tail_Tip'])(
    'finds no human limb in %s',
    (name) => {
      expect(read(name).part).toBeNull();
    },
  );

  it('lowers the strength of names with unrelated words', () => {
    expect(read('robo_hand.L').strength).toBeLessThan(read('hand.L').strength);
    expect(read('ORG-hand.L').strength).toBeLessThan(read('hand.L').strength);
    expect(read('LHipJoint').strength).toBeLessThan(read('LeftHip').strength);
  });

  it('recognizes metacarpals, tips and numbers', () => {
    expect(read('index_metacarpal_l').metacarpal).toBe(true);
    expect(read('LeftInHandIndex').metacarpal).toBe(true);
    expect(read('LeftHandIndex1').metacarpal).toBe(false);
    expect(read('index_tip_l').tip).toBe(true);
    expect(read('finger2-03.L').numbers).toEqual(['2', '03']);
  });

  it('accepts random text and long words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const { strength, side } = read(name);
        expect(strength).toBeGreaterThan(0);
        expect(strength).toBeLessThanOrEqual(1);
        expect(['left', 'right', '']).toContain(side);
      }),
      { seed: 12 },
    );
    expect(read('l'.repeat(10_000)).part).toBeNull();
  });

  it('isAnatomyWord: accepts words for body parts and sides only', () => {
    for (const word of ['arm', 'l', 'upper', 'left', '腕']) expect(isAnatomyWord(word)).toBe(true);
    for (const word of ['alice', 'joint', 'ik', '__proto__']) expect(isAnatomyWord(word)).toBe(false);
  });
});

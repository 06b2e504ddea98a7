import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { mapByWords } from '../../../../src/core/humanoid/mapping/map-words.ts';
import { readRig } from '../../../../src/core/humanoid/mapping/rig.ts';
import { namesByBone, rigOf } from '../../../make/rig-text.ts';

function wordsOf(text: string): Record<string, string> {
  const skeleton = rigOf(text);
  return namesByBone(skeleton, mapByWords(readRig(skeleton)).nodes) as Record<string, string>;
}

describe('reading a rig by words', () => {
  it('reads a rig that no convention knows', () => {
    expect(
      wordsOf(`
      rig
       pelvis
        belly > ribcage
         throat > skull
         collar_{l|r} > bicep_{l|r} > forearm_{l|r} > fist_{l|r}
        thigh_{l|r} > shank_{l|r} > ankle_{l|r} > toe_{l|r}`),
    ).toMatchObject({
      hips: 'pelvis',
      spine: 'belly',
      chest: 'ribcage',
      head: 'skull',
      leftShoulder: 'collar_l',
      rightUpperArm: 'bicep_r',
      leftLowerArm: 'forearm_l',
      leftHand: 'fist_l',
      rightUpperLeg: 'thigh_r',
      leftLowerLeg: 'shank_l',
      leftFoot: 'ankle_l',
      rightToes: 'toe_r',
    });
  });

  it('is less sure of words with two meanings, and least of what only the tree tells', () => {
    const skeleton = rigOf(`
      thing
       spine > head
        leftArm > leftForeArm > leftHand
        rightArm > rightForeArm > rightHand
       leftThigh > leftCalf
       rightThigh > rightCalf`);
    const { sure, from } = mapByWords(readRig(skeleton));
    expect(from).toBe('words');
    expect(sure[BONE.leftHand]).toBeGreaterThan(sure[BONE.leftUpperArm]);
    expect(sure[BONE.leftUpperArm]).toBeGreaterThan(sure[BONE.hips]);
  });

  it('finds eyes and jaw below the head alone', () => {
    const found = wordsOf(`
      hips > spine > head
       eye_{l|r}
       eyelid_{l|r}
       jaw
      jaw_trap`);
    expect(found).toMatchObject({ leftEye: 'eye_l', rightEye: 'eye_r', jaw: 'jaw' });
  });

  it('finds nothing where words say nothing', () => {
    expect(wordsOf('a > b > c')).toEqual({});
  });
});

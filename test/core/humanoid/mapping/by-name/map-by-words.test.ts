import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../../src/core/humanoid/bones.ts';
import { mapByWords } from '../../../../../src/core/humanoid/mapping/by-name/map-by-words.ts';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { namesByBone, rigOf } from '../../../../support/make/rig-text.ts';

function wordsOf(text: string): Record<string, string> {
  const skeleton = rigOf(text);
  return namesByBone(skeleton, mapByWords(createNamedRig(skeleton)).nodes) as Record<string, string>;
}

describe('mapByWords', () => {
  it('maps a rig that follows no convention', () => {
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

  it('has lower confidence for ambiguous words, lowest for the hierarchy alone', () => {
    const skeleton = rigOf(`
      thing
       spine > head
        leftArm > leftForeArm > leftHand
        rightArm > rightForeArm > rightHand
       leftThigh > leftCalf
       rightThigh > rightCalf`);
    const { confidences, from } = mapByWords(createNamedRig(skeleton));
    expect(from).toBe('words');
    expect(confidences[BONE.leftHand]).toBeGreaterThan(confidences[BONE.leftUpperArm]);
    expect(confidences[BONE.leftUpperArm]).toBeGreaterThan(confidences[BONE.hips]);
  });

  it('finds eyes and jaw only below the head', () => {
    const found = wordsOf(`
      hips > spine > head
       eye_{l|r}
       eyelid_{l|r}
       jaw
      jaw_trap`);
    expect(found).toMatchObject({ leftEye: 'eye_l', rightEye: 'eye_r', jaw: 'jaw' });
  });

  it('finds nothing without known words', () => {
    expect(wordsOf('a > b > c')).toEqual({});
  });
});

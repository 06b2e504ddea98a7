import { describe, expect, it } from 'vitest';
import { BONES } from '../../../../../src/core/humanoid/bones.ts';
import { findFingers } from '../../../../../src/core/humanoid/mapping/by-name/find-fingers.ts';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { rigOf } from '../../../../support/make/rig-text.ts';

/** The left fingers below a node named hand: bone without its side = node name. */
function fingersOf(text: string): Record<string, string> {
  const skeleton = rigOf(text);
  const hand = skeleton.names.findIndex((name) => /hand|wrist/i.test(name));
  const out: Record<string, string> = {};
  findFingers(
    createNamedRig(skeleton),
    (side) => (side === 'left' ? { hand, lowerArm: -1 } : { hand: -1, lowerArm: -1 }),
    (bone, node) => {
      if (BONES[bone].startsWith('left')) out[BONES[bone].slice(4)] = skeleton.names[node];
    },
  );
  return out;
}

describe('findFingers', () => {
  it('finds the joints along a chain without its end', () => {
    expect(
      fingersOf('LeftHand > LeftHandIndex1 > LeftHandIndex2 > LeftHandIndex3 > LeftHandIndex4 > LeftHandIndex4_end'),
    ).toEqual({
      IndexProximal: 'LeftHandIndex1',
      IndexIntermediate: 'LeftHandIndex2',
      IndexDistal: 'LeftHandIndex3',
    });
  });

  it('skips metacarpals, except for thumbs', () => {
    const found = fingersOf(`
      hand_l
       index_metacarpal_l > index_01_l > index_02_l > index_03_l
       thumb_metacarpal_l > thumb_proximal_l > thumb_distal_l`);
    expect(found['IndexProximal']).toBe('index_01_l');
    expect(found['ThumbMetacarpal']).toBe('thumb_metacarpal_l');
    expect(fingersOf('LeftHand > LeftInHandRing > LeftHandRing1 > LeftHandRing2')['RingProximal']).toBe(
      'LeftHandRing1',
    );
    expect(fingersOf('hand_l > index00_l > index01_l > index02_l > index03_l')['IndexProximal']).toBe('index01_l');
  });

  it('maps the three joints of a thumb by their order', () => {
    const found = fingersOf('hand.L > thumb_proximal.L > thumb_intermediate.L > thumb_distal.L');
    expect(found).toEqual({
      ThumbMetacarpal: 'thumb_proximal.L',
      ThumbProximal: 'thumb_intermediate.L',
      ThumbDistal: 'thumb_distal.L',
    });
  });

  it.each([
    ['0', [0, 1, 2, 3, 4]],
    ['1', [1, 2, 3, 4, 5]],
    ['tens', [0, 10, 20, 30, 40]],
  ])('identifies fingers numbered from %s', (_, numbers) => {
    const found = fingersOf(`L Hand\n${numbers.map((n) => ` L Finger${n} > L Finger${n}1`).join('\n')}`);
    expect(found['ThumbMetacarpal']).toBe(`L Finger${numbers[0]}`);
    expect(found['IndexProximal']).toBe(`L Finger${numbers[1]}`);
    expect(found['LittleProximal']).toBe(`L Finger${numbers[4]}`);
    expect(found['LittleIntermediate']).toBe(`L Finger${numbers[4]}1`);
  });

  it('assigns numbered fingers to the remaining fingers', () => {
    const found = fingersOf('hand_l\n thumb_l\n finger1_l\n finger2_l');
    expect(found).toMatchObject({
      ThumbMetacarpal: 'thumb_l',
      IndexProximal: 'finger1_l',
      MiddleProximal: 'finger2_l',
    });
  });

  it('does not guess the finger of an unnumbered chain', () => {
    expect(fingersOf('hand.l > Finger.l > Finger.001.l > Finger.002.l')).toEqual({});
  });

  it('assigns joints without side or finger to the chain of their parent', () => {
    expect(fingersOf('LHand > Index > Mid > Tip > End')).toEqual({
      IndexProximal: 'Index',
      IndexIntermediate: 'Mid',
      IndexDistal: 'Tip',
    });
  });

  it('takes a joint and not the group over it at the same place', () => {
    expect(fingersOf('hand.L > Index1.L_grp ! > Index1.L > Index2.L_grp ! > Index2.L')).toEqual({
      IndexProximal: 'Index1.L',
      IndexIntermediate: 'Index2.L',
    });
    const numbered = [1, 2].map((n) => ` Finger${n}a.L_grp ! > Finger${n}a.L > Finger${n}b.L_grp ! > Finger${n}b.L`);
    expect(fingersOf(`hand.L\n${numbered.join('\n')}`)).toEqual(
      fingersOf('hand.L\n Finger1a.L > Finger1b.L\n Finger2a.L > Finger2b.L'),
    );
  });

  it('skips meshes', () => {
    expect(fingersOf('hand_l\n thumb_01_l !\n x > thumb_01_l')['ThumbMetacarpal']).toBe('thumb_01_l');
    expect(fingersOf('hand_l\n thumb_nail_l !')).toEqual({});
  });

  it('skips toes and fingers that are not below the arm', () => {
    expect(fingersOf('root\n hand_l\n  thumb_01_l\n ring_decoration_l')).toEqual({ ThumbMetacarpal: 'thumb_01_l' });
  });
});

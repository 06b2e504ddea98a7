import { describe, expect, it } from 'vitest';
import { BONES } from '../../../../../src/core/humanoid/bones.ts';
import { findLimbs } from '../../../../../src/core/humanoid/mapping/by-name/find-limbs.ts';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { rigOf } from '../../../../support/make/rig-text.ts';

/** The left limbs found in a rig, bone without its side = node name. */
function limbsOf(text: string): Record<string, string> {
  const skeleton = rigOf(text);
  const out: Record<string, string> = {};
  findLimbs(createNamedRig(skeleton), (bone, node) => {
    if (BONES[bone].startsWith('left')) out[BONES[bone].slice(4)] = skeleton.names[node];
  });
  return out;
}

describe('findLimbs', () => {
  it.each([
    ['LeftShoulder > LeftArm > LeftForeArm > LeftHand', ['LeftShoulder', 'LeftArm', 'LeftForeArm', 'LeftHand']],
    ['LeftCollar > LeftShoulder > LeftElbow > LeftWrist', ['LeftCollar', 'LeftShoulder', 'LeftElbow', 'LeftWrist']],
    ['LeftShoulder > LeftElbow > LeftWrist', [undefined, 'LeftShoulder', 'LeftElbow', 'LeftWrist']],
    ['Left shoulder > Left arm > Left elbow > Left wrist', ['Left shoulder', 'Left arm', 'Left elbow', 'Left wrist']],
    ['LShldr > LArm > LElbow > LHand', ['LShldr', 'LArm', 'LElbow', 'LHand']],
    ['lCollar > lShldr > lForeArm > lHand', ['lCollar', 'lShldr', 'lForeArm', 'lHand']],
    ['Clavicle_L > Shoulder_L > Elbow_L > Hand_L', ['Clavicle_L', 'Shoulder_L', 'Elbow_L', 'Hand_L']],
    ['arm1_L > arm2_L > arm3_L', [undefined, 'arm1_L', 'arm2_L', 'arm3_L']],
    ['upperarm.l > lowerarm.l > wrist.l > hand.l', [undefined, 'upperarm.l', 'lowerarm.l', 'hand.l']],
    ['DEF-arm.L > DEF-arm.L.001 > DEF-forearm.L > DEF-hand.L', [undefined, 'DEF-arm.L', 'DEF-forearm.L', 'DEF-hand.L']],
  ])('finds the joints of the arm %s', (chain, joints) => {
    const found = limbsOf(chain);
    expect([found['Shoulder'], found['UpperArm'], found['LowerArm'], found['Hand']]).toEqual(joints);
  });

  it.each([
    ['LeftUpLeg > LeftLeg > LeftFoot > LeftToeBase', ['LeftUpLeg', 'LeftLeg', 'LeftFoot', 'LeftToeBase']],
    ['LeftLeg > LeftShin > LeftFoot > LeftToeBase', ['LeftLeg', 'LeftShin', 'LeftFoot', 'LeftToeBase']],
    ['Left leg > Left knee > Left ankle > Left toe', ['Left leg', 'Left knee', 'Left ankle', 'Left toe']],
    ['LHipJoint > LeftHip > LeftKnee > LeftAnkle', ['LeftHip', 'LeftKnee', 'LeftAnkle', undefined]],
    ['left_hip > left_knee > left_ankle > left_foot', ['left_hip', 'left_knee', 'left_ankle', 'left_foot']],
    ['mHipLeft > mKneeLeft > mAnkleLeft > mFootLeft > mToeLeft', ['mHipLeft', 'mKneeLeft', 'mAnkleLeft', 'mToeLeft']],
    ['thigh.L > thigh.L.001 > shin.L > shin.L.001 > foot.L', ['thigh.L', 'shin.L', 'foot.L', undefined]],
    ['lButtock > lThigh > lShin > lFoot', ['lThigh', 'lShin', 'lFoot', undefined]],
  ])('finds the joints of the leg %s', (chain, joints) => {
    const found = limbsOf(chain);
    expect([found['UpperLeg'], found['LowerLeg'], found['Foot'], found['Toes']]).toEqual(joints);
  });

  it('prefers the arm to that of a machine on the back', () => {
    const found = limbsOf(`
      hips
       robo_upper_arm.L > robo_forearm.L > robo_hand.L
       upper_arm.L > forearm.L > hand.L`);
    expect(found).toEqual({ UpperArm: 'upper_arm.L', LowerArm: 'forearm.L', Hand: 'hand.L' });
  });

  it('finds a foot that is parented to the root for IK', () => {
    expect(limbsOf('root\n thigh.L > shin.L\n foot.L')).toEqual({
      UpperLeg: 'thigh.L',
      LowerLeg: 'shin.L',
      Foot: 'foot.L',
    });
  });

  it('maps none of five single toes', () => {
    const toes = [1, 2, 3, 4, 5].map((k) => ` toe${k}.L`).join('\n');
    expect(limbsOf(`thigh.L > shin.L > foot.L\n${toes}`)['Toes']).toBeUndefined();
    expect(limbsOf('thigh.L > shin.L > foot.L\n toe.L')['Toes']).toBe('toe.L');
  });

  it('never maps helpers', () => {
    expect(limbsOf('upperarm_twist_l > elbowIK.l > hand_ctrl_l')).toEqual({});
  });
});

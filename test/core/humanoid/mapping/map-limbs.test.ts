import { describe, expect, it } from 'vitest';
import { BONES } from '../../../../src/core/humanoid/bones.ts';
import { findLimbs } from '../../../../src/core/humanoid/mapping/map-limbs.ts';
import { readRig } from '../../../../src/core/humanoid/mapping/rig.ts';
import { rigOf } from '../../../make/rig-text.ts';

/** The left limbs found in a rig, bone without its side = node name. */
function limbsOf(text: string): Record<string, string> {
  const skeleton = rigOf(text);
  const out: Record<string, string> = {};
  findLimbs(readRig(skeleton), (bone, node) => {
    if (BONES[bone].startsWith('left')) out[BONES[bone].slice(4)] = skeleton.names[node];
  });
  return out;
}

describe('limbs by their words', () => {
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
  ])('reads the arm %s', (chain, joints) => {
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
  ])('reads the leg %s', (chain, joints) => {
    const found = limbsOf(chain);
    expect([found['UpperLeg'], found['LowerLeg'], found['Foot'], found['Toes']]).toEqual(joints);
  });

  it('takes the arm of the body, not that of a machine on its back', () => {
    const found = limbsOf(`
      hips
       robo_upper_arm.L > robo_forearm.L > robo_hand.L
       upper_arm.L > forearm.L > hand.L`);
    expect(found).toEqual({ UpperArm: 'upper_arm.L', LowerArm: 'forearm.L', Hand: 'hand.L' });
  });

  it('still finds a foot that hangs on the root for an IK solver', () => {
    expect(limbsOf('root\n thigh.L > shin.L\n foot.L')).toEqual({
      UpperLeg: 'thigh.L',
      LowerLeg: 'shin.L',
      Foot: 'foot.L',
    });
  });

  it('takes none of five single toes for the ball of the foot', () => {
    const toes = [1, 2, 3, 4, 5].map((k) => ` toe${k}.L`).join('\n');
    expect(limbsOf(`thigh.L > shin.L > foot.L\n${toes}`)['Toes']).toBeUndefined();
    expect(limbsOf('thigh.L > shin.L > foot.L\n toe.L')['Toes']).toBe('toe.L');
  });

  it('does not take helpers, also where nothing else is there', () => {
    expect(limbsOf('upperarm_twist_l > elbowIK.l > hand_ctrl_l')).toEqual({});
  });
});

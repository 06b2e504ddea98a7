import { describe, expect, it } from 'vitest';
import { BONE, REQUIRED_BONES } from '../../../../../src/core/humanoid/bones.ts';
import { expandConvention } from '../../../../../src/core/humanoid/mapping/by-name/convention-names.ts';
import { CONVENTION_NAMES } from '../../../../../src/core/humanoid/mapping/by-name/conventions.ts';
import { mapByConventions } from '../../../../../src/core/humanoid/mapping/by-name/map-by-conventions.ts';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import type { Skeleton } from '../../../../../src/core/skeleton/skeleton.ts';
import { namesByBone, rigOf, rigOfBones } from '../../../../support/make/rig-text.ts';

const bestOf = (skeleton: Skeleton) => mapByConventions(createNamedRig(skeleton))[0];

/** A humanoid without fingers, with the names that Mixamo, Ready Player Me, HumanIK, LAFAN1 and Neuron have in common. */
const shared = (spine: string, leaf: string, foot: string): Skeleton =>
  rigOf(`
    Hips
     ${spine}
      Neck > Head${leaf}
      {Left|Right}Shoulder > {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand
     {Left|Right}UpLeg > {Left|Right}Leg > ${foot}`);

describe('mapByConventions', () => {
  it.each(CONVENTION_NAMES)('recognizes a rig of %s', (name) => {
    const expanded = expandConvention(name);
    const { skeleton, nodes } = rigOfBones((bone) => expanded[bone]?.[0]);
    const best = bestOf(skeleton);
    // Conventions with the same names.
    const twins: Record<string, string> = { vrm1: 'ext_skeleton_humanoid' };
    expect(best.from).toBe(twins[name] ?? name);
    expect([...best.nodes]).toEqual([...nodes]);
  });

  it.each([
    [
      'meta_mhr',
      'l_lowarm',
      `
      body_world > root
       {l|r}_upleg > {l|r}_lowleg > {l|r}_foot > {l|r}_talocrural > {l|r}_subtalar > {l|r}_transversetarsal > {l|r}_ball
       c_spine0 > c_spine1 > c_spine2 > c_spine3
        {l|r}_clavicle > {l|r}_uparm > {l|r}_lowarm > {l|r}_wrist_twist > {l|r}_wrist
        c_neck > c_head > c_jaw`,
    ],
    [
      'nvidia_soma',
      'LeftForeArm',
      `
      Hips
       Spine1 > Spine2 > Chest
        Neck1 > Neck2 > Head > Jaw
        {Left|Right}Shoulder > {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand > {Left|Right}HandMiddleEnd
       {Left|Right}Leg > {Left|Right}Shin > {Left|Right}Foot > {Left|Right}ToeBase`,
    ],
    [
      'mmd_japanese',
      '左ひじ',
      `
      センター
       上半身
        首 > 頭
        {左|右}肩 > {左|右}腕 > {左|右}ひじ > {左|右}手首 > {左|右}人指１
       下半身
        {左|右}足 > {左|右}ひざ > {左|右}足首 > {左|右}つま先`,
    ],
    [
      'mmd_japanese',
      '左ひじ',
      `
      全ての親 > センター > グルーブ > 腰
       上半身 > 上半身2
        首 > 頭 > 両目
        {左|右}肩P > {左|右}肩 > {左|右}肩C > {左|右}腕 > {左|右}腕捩 > {左|右}ひじ > {左|右}手捩 > {左|右}手首 > {左|右}親指０
       下半身
        {左|右}足D > {左|右}ひざD > {左|右}足首D > {左|右}足先EX`,
    ],
    [
      'quaternius',
      'LowerArm.L',
      `
      Root > Hips
       Abdomen > Torso > Chest
        Neck > Head
        Shoulder.{L|R} > UpperArm.{L|R} > LowerArm.{L|R} > Hand.{L|R}
       UpperLeg.{L|R} > LowerLeg.{L|R} > Foot.{L|R}`,
    ],
    [
      'second_life_bento',
      'mElbowLeft',
      `
      mPelvis
       mSpine1 > mSpine2 > mTorso > mSpine3 > mSpine4 > mChest
        mNeck > mHead
        mCollar{Left|Right} > mShoulder{Left|Right} > mElbow{Left|Right} > mWrist{Left|Right}
       mHip{Left|Right} > mKnee{Left|Right} > mAnkle{Left|Right} > mFoot{Left|Right} > mToe{Left|Right}`,
    ],
    [
      'roblox_r15',
      'LeftLowerArm',
      `
      HumanoidRootPart > LowerTorso
       UpperTorso
        Head
        {Left|Right}UpperArm > {Left|Right}LowerArm > {Left|Right}Hand
       {Left|Right}UpperLeg > {Left|Right}LowerLeg > {Left|Right}Foot`,
    ],
  ])('recognizes the skeleton of %s with its other joints', (name, elbow, text) => {
    const skeleton = rigOf(text);
    const best = bestOf(skeleton);
    expect(best.from).toBe(name);
    expect(skeleton.names[best.nodes[BONE.leftLowerArm]]).toBe(elbow);
    for (const bone of REQUIRED_BONES)
      if (bone !== 'spine' || name !== 'roblox_r15') expect(best.nodes[BONE[bone]], bone).toBeGreaterThanOrEqual(0);
  });

  it('separates conventions with the same bone names by other nodes', () => {
    const foot = '{Left|Right}Foot > {Left|Right}ToeBase';
    const spine = 'Spine > Spine1 > Spine2';
    expect(bestOf(shared(spine, '', foot)).from).toBe('ready_player_me');
    expect(bestOf(shared(`${spine} > Spine3`, '', foot)).from).toBe('perception_neuron_axis');
    expect(bestOf(shared(spine, '', '{Left|Right}Foot > {Left|Right}Toe')).from).toBe('lafan1');
    expect(bestOf(shared(spine, ' > HeadTop_End', foot)).from).toBe('ready_player_me');
    const palms = '{Left|Right}Foot > {Left|Right}ToeBase';
    const hands = shared(spine, '', palms);
    const names = hands.names.map((name) => (name === 'LeftToeBase' ? 'LeftInHandIndex' : name));
    expect(bestOf({ ...hands, names }).from).toBe('humanik_motionbuilder');
  });

  it('separates thumbs of VRM 0 and VRM 1 by their joints', () => {
    const rig = (joints: string): Skeleton => rigOf(`hips > spine > head\n hand_{L|R}`.replace('hand_{L|R}', joints));
    const vrm0 = bestOf(rig('leftHand > leftThumbProximal > leftThumbIntermediate > leftThumbDistal'));
    expect(vrm0.from).toBe('vrm0');
    expect(vrm0.nodes[BONE.leftThumbMetacarpal]).toBe(4);
    const vrm1 = bestOf(rig('leftHand > leftThumbMetacarpal > leftThumbProximal > leftThumbDistal'));
    expect(vrm1.from).toBe('ext_skeleton_humanoid');
    expect(vrm1.nodes[BONE.leftThumbProximal]).toBe(5);
  });

  it('prefers the joint to a mesh or prop of the same name', () => {
    const skeleton = rigOf(`
      Armature !
       Head !
       Hips
        Head !
        Spine > Neck > Head
         Head !`);
    const { nodes } = bestOf(skeleton);
    expect(skeleton.joints[nodes[BONE.head]]).toBe(1);
  });

  it('prefers the joint to a mesh higher in the hierarchy', () => {
    const skeleton = rigOf('Hips > Spine > Neck\n Head !\n offset > Head');
    expect(skeleton.joints[bestOf(skeleton).nodes[BONE.head]]).toBe(1);
  });

  it('prefers the joint of the limb to an IK target on the root', () => {
    const skeleton = rigOf('root\n LeftHand\n Hips > Spine > LeftShoulder > LeftArm > LeftForeArm > LeftHand');
    expect(bestOf(skeleton).nodes[BONE.leftHand]).toBe(skeleton.names.lastIndexOf('LeftHand'));
  });

  it('prefers the bone to a stub of the same name before it', () => {
    const skeleton = rigOf('Hips > Spine\n Neck > Head\n __Shoulder_{L|R} > Shoulder_{L|R} > UpperArm_{L|R}');
    expect(namesByBone(skeleton, bestOf(skeleton).nodes).leftShoulder).toBe('Shoulder_L');
  });

  it('uses one of two skeletons with the same names', () => {
    const humanoid = `
       Hips
        Spine > Neck > Head
        {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Foot`;
    const skeleton = rigOf(`Scene !${humanoid}${humanoid}`);
    const { nodes } = bestOf(skeleton);
    const used = [...nodes].filter((node) => node >= 0);
    const half = (skeleton.names.length - 1) / 2;
    expect(new Set(used.map((node) => node > half)).size).toBe(1);
  });

  it('has the highest confidence when all required bones are named', () => {
    const expanded = expandConvention('lafan1');
    const whole = bestOf(rigOfBones((bone) => expanded[bone]?.[0]).skeleton);
    expect(whole.confidences[BONE.hips]).toBe(1);
    const half = rigOfBones((bone) => (/Leg|Foot|Toes/.test(bone) ? undefined : expanded[bone]?.[0]));
    const partly = bestOf(half.skeleton);
    expect(partly.confidences[BONE.hips]).toBeLessThan(0.9);
    expect(namesByBone(half.skeleton, partly.nodes).hips).toBe('Hips');
  });

  it('finds nothing in a rig without meaningful names', () => {
    expect(mapByConventions(createNamedRig(rigOf('Bone > Bone.001 > Bone.002')))).toEqual([]);
    expect(mapByConventions(createNamedRig(rigOf('a > b')))).toEqual([]);
  });
});

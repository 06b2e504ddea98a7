import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import { expandConvention } from '../../../../src/core/humanoid/mapping/convention-names.ts';
import { CONVENTION_NAMES } from '../../../../src/core/humanoid/mapping/conventions.ts';
import { mapByConventions } from '../../../../src/core/humanoid/mapping/map-conventions.ts';
import { readRig } from '../../../../src/core/humanoid/mapping/rig.ts';
import type { Skeleton } from '../../../../src/core/skeleton/skeleton.ts';
import { namesByBone, rigOf, rigOfBones } from '../../../make/rig-text.ts';

const bestOf = (skeleton: Skeleton) => mapByConventions(readRig(skeleton))[0];

/** A body without fingers in names that Mixamo, Ready Player Me, HumanIK, LAFAN1 and Neuron share. */
const shared = (spine: string, leaf: string, foot: string): Skeleton =>
  rigOf(`
    Hips
     ${spine}
      Neck > Head${leaf}
      {Left|Right}Shoulder > {Left|Right}Arm > {Left|Right}ForeArm > {Left|Right}Hand
     {Left|Right}UpLeg > {Left|Right}Leg > ${foot}`);

describe('reading a rig by conventions', () => {
  it.each(CONVENTION_NAMES)('knows a rig of %s for what it is', (name) => {
    const expanded = expandConvention(name);
    const { skeleton, nodes } = rigOfBones((bone) => expanded[bone]?.[0]);
    const best = bestOf(skeleton);
    // Vocabularies that are the same, or one part of the other where the rig has no more.
    const twins: Record<string, string> = { vrm1: 'ext_skeleton_humanoid' };
    expect(best.from).toBe(twins[name] ?? name);
    expect([...best.nodes]).toEqual([...nodes]);
  });

  it('tells conventions that name the bones alike by what else is there', () => {
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

  it('tells thumbs of VRM 0 from those of VRM 1 by the joints that there are', () => {
    const rig = (joints: string): Skeleton => rigOf(`hips > spine > head\n hand_{L|R}`.replace('hand_{L|R}', joints));
    const vrm0 = bestOf(rig('leftHand > leftThumbProximal > leftThumbIntermediate > leftThumbDistal'));
    expect(vrm0.from).toBe('vrm0');
    expect(vrm0.nodes[BONE.leftThumbMetacarpal]).toBe(4);
    const vrm1 = bestOf(rig('leftHand > leftThumbMetacarpal > leftThumbProximal > leftThumbDistal'));
    expect(vrm1.from).toBe('ext_skeleton_humanoid');
    expect(vrm1.nodes[BONE.leftThumbProximal]).toBe(5);
  });

  it('takes the joint, not the mesh or the prop of the same name', () => {
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

  it('takes the joint also where the mesh hangs higher', () => {
    const skeleton = rigOf('Hips > Spine > Neck\n Head !\n offset > Head');
    expect(skeleton.joints[bestOf(skeleton).nodes[BONE.head]]).toBe(1);
  });

  it('takes the joint of the body, not the one on the root for an IK solver', () => {
    const skeleton = rigOf('root\n LeftHand\n Hips > Spine > LeftShoulder > LeftArm > LeftForeArm > LeftHand');
    expect(bestOf(skeleton).nodes[BONE.leftHand]).toBe(skeleton.names.lastIndexOf('LeftHand'));
  });

  it('takes the bone, not the stub of the same name before it', () => {
    const skeleton = rigOf('Hips > Spine\n Neck > Head\n __Shoulder_{L|R} > Shoulder_{L|R} > UpperArm_{L|R}');
    expect(namesByBone(skeleton, bestOf(skeleton).nodes).leftShoulder).toBe('Shoulder_L');
  });

  it('keeps to one body where a file has two of the same names', () => {
    const body = `
       Hips
        Spine > Neck > Head
        {Left|Right}UpLeg > {Left|Right}Leg > {Left|Right}Foot`;
    const skeleton = rigOf(`Scene !${body}${body}`);
    const { nodes } = bestOf(skeleton);
    const used = [...nodes].filter((node) => node >= 0);
    const half = (skeleton.names.length - 1) / 2;
    expect(new Set(used.map((node) => node > half)).size).toBe(1);
  });

  it('is surest where every required bone is explained', () => {
    const expanded = expandConvention('lafan1');
    const whole = bestOf(rigOfBones((bone) => expanded[bone]?.[0]).skeleton);
    expect(whole.sure[BONE.hips]).toBe(1);
    const half = rigOfBones((bone) => (/Leg|Foot|Toes/.test(bone) ? undefined : expanded[bone]?.[0]));
    const partly = bestOf(half.skeleton);
    expect(partly.sure[BONE.hips]).toBeLessThan(0.9);
    expect(namesByBone(half.skeleton, partly.nodes).hips).toBe('Hips');
  });

  it('finds nothing in a rig without names that mean something', () => {
    expect(mapByConventions(readRig(rigOf('Bone > Bone.001 > Bone.002')))).toEqual([]);
    expect(mapByConventions(readRig(rigOf('a > b')))).toEqual([]);
  });
});

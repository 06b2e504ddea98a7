import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../../src/core/humanoid/bones.ts';
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

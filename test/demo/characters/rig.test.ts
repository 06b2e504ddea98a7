import { describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { NAMINGS } from '../../../src/demo/characters/naming.ts';
import { type ExtraJoints, rigJoints } from '../../../src/demo/characters/rig.ts';
import { makeFigure } from '../../../src/demo/figure/figure.ts';
import { ADULT } from '../../../src/demo/figure/proportions.ts';

const figure = makeFigure(ADULT);
const names = (...extras: ExtraJoints[]): string[] =>
  rigJoints(figure, ['jaw'], extras, NAMINGS.mixamo).map(({ name }) => name.replace('mixamorig:', ''));

describe('rigJoints', () => {
  it('lists every bone once, parents first, each below its parent', () => {
    const joints = rigJoints(figure, [], [], NAMINGS.vrm);
    expect(joints.map(({ bone }) => bone).sort((a, b) => a - b)).toEqual(BONES.map((_, bone) => bone));
    joints.forEach(({ parent, bone, motionBone }, k) => {
      expect(parent).toBeLessThan(k);
      expect(motionBone).toBe(bone);
    });
    const hand = joints.findIndex(({ bone }) => bone === BONE.leftHand);
    expect(joints[joints[hand].parent].bone).toBe(BONE.leftLowerArm);
  });

  it('adds leaf joints to head, toes and fingers, or to the limbs if those are missing', () => {
    const added = names('ends').filter((name) => !names().includes(name));
    expect(added.length).toBe(13);
    expect(added).toEqual(expect.arrayContaining(['HeadTop_End', 'LeftToe_End', 'RightHandThumb4']));
    const stubs = rigJoints(figure, ['fingers', 'toes'], ['ends'], NAMINGS.vrm).filter(({ bone }) => bone < 0);
    expect(stubs.map(({ name }) => name).sort()).toEqual(
      ['head_end', 'leftFoot_end', 'leftHand_end', 'rightFoot_end', 'rightHand_end'].sort(),
    );
  });

  it('adds in-between joints, moved by the parent bone and, in the trunk, blended with the child bone', () => {
    const joints = rigJoints(figure, ['upperChest', 'jaw'], ['spine', 'joints'], NAMINGS.cmu);
    const between = joints.filter(({ bone }) => bone < 0);
    expect(between.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['LHipJoint', 'RHipJoint', 'Neck1', 'LowerBack_dummy']),
    );
    expect(between.length).toBe(6);
    const neck = between.find(({ blendBone }) => blendBone === BONE.neck)!;
    expect(neck.motionBone).toBe(BONE.chest);
    expect(between.find(({ name }) => name === 'LHipJoint')!.blendBone).toBe(-1);
  });

  it('adds a twist joint for each upper and lower limb', () => {
    const added = names('twist').filter((name) => !names().includes(name));
    expect(added.sort()).toEqual(
      ['ForeArmRoll', 'ArmRoll', 'LegRoll', 'UpLegRoll'].flatMap((part) => [`Left${part}`, `Right${part}`]).sort(),
    );
  });
});

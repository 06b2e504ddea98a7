import { describe, expect, it } from 'vitest';
import { BONES } from '../../../../src/core/humanoid/bones.ts';
import { distributeSpine, findNeck, findTrunk } from '../../../../src/core/humanoid/mapping/map-trunk.ts';
import { readRig } from '../../../../src/core/humanoid/mapping/rig.ts';
import { rigOf } from '../../../make/rig-text.ts';

const LIMBS: Readonly<Record<string, string>> = {
  leftUpperLeg: 'LeftThigh',
  rightUpperLeg: 'RightThigh',
  leftUpperArm: 'LeftArm',
  rightUpperArm: 'RightArm',
  head: 'Head',
};

/** Names of hips and spine that the tree of a rig gives; limbs are known by their names. */
function trunkOf(text: string, more: Readonly<Record<string, string>> = {}) {
  const skeleton = rigOf(text);
  const nodes = new Int32Array(BONES.length).fill(-1);
  for (const [bone, name] of Object.entries({ ...LIMBS, ...more })) {
    nodes[BONES.indexOf(bone as never)] = skeleton.names.indexOf(name);
  }
  const rig = readRig(skeleton);
  const trunk = findTrunk(rig, nodes, new Uint8Array(skeleton.names.length));
  const neck = findNeck(rig, trunk.top, skeleton.names.indexOf('Head'));
  return {
    hips: skeleton.names[trunk.hips],
    hipsNamed: trunk.hipsNamed,
    spine: trunk.spine.map((node) => skeleton.names[node]),
    neck: skeleton.names[neck],
  };
}

describe('hips and spine by the tree', () => {
  it('has the hips where legs and arms meet, whatever they are called', () => {
    const text = `
      anything
       {Left|Right}Thigh
       spine > chest
        {Left|Right}Arm
        Neck1 > Neck2 > Head`;
    expect(trunkOf(text)).toEqual({ hips: 'anything', hipsNamed: false, spine: ['spine', 'chest'], neck: 'Neck1' });
  });

  it('does not take hips that hold only the legs, or only the upper body', () => {
    expect(trunkOf('Root\n Hips\n  {Left|Right}Thigh\n Spine\n  {Left|Right}Arm\n  Head').hips).toBe('Root');
    expect(trunkOf('Body\n {Left|Right}Thigh\n Hips > Torso\n  {Left|Right}Arm\n  Head').hips).toBe('Body');
  });

  it('keeps hips that a map has above all of it', () => {
    const text = 'Hips > Pelvis\n {Left|Right}Thigh\n Spine\n  {Left|Right}Arm\n  Head';
    expect(trunkOf(text, { hips: 'Hips' }).hips).toBe('Hips');
    expect(trunkOf(text).hips).toBe('Pelvis');
  });

  it('takes the pelvis above the first spine bone when the thighs hang on that', () => {
    expect(trunkOf('Pelvis > Spine\n {Left|Right}Thigh\n Spine1\n  {Left|Right}Arm\n  Head')).toMatchObject({
      hips: 'Pelvis',
      spine: ['Spine', 'Spine1'],
    });
  });

  it('ends the spine below the neck when the arms hang on that', () => {
    expect(trunkOf('Hips\n {Left|Right}Thigh\n Spine > Neck\n  {Left|Right}Arm\n  Head').spine).toEqual(['Spine']);
    expect(trunkOf('Hips\n {Left|Right}Thigh\n a > Neck\n  {Left|Right}Arm\n  Head').spine).toEqual(['a']);
  });

  it('takes joints that no word names for the spine only when no word names one', () => {
    expect(trunkOf('Hips\n {Left|Right}Thigh\n a > b\n  {Left|Right}Arm\n  Head').spine).toEqual(['a', 'b']);
    expect(trunkOf('Hips\n {Left|Right}Thigh\n a > Spine > b\n  {Left|Right}Arm\n  Head').spine).toEqual(['Spine']);
  });

  it('counts copies that a control rig stacks on a spine bone once', () => {
    const text =
      'torso\n {Left|Right}Thigh\n MCH-spine.1 > spine_fk.1 > spine_fk.2 > ORG-spine.2\n  {Left|Right}Arm\n  Head';
    expect(trunkOf(text).spine).toEqual(['spine_fk.1', 'spine_fk.2']);
  });

  it('finds the hips of half a body by their word', () => {
    const text = 'Armature > Hips > Spine\n {Left|Right}Arm\n Head';
    expect(trunkOf(text, { leftUpperLeg: 'none', rightUpperLeg: 'none' })).toMatchObject({
      hips: 'Hips',
      spine: ['Spine'],
    });
  });

  it('does not make an armature the hips of limbs that meet only there', () => {
    const text = `
      Armature !
       Pelvis
        Spine
         {Left|Right}Arm
         Head
       {Left|Right}Thigh`;
    expect(trunkOf(text, { hips: 'Pelvis' }).hips).toBe('Pelvis');
  });

  it('spreads a spine of any length over three bones', () => {
    expect(distributeSpine([])).toEqual([-1, -1, -1]);
    expect(distributeSpine([4])).toEqual([4, -1, -1]);
    expect(distributeSpine([4, 5])).toEqual([4, 5, -1]);
    expect(distributeSpine([4, 5, 6])).toEqual([4, 5, 6]);
    expect(distributeSpine([4, 5, 6, 7])).toEqual([4, 5, 7]);
    expect(distributeSpine([4, 5, 6, 7, 8])).toEqual([4, 6, 8]);
    expect(distributeSpine([1, 2, 3, 4, 5, 6, 7])).toEqual([1, 4, 7]);
  });
});

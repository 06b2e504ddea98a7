import { describe, expect, it } from 'vitest';
import { BONES } from '../../../../../src/core/humanoid/bones.ts';
import { findNeck, findTrunk } from '../../../../../src/core/humanoid/mapping/by-name/find-trunk.ts';
import { createNamedRig } from '../../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { rigOf } from '../../../../support/make/rig-text.ts';

const LIMBS: Readonly<Record<string, string>> = {
  leftUpperLeg: 'LeftThigh',
  rightUpperLeg: 'RightThigh',
  leftUpperArm: 'LeftArm',
  rightUpperArm: 'RightArm',
  head: 'Head',
};

/** Names of hips, spine and neck of a rig whose limbs are mapped by name. */
function trunkOf(text: string, more: Readonly<Record<string, string>> = {}) {
  const skeleton = rigOf(text);
  const nodes = new Int32Array(BONES.length).fill(-1);
  for (const [bone, name] of Object.entries({ ...LIMBS, ...more })) {
    nodes[BONES.indexOf(bone as never)] = skeleton.names.indexOf(name);
  }
  const rig = createNamedRig(skeleton);
  const trunk = findTrunk(rig, nodes, new Uint8Array(skeleton.names.length));
  const neck = findNeck(rig, trunk.top, skeleton.names.indexOf('Head'));
  return {
    hips: skeleton.names[trunk.hips],
    hipsNamed: trunk.hipsNamed,
    spine: trunk.spine.map((node) => skeleton.names[node]),
    neck: skeleton.names[neck],
  };
}

describe('findTrunk and findNeck', () => {
  it('finds unnamed hips where legs and arms meet', () => {
    const text = `
      anything
       {Left|Right}Thigh
       spine > chest
        {Left|Right}Arm
        Neck1 > Neck2 > Head`;
    expect(trunkOf(text)).toEqual({ hips: 'anything', hipsNamed: false, spine: ['spine', 'chest'], neck: 'Neck1' });
  });

  it('rejects named hips above only the legs or only the trunk', () => {
    expect(trunkOf('Root\n Hips\n  {Left|Right}Thigh\n Spine\n  {Left|Right}Arm\n  Head').hips).toBe('Root');
    expect(trunkOf('Body\n {Left|Right}Thigh\n Hips > Torso\n  {Left|Right}Arm\n  Head').hips).toBe('Body');
  });

  it('finds named hips above the legs where legs and trunk only meet in the armature', () => {
    const text = 'Armature !\n Pelvis !\n  {Left|Right}Thigh !\n Torso > Chest\n  {Left|Right}Arm\n  Head';
    expect(trunkOf(text)).toMatchObject({ hips: 'Pelvis', hipsNamed: true });
  });

  it.each([
    ['Ab > Chest', 'Ab Chest'],
    ['x1 > Thorax', 'x1 Thorax'],
    ['x1 > x2 > Torso > UpperTorso', 'x1 x2 Torso UpperTorso'],
    // What is above the chest or below a named spine stays unmapped.
    ['Chest > x1', 'Chest'],
    ['x1 > Spine > Chest', 'Spine Chest'],
    ['HipsTwist > Chest', 'Chest'],
  ])('finds the spine of Hips > %s', (chain, spine) => {
    const text = `Hips\n {Left|Right}Thigh\n ${chain}\n  {Left|Right}Arm\n  Head`;
    expect(trunkOf(text).spine.join(' ')).toBe(spine);
  });

  it('keeps mapped hips above legs and arms', () => {
    const text = 'Hips > Pelvis\n {Left|Right}Thigh\n Spine\n  {Left|Right}Arm\n  Head';
    expect(trunkOf(text, { hips: 'Hips' }).hips).toBe('Hips');
    expect(trunkOf(text).hips).toBe('Pelvis');
  });

  it('finds the pelvis above a spine bone that the thighs are parented to', () => {
    expect(trunkOf('Pelvis > Spine\n {Left|Right}Thigh\n Spine1\n  {Left|Right}Arm\n  Head')).toMatchObject({
      hips: 'Pelvis',
      spine: ['Spine', 'Spine1'],
    });
  });

  it('ends the spine below a neck that the arms are parented to', () => {
    expect(trunkOf('Hips\n {Left|Right}Thigh\n Spine > Neck\n  {Left|Right}Arm\n  Head').spine).toEqual(['Spine']);
    expect(trunkOf('Hips\n {Left|Right}Thigh\n a > Neck\n  {Left|Right}Arm\n  Head').spine).toEqual(['a']);
  });

  it('uses unnamed spine joints only without named ones', () => {
    expect(trunkOf('Hips\n {Left|Right}Thigh\n a > b\n  {Left|Right}Arm\n  Head').spine).toEqual(['a', 'b']);
    expect(trunkOf('Hips\n {Left|Right}Thigh\n a > Spine > b\n  {Left|Right}Arm\n  Head').spine).toEqual(['Spine']);
  });

  it('drops the copies of spine bones in a control rig', () => {
    const text =
      'torso\n {Left|Right}Thigh\n MCH-spine.1 > spine_fk.1 > spine_fk.2 > ORG-spine.2\n  {Left|Right}Arm\n  Head';
    expect(trunkOf(text).spine).toEqual(['spine_fk.1', 'spine_fk.2']);
  });

  it('finds the hips of a skeleton without legs by their name', () => {
    const text = 'Armature > Hips > Spine\n {Left|Right}Arm\n Head';
    expect(trunkOf(text, { leftUpperLeg: 'none', rightUpperLeg: 'none' })).toMatchObject({
      hips: 'Hips',
      spine: ['Spine'],
    });
  });

  it('rejects an armature as the hips', () => {
    const text = `
      Armature !
       Pelvis
        Spine
         {Left|Right}Arm
         Head
       {Left|Right}Thigh`;
    expect(trunkOf(text, { hips: 'Pelvis' }).hips).toBe('Pelvis');
  });
});

import { describe, expect, it } from 'vitest';
import { BONE, BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import { mapByConventions } from '../../../../src/core/humanoid/mapping/by-name/map-by-conventions.ts';
import { createNamedRig } from '../../../../src/core/humanoid/mapping/by-name/named-rig.ts';
import { bodyPositions } from '../../../../src/core/humanoid/rigs/body-proportions.ts';
import { createRigSkeleton } from '../../../../src/core/humanoid/rigs/create-rig-skeleton.ts';
import { JOINT_NAMINGS, renameBones } from '../../../../src/core/humanoid/rigs/joint-names.ts';

function nodesOf(bones: Readonly<Record<string, number>>): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  for (const [bone, node] of Object.entries(bones)) nodes[BONE[bone as keyof typeof BONE]] = node;
  return nodes;
}

describe('renameBones', () => {
  it('gives bones the names of the convention, and leaves other nodes alone', () => {
    const nodes = nodesOf({ hips: 1, leftUpperArm: 2, leftThumbMetacarpal: 3 });
    const names = ['Armature', 'pelvis', 'upperarm_l', 'thumb_01_l', 'sword'];
    expect(renameBones(names, nodes, 'mixamo')).toEqual([
      'Armature',
      'mixamorig:Hips',
      'mixamorig:LeftArm',
      'mixamorig:LeftHandThumb1',
      'sword',
    ]);
    expect(renameBones(names, nodes, 'unity').slice(1, 4)).toEqual(['Hips', 'LeftUpperArm', 'LeftThumbProximal']);
    expect(renameBones(names, nodes, 'vrm').slice(1, 4)).toEqual(['hips', 'leftUpperArm', 'leftThumbMetacarpal']);
    expect(renameBones(names, nodes, 'rigify').slice(1, 4)).toEqual(['DEF-spine', 'DEF-upper_arm.L', 'DEF-thumb.01.L']);
  });

  it('keeps the name of a bone that the convention does not have', () => {
    expect(renameBones(['Hips', 'eyeball'], nodesOf({ hips: 0, leftEye: 1 }), 'humanik')).toEqual(['Hips', 'eyeball']);
  });

  it('numbers a name that another node keeps', () => {
    const names = ['Root', 'pelvis', 'Hips', 'Hips_2'];
    expect(renameBones(names, nodesOf({ hips: 1 }), 'unity')).toEqual(['Root', 'Hips_3', 'Hips', 'Hips_2']);
  });

  it('exchanges names between bones', () => {
    // Spine is the name of the chest in one rig and of the spine in the other.
    const nodes = nodesOf({ hips: 0, spine: 1, chest: 2 });
    expect(renameBones(['Hips', 'LowerBack', 'Spine'], nodes, 'mixamo').slice(1)).toEqual([
      'mixamorig:Spine',
      'mixamorig:Spine1',
    ]);
    expect(renameBones(['Hips', 'Chest', 'Spine'], nodes, 'unity')).toEqual(['Hips', 'Spine', 'Chest']);
  });

  it.each(JOINT_NAMINGS)('makes a rig that is recognized by the names of %s', (naming) => {
    const skeleton = createRigSkeleton('smplx', bodyPositions(null));
    const [own] = mapByConventions(createNamedRig(skeleton));
    const names = renameBones(skeleton.names, own.nodes, naming);
    const [map] = mapByConventions(createNamedRig({ ...skeleton, names }));
    const named = own.nodes.map((node) => (names[node] === skeleton.names[node] ? -1 : node));
    // Unreal has five spine joints, of which any of two may be the spine or the upper chest.
    for (const [bone, node] of named.entries()) if (node >= 0) expect(map.nodes[bone]).toBe(node);
  });
});

import { describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../../../src/core/humanoid/bones.ts';
import { hierarchyFaults, isAllowedAncestor } from '../../../../src/core/humanoid/mapping/hierarchy-faults.ts';
import { rigOf, rigOfBones } from '../../../support/make/rig-text.ts';

/** Node per bone by `bone=node name`. */
function mapOf(names: readonly string[], bones: Readonly<Record<string, string>>): Int32Array {
  const nodes = new Int32Array(BONES.length).fill(-1);
  for (const [bone, name] of Object.entries(bones)) nodes[BONES.indexOf(bone as never)] = names.indexOf(name);
  return nodes;
}

function faultyBones(parents: Int32Array, nodes: Int32Array): string[] {
  const faults = hierarchyFaults(parents, nodes);
  return BONES.filter((_, bone) => faults[bone] === 1);
}

describe('hierarchyFaults', () => {
  it('finds no fault in a valid hierarchy with all bones or with few', () => {
    const all = rigOfBones((bone) => bone);
    expect(faultyBones(all.skeleton.parents, all.nodes)).toEqual([]);
    const few = rigOfBones((bone) => (/hips|head|Hand|Foot|Distal/.test(bone) ? bone : undefined));
    expect(faultyBones(few.skeleton.parents, few.nodes)).toEqual([]);
  });

  it('ignores unmapped nodes between bones', () => {
    const { names, parents } = rigOf('root > hips > waist > spine > x > y > head');
    expect(faultyBones(parents, mapOf(names, { hips: 'hips', spine: 'spine', head: 'head' }))).toEqual([]);
  });

  it('finds bones whose nearest mapped ancestor is not their parent bone', () => {
    const { names, parents } = rigOf(`
      hips
       thigh > shin
       foot
      head`);
    const nodes = mapOf(names, {
      hips: 'hips',
      head: 'head',
      leftUpperLeg: 'thigh',
      leftLowerLeg: 'shin',
      leftFoot: 'foot',
    });
    expect(faultyBones(parents, nodes)).toEqual(['head', 'leftFoot']);
  });

  it('accepts thighs below the spine and clavicles below the neck (Biped)', () => {
    const { names, parents } = rigOf(`
      hips > spine
       thigh
       chest > neck
        clavicle > arm
        head`);
    const nodes = mapOf(names, {
      hips: 'hips',
      spine: 'spine',
      chest: 'chest',
      neck: 'neck',
      head: 'head',
      leftUpperLeg: 'thigh',
      leftShoulder: 'clavicle',
      leftUpperArm: 'arm',
    });
    expect(faultyBones(parents, nodes)).toEqual([]);
    expect(isAllowedAncestor(BONE.leftLowerLeg, BONE.spine, nodes)).toBe(false);
  });
});

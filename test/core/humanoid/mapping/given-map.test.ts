import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { GivenBones } from '../../../../src/core/humanoid/humanoid.ts';
import { mapFromGiven, mapGivenBones } from '../../../../src/core/humanoid/mapping/given-map.ts';
import { rigOf } from '../../../make/rig-text.ts';

const skeleton = rigOf(`
  Armature !
   mixamorig:Hips
    mixamorig:Spine
    Leg > Leg > Foot`);
/** The file numbers them backwards, from 20. */
const sourceNodes = Int32Array.from([25, 24, 23, 22, 21, 20]);

const messagesOf = (given: unknown): string[] =>
  mapGivenBones(skeleton, sourceNodes, given as GivenBones).issues.map(({ message }) => message);

describe('a bone map of the caller', () => {
  it('takes names and indices of the file', () => {
    const map = mapFromGiven(skeleton, sourceNodes, { hips: 'mixamorig:Hips', spine: 23, leftUpperLeg: 22 });
    expect([map.nodes[BONE.hips], map.nodes[BONE.spine], map.nodes[BONE.leftUpperLeg]]).toEqual([1, 2, 3]);
    expect(map.nodes.filter((node) => node >= 0)).toHaveLength(3);
    expect([...map.confidence].filter((value) => value === 1)).toHaveLength(3);
    expect(map.from).toBe('given');
  });

  it('takes a name in another spelling where only one node can be meant', () => {
    expect(mapFromGiven(skeleton, sourceNodes, { hips: 'mixamorigHips', leftFoot: 'foot' }).nodes[BONE.hips]).toBe(1);
  });

  it('says which bone there is when a bone is misspelt', () => {
    expect(() => mapFromGiven(skeleton, sourceNodes, { leftUperArm: 1 } as GivenBones)).toThrow(RangeError);
    expect(messagesOf({ leftUperArm: 'Foot' })[0]).toMatch(
      /"leftUperArm": there is no such bone; did you mean "leftUpperArm"/,
    );
    expect(messagesOf({ constructor: 'Foot' })[0]).toMatch(/no such bone/);
    expect(messagesOf(JSON.parse('{"__proto__": 1}'))[0]).toMatch(/no such bone/);
  });

  it('says which node there is when a node is misspelt', () => {
    expect(messagesOf({ hips: 'mixamorig:Hip' })[0]).toMatch(
      /no node of the skeleton is named "mixamorig:Hip"; did you mean "mixamorig:Hips"/,
    );
    expect(messagesOf({ hips: 'nothing of the kind at all' })[0]).not.toMatch(/did you mean/);
  });

  it('asks for an index where a name is not enough', () => {
    expect(messagesOf({ leftLowerLeg: 'Leg' })[0]).toMatch(/2 nodes are named "Leg"; give the index of one: 22, 21/);
  });

  it('refuses indices of other skeletons, two bones on one node, and what is neither name nor index', () => {
    expect(messagesOf({ hips: 3 })[0]).toMatch(/node 3 of the file is not in the skeleton/);
    expect(messagesOf({ hips: -1 })).toHaveLength(1);
    expect(messagesOf({ hips: 24, spine: 'mixamorig:Hips' })[0]).toMatch(/"spine": its node is already hips/);
    for (const value of [null, true, {}, [], Number.NaN, 1.5, '']) expect(messagesOf({ hips: value })).toHaveLength(1);
  });

  it('keeps what can be followed beside what cannot', () => {
    const { map, issues } = mapGivenBones(skeleton, sourceNodes, { hips: 24, spine: 99 });
    expect(map.nodes[BONE.hips]).toBe(1);
    expect(map.nodes[BONE.spine]).toBe(-1);
    expect(issues.map(({ code, severity }) => [code, severity])).toEqual([['BONE_MAP_INVALID', 'error']]);
  });
});

import { describe, expect, it } from 'vitest';
import { BONE } from '../../../../src/core/humanoid/bones.ts';
import type { BoneAssignments } from '../../../../src/core/humanoid/humanoid.ts';
import { createBoneMap, resolveBoneMap } from '../../../../src/core/humanoid/mapping/create-bone-map.ts';
import { rigOf } from '../../../support/make/rig-text.ts';

const skeleton = rigOf(`
  Armature !
   mixamorig:Hips
    mixamorig:Spine
    Leg > Leg > Foot`);
/** Indices in the file: backwards from 20. */
const sourceNodes = Int32Array.from([25, 24, 23, 22, 21, 20]);

const messagesOf = (assignments: unknown): string[] =>
  resolveBoneMap(skeleton, sourceNodes, assignments as BoneAssignments).issues.map(({ message }) => message);

describe('createBoneMap and resolveBoneMap', () => {
  it('createBoneMap: accepts node names and indices of the file', () => {
    const map = createBoneMap(skeleton, sourceNodes, { hips: 'mixamorig:Hips', spine: 23, leftUpperLeg: 22 });
    expect([map.nodes[BONE.hips], map.nodes[BONE.spine], map.nodes[BONE.leftUpperLeg]]).toEqual([1, 2, 3]);
    expect(map.nodes.filter((node) => node >= 0)).toHaveLength(3);
    expect([...map.confidence].filter((value) => value === 1)).toHaveLength(3);
    expect(map.from).toBe('given');
  });

  it('createBoneMap: accepts another spelling that matches one node', () => {
    expect(createBoneMap(skeleton, sourceNodes, { hips: 'mixamorigHips', leftFoot: 'foot' }).nodes[BONE.hips]).toBe(1);
  });

  it('resolveBoneMap: suggests bone names for a misspelled bone', () => {
    expect(() => createBoneMap(skeleton, sourceNodes, { leftUperArm: 1 } as BoneAssignments)).toThrow(RangeError);
    expect(messagesOf({ leftUperArm: 'Foot' })[0]).toMatch(
      /"leftUperArm": no bone has this name; did you mean "leftUpperArm"/,
    );
    expect(messagesOf({ constructor: 'Foot' })[0]).toMatch(/no bone has this name/);
    expect(messagesOf(JSON.parse('{"__proto__": 1}'))[0]).toMatch(/no bone has this name/);
  });

  it('resolveBoneMap: suggests node names for a misspelled node', () => {
    expect(messagesOf({ hips: 'mixamorig:Hip' })[0]).toMatch(
      /the skeleton has no node named "mixamorig:Hip"; did you mean "mixamorig:Hips"/,
    );
    expect(messagesOf({ hips: 'nothing of the kind at all' })[0]).not.toMatch(/did you mean/);
  });

  it('resolveBoneMap: asks for an index when several nodes have the name', () => {
    expect(messagesOf({ leftLowerLeg: 'Leg' })[0]).toMatch(
      /2 nodes are named "Leg"; use the index of one of them instead: 22, 21/,
    );
  });

  it('resolveBoneMap: rejects indices of other skeletons, two bones on one node, and other types', () => {
    expect(messagesOf({ hips: 3 })[0]).toMatch(/does not contain node 3 of the file/);
    expect(messagesOf({ hips: -1 })).toHaveLength(1);
    expect(messagesOf({ hips: 24, spine: 'mixamorig:Hips' })[0]).toMatch(
      /"spine": its node is already mapped to hips; map each node to one bone only/,
    );
    for (const value of [true, {}, [], Number.NaN, 1.5, '']) expect(messagesOf({ hips: value })).toHaveLength(1);
  });

  it('resolveBoneMap: keeps the valid entries', () => {
    const { map, issues } = resolveBoneMap(skeleton, sourceNodes, { hips: 24, spine: 99 });
    expect(map.nodes[BONE.hips]).toBe(1);
    expect(map.nodes[BONE.spine]).toBe(-1);
    expect(issues.map(({ code, severity }) => [code, severity])).toEqual([['BONE_MAP_INVALID', 'error']]);
  });
});

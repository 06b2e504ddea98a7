import { describe, expect, it } from 'vitest';
import { centerOf, jointsOf } from '../../../src/stage/figure/joints.ts';

describe('jointsOf', () => {
  it('lists the joints of all skins, with the nearest joint above as parent', () => {
    const json = {
      nodes: [
        { name: 'armature', children: [1] },
        { name: 'hips', children: [2] },
        { children: [3] },
        { name: 'spine' },
      ],
      skins: [{ joints: [1] }, { joints: [3, 1] }],
    };
    expect(jointsOf(json)).toEqual({ nodes: [1, 3], parents: [-1, 0], names: ['hips', 'spine'] });
  });

  it('lists all nodes without a mesh of a file without skins, and names those without a name', () => {
    const json = { nodes: [{ name: 'root', children: [1, 2] }, {}, { name: 'mesh', mesh: 0 }] };
    expect(jointsOf(json)).toEqual({ nodes: [0, 1], parents: [-1, 0], names: ['root', 'node 1'] });
  });

  it('returns no joints for an empty file', () => {
    expect(jointsOf({})).toEqual({ nodes: [], parents: [], names: [] });
  });

  it('ends for nodes in a cycle', () => {
    expect(jointsOf({ nodes: [{ children: [1] }, { children: [0] }], skins: [{ joints: [1] }] }).parents).toHaveLength(
      1,
    );
  });
});

describe('centerOf', () => {
  it('returns the first joint with three children, which is the hips', () => {
    expect(centerOf({ nodes: [10, 11, 12, 13, 14], parents: [-1, 0, 1, 1, 1] })).toBe(11);
  });

  it('returns the first joint of a chain, and −1 without joints', () => {
    expect(centerOf({ nodes: [7, 8], parents: [-1, 0] })).toBe(7);
    expect(centerOf({ nodes: [], parents: [] })).toBe(-1);
  });
});

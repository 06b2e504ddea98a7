import { describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { boneAtOrAbove, mapNodesToBones } from '../../../src/core/humanoid/node-bones.ts';
import { rigOf } from '../../support/make/rig-text.ts';

const { names, parents } = rigOf('root > hips > x > spine');
const nodes = new Int32Array(BONES.length).fill(-1);
nodes[BONE.hips] = names.indexOf('hips');
nodes[BONE.spine] = names.indexOf('spine');

describe('mapNodesToBones and boneAtOrAbove', () => {
  it('mapNodesToBones returns the bone of each node, −1 for non-bone nodes', () => {
    expect(mapNodesToBones(nodes, names.length)).toEqual(Int16Array.of(-1, BONE.hips, -1, BONE.spine));
  });

  it('boneAtOrAbove returns the nearest bone at or above a node', () => {
    const bones = mapNodesToBones(nodes, names.length);
    expect([0, 1, 2, 3, -1].map((node) => boneAtOrAbove(parents, bones, node))).toEqual([
      -1,
      BONE.hips,
      BONE.hips,
      BONE.spine,
      -1,
    ]);
  });
});

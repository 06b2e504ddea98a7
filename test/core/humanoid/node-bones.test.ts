import { describe, expect, it } from 'vitest';
import { BONE, BONES } from '../../../src/core/humanoid/bones.ts';
import { boneAtOrAbove, bonesOfNodes } from '../../../src/core/humanoid/node-bones.ts';
import { rigOf } from '../../make/rig-text.ts';

const { names, parents } = rigOf('root > hips > x > spine');
const nodes = new Int32Array(BONES.length).fill(-1);
nodes[BONE.hips] = names.indexOf('hips');
nodes[BONE.spine] = names.indexOf('spine');

describe('bones by node', () => {
  it('are those of the map, −1 for nodes that are none', () => {
    expect(bonesOfNodes(nodes, names.length)).toEqual(Int16Array.of(-1, BONE.hips, -1, BONE.spine));
  });

  it('are found at a node or above it, the nearest first', () => {
    const bones = bonesOfNodes(nodes, names.length);
    expect([0, 1, 2, 3, -1].map((node) => boneAtOrAbove(parents, bones, node))).toEqual([
      -1,
      BONE.hips,
      BONE.hips,
      BONE.spine,
      -1,
    ]);
  });
});

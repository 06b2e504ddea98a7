import { describe, expect, it } from 'vitest';
import type { MorphTrack } from '../../src/core/asset/asset.ts';
import { carryMorphs, morphNodes } from '../../src/files/carry-morphs.ts';

const targets = (count: number) => ({ primitives: [{ targets: Array.from({ length: count }, () => ({})) }] });
const json = {
  nodes: [
    { name: 'Body', mesh: 0 },
    { name: 'Face', mesh: 1 },
    { name: 'Twin', mesh: 1 },
    { name: 'Twin', mesh: 1 },
    { name: 'Plain', mesh: 2 },
    { mesh: 1 },
    { name: 'constructor' },
  ],
  meshes: [targets(3), targets(2), { primitives: [{}] }],
};
const track = (nodeName: string, targetCount: number, sourceNode = 40): MorphTrack => {
  const values = new Float32Array(targetCount);
  return { sourceNode, nodeName, targetCount, interpolation: 'LINEAR', times: new Float32Array([0]), values };
};

describe('carryMorphs', () => {
  const nodes = morphNodes(json);

  it('puts tracks on the node of the same name and number of targets', () => {
    expect(carryMorphs([track('Face', 2), track('Body', 3)], nodes).map((one) => one.sourceNode)).toEqual([1, 0]);
  });

  it('leaves out other numbers of targets, other names, names without targets and names that are there twice', () => {
    const tracks = [
      track('Face', 3),
      track('Mouth', 2),
      track('Plain', 1),
      track('Twin', 2),
      track('', 2),
      track('constructor', 2),
    ];
    expect(carryMorphs(tracks, nodes)).toEqual([]);
  });

  it('takes the first of two tracks for one node', () => {
    expect(carryMorphs([track('Face', 2), track('Face', 2, 41)], nodes)).toHaveLength(1);
  });
});

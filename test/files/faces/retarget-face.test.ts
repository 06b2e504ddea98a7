import { describe, expect, it } from 'vitest';
import type { MorphTrack } from '../../../src/core/asset/asset.ts';
import type { MorphNode } from '../../../src/core/face/face-rig.ts';
import { copyMorphTracks } from '../../../src/files/faces/retarget-face.ts';

const morphNode = (
  node: number,
  name: string,
  count: number,
  targetNames: readonly string[] | null = null,
): MorphNode => {
  return { node, name, targetNames, weights: new Float64Array(count) };
};
const nodes = [
  morphNode(0, 'Body', 3),
  morphNode(1, 'Face', 2),
  morphNode(2, 'Twin', 2),
  morphNode(3, 'Twin', 2),
  morphNode(4, '', 2),
  morphNode(5, 'Named', 2, ['a', 'b']),
];
const track = (nodeName: string, targetCount: number, sourceNode = 40): MorphTrack => {
  const values = new Float32Array(targetCount);
  return { sourceNode, nodeName, targetCount, interpolation: 'LINEAR', times: new Float32Array([0]), values };
};

describe('copyMorphTracks', () => {
  it('copies tracks to nodes with the same name and number of targets', () => {
    expect(copyMorphTracks([track('Face', 2), track('Body', 3)], nodes).map((one) => one.sourceNode)).toEqual([1, 0]);
  });

  it('skips other numbers of targets, other names and names that are not unique', () => {
    const tracks = [track('Face', 3), track('Mouth', 2), track('Twin', 2), track('', 2), track('constructor', 2)];
    expect(copyMorphTracks(tracks, nodes)).toEqual([]);
  });

  it('copies the first of two tracks for one node', () => {
    expect(copyMorphTracks([track('Face', 2), track('Face', 2, 41)], nodes)).toHaveLength(1);
  });

  it('treats targets with other names as different, and unnamed targets as equal', () => {
    const named = (targetNames: string[]) => copyMorphTracks([{ ...track('Named', 2), targetNames }], nodes);
    expect(named(['a', 'b'])).toHaveLength(1);
    expect(named(['b', 'a'])).toEqual([]);
    expect(copyMorphTracks([track('Named', 2), { ...track('Face', 2), targetNames: ['a', 'b'] }], nodes)).toHaveLength(
      2,
    );
  });
});

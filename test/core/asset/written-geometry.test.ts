import { describe, expect, it } from 'vitest';
import { skinnedMeshNodes } from '../../../src/core/asset/written-geometry.ts';
import { geometryOf, mesh, type SmallNode, skin, triangle } from '../../formats/usd/write/small-geometry.ts';

const NODES: readonly SmallNode[] = [
  ['hips', -1],
  ['body', -1],
  ['hand', 0],
];
const BODY = mesh('body', [triangle([0, 0, 0])]);
const ON_HIPS = skin([0], [[0, 0, 0]]);

describe('skinnedMeshNodes', () => {
  it('marks nodes that only hold a skinned mesh', () => {
    const geometry = geometryOf(NODES, { meshes: [BODY], skins: [ON_HIPS], shown: [{ node: 1, skin: 0 }] });
    expect([...skinnedMeshNodes(geometry)]).toEqual([0, 1, 0]);
  });

  it('does not mark joints and nodes with children', () => {
    const shown = [
      { node: 0, skin: 0 },
      { node: 2, skin: 0 },
    ];
    expect([...skinnedMeshNodes(geometryOf(NODES, { meshes: [BODY], skins: [ON_HIPS], shown }))]).toEqual([0, 0, 1]);
    const onHand = skin([2], [[0, 0, 0]]);
    expect([...skinnedMeshNodes(geometryOf(NODES, { meshes: [BODY], skins: [onHand], shown }))]).toEqual([0, 0, 0]);
  });

  it('does not mark nodes whose mesh has no skin, a skin without joints, or a primitive without influences', () => {
    const marked = (parts: Parameters<typeof geometryOf>[1]): number[] => [
      ...skinnedMeshNodes(geometryOf(NODES, parts)),
    ];
    expect(marked({ meshes: [BODY], shown: [{ node: 1 }] })).toEqual([0, 0, 0]);
    expect(marked({ meshes: [BODY], skins: [skin([], [])], shown: [{ node: 1, skin: 0 }] })).toEqual([0, 0, 0]);
    const half = mesh('half', [triangle([0, 0, 0]), triangle()]);
    expect(marked({ meshes: [half], skins: [ON_HIPS], shown: [{ node: 1, skin: 0 }] })).toEqual([0, 0, 0]);
  });
});

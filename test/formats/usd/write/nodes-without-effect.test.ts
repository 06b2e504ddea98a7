import { describe, expect, it } from 'vitest';
import { nodesWithoutEffect } from '../../../../src/formats/usd/write/nodes-without-effect.ts';
import { geometryOf, mesh, type SmallNode, skin, triangle } from './small-geometry.ts';

const NODES: readonly SmallNode[] = [
  ['hips', -1],
  ['body', -1],
  ['hand', 0],
];
const BODY = mesh('body', [triangle([0, 0, 0])]);
const ON_HIPS = skin([0], [[0, 0, 0]]);

describe('nodes whose transform means nothing', () => {
  it('are those that hold what a skin moves, and nothing else', () => {
    const geometry = geometryOf(NODES, { meshes: [BODY], skins: [ON_HIPS], shown: [{ node: 1, skin: 0 }] });
    expect([...nodesWithoutEffect(geometry)]).toEqual([0, 1, 0]);
  });

  it('are not joints, nor nodes with nodes below', () => {
    const shown = [
      { node: 0, skin: 0 },
      { node: 2, skin: 0 },
    ];
    expect([...nodesWithoutEffect(geometryOf(NODES, { meshes: [BODY], skins: [ON_HIPS], shown }))]).toEqual([0, 0, 1]);
    const onHand = skin([2], [[0, 0, 0]]);
    expect([...nodesWithoutEffect(geometryOf(NODES, { meshes: [BODY], skins: [onHand], shown }))]).toEqual([0, 0, 0]);
  });

  it('are none whose mesh has no skin, one without joints, or a part that no joint holds', () => {
    const effect = (parts: Parameters<typeof geometryOf>[1]): number[] => [
      ...nodesWithoutEffect(geometryOf(NODES, parts)),
    ];
    expect(effect({ meshes: [BODY], shown: [{ node: 1 }] })).toEqual([0, 0, 0]);
    expect(effect({ meshes: [BODY], skins: [skin([], [])], shown: [{ node: 1, skin: 0 }] })).toEqual([0, 0, 0]);
    const half = mesh('half', [triangle([0, 0, 0]), triangle()]);
    expect(effect({ meshes: [half], skins: [ON_HIPS], shown: [{ node: 1, skin: 0 }] })).toEqual([0, 0, 0]);
  });
});

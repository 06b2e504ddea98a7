import { describe, expect, it } from 'vitest';
import { planSkeletons } from '../../../../src/formats/usd/write/plan-skeletons.ts';
import { geometryOf, mesh, type SmallNode, skin } from './small-geometry.ts';

const AT_0 = [0, 0, 0] as const;

/** Names of the home and the joints of every Skeleton of nodes with skins on some of them. */
function plan(
  nodes: readonly SmallNode[],
  skins: readonly number[][],
  animated: number[] = [],
  meshAt: number[] = [],
  { posed = [], bones = [] }: { posed?: number[]; bones?: number[] } = {},
) {
  const geometry = geometryOf(nodes, {
    meshes: [mesh('box')],
    skins: skins.map((joints) =>
      skin(
        joints,
        joints.map(() => AT_0),
      ),
    ),
    shown: meshAt.map((node) => ({ node })),
  });
  const { skeletons, carrierOf } = planSkeletons(geometry, { animated: new Set(animated), posed, bones }, []);
  const named = skeletons.map(({ tree }) => [
    nodes[tree.home]?.[0] ?? '',
    ...Array.from(tree.nodes, (n) => nodes[n][0]),
  ]);
  return { named, carriers: Array.from(carrierOf, (node) => nodes[node]?.[0] ?? '') };
}

const TREE: readonly SmallNode[] = [
  ['scene', -1],
  ['armature', 0],
  ['hips', 1],
  ['between', 2],
  ['head', 3],
  ['eye', 4],
  ['hat', 4],
  ['prop', 1],
];

describe('Skeletons of a geometry', () => {
  it('stand right above their joints, with all between and below but what only holds meshes', () => {
    const { named, carriers } = plan(TREE, [[4, 2]], [], [6, 7]);
    expect(named).toEqual([['armature', 'hips', 'between', 'head', 'eye']]);
    expect(carriers.slice(5)).toEqual(['eye', 'head', '']);
  });

  it('have what a clip moves as a joint, so that nothing above them moves', () => {
    expect(plan(TREE, [[2, 4]], [1]).named[0].slice(0, 3)).toEqual(['scene', 'armature', 'hips']);
    expect(plan(TREE, [[2, 4]], [7], [7]).named).toEqual([
      ['armature', 'hips', 'between', 'head', 'eye', 'hat', 'prop'],
    ]);
  });

  it('are one a tree; trees that a skin joins share one below the root', () => {
    const trees: readonly SmallNode[] = [
      ['a', -1],
      ['b', 0],
      ['c', -1],
      ['d', 2],
    ];
    expect(plan(trees, [[1], [3]]).named).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(plan(trees, [[1, 3]]).named).toEqual([['', 'a', 'b', 'c', 'd']]);
  });

  it('are none where nothing is skinned, a bone or moved by several clips', () => {
    expect(plan(TREE, [], [1], [6]).named).toEqual([]);
  });

  it('have the bones of a humanoid that has no skin, bound as they rest, and those that no skin has', () => {
    const { named, carriers } = plan(TREE, [], [], [4, 6], { bones: [2, 4] });
    expect(named).toEqual([['armature', 'hips', 'between', 'head', 'eye']]);
    expect(carriers[6]).toBe('head');
    expect(plan(TREE, [[3, 4]], [], [], { bones: [2] }).named[0].slice(0, 2)).toEqual(['armature', 'hips']);
    const apart: readonly SmallNode[] = [
      ['hips', -1],
      ['foot', -1],
    ];
    expect(plan(apart, [], [], [], { bones: [0, 1] }).named).toEqual([['', 'hips', 'foot']]);
    const lifted = geometryOf([
      ['root', -1, [0, 1, 0]],
      ['tip', 0, [0, 2, 0]],
    ]);
    const moved = { animated: new Set<number>(), posed: [], bones: [0, 1] };
    const [{ bind }] = planSkeletons(lifted, moved, []).skeletons;
    expect([bind[13], bind[16 + 13]]).toEqual([1, 3]);
  });

  it('have what more than one clip moves', () => {
    expect(plan(TREE, [], [4, 7], [], { posed: [4] }).named).toEqual([
      ['armature', 'hips', 'between', 'head', 'eye', 'hat', 'prop'],
    ]);
    expect(plan([...TREE, ['door', -1]], [], [4, 8], [], { posed: [8] }).named).toEqual([['', 'door']]);
  });
});

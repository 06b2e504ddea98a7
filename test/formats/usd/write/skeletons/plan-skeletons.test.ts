import { describe, expect, it } from 'vitest';
import { planSkeletons } from '../../../../../src/formats/usd/write/skeletons/plan-skeletons.ts';
import { geometryOf, mesh, type SmallNode, skin } from '../small-geometry.ts';

const AT_0 = [0, 0, 0] as const;

/** Plans the Skeletons of nodes with skins; returns the names of the parent node and the joints of each. */
function plan(
  nodes: readonly SmallNode[],
  skins: readonly number[][],
  animated: number[] = [],
  meshAt: number[] = [],
  { required = [], bones = [] }: { required?: number[]; bones?: number[] } = {},
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
  const { skeletons, nearestJointNode } = planSkeletons(geometry, { animated: new Set(animated), required, bones }, []);
  const named = skeletons.map(({ tree }) => [
    nodes[tree.parentNode]?.[0] ?? '',
    ...Array.from(tree.nodes, (n) => nodes[n][0]),
  ]);
  return { named, nearest: Array.from(nearestJointNode, (node) => nodes[node]?.[0] ?? '') };
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

describe('planSkeletons', () => {
  it('adds the nodes between and below joints, except for those that only hold meshes', () => {
    const { named, nearest } = plan(TREE, [[4, 2]], [], [6, 7]);
    expect(named).toEqual([['armature', 'hips', 'between', 'head', 'eye']]);
    expect(nearest.slice(5)).toEqual(['eye', 'head', '']);
  });

  it('makes animated nodes joints, so that nodes above the joints are static', () => {
    expect(plan(TREE, [[2, 4]], [1]).named[0].slice(0, 3)).toEqual(['scene', 'armature', 'hips']);
    expect(plan(TREE, [[2, 4]], [7], [7]).named).toEqual([
      ['armature', 'hips', 'between', 'head', 'eye', 'hat', 'prop'],
    ]);
  });

  it('plans one Skeleton per tree, and one for trees that a skin connects', () => {
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

  it('plans none without skins, bones and required joints', () => {
    expect(plan(TREE, [], [1], [6]).named).toEqual([]);
  });

  it('adds humanoid bones without a skin, bound at rest', () => {
    const { named, nearest } = plan(TREE, [], [], [4, 6], { bones: [2, 4] });
    expect(named).toEqual([['armature', 'hips', 'between', 'head', 'eye']]);
    expect(nearest[6]).toBe('head');
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
    const candidates = { animated: new Set<number>(), required: [], bones: [0, 1] };
    const [{ bind }] = planSkeletons(lifted, candidates, []).skeletons;
    expect([bind[13], bind[16 + 13]]).toEqual([1, 3]);
  });

  it('adds required joints', () => {
    expect(plan(TREE, [], [4, 7], [], { required: [4] }).named).toEqual([
      ['armature', 'hips', 'between', 'head', 'eye', 'hat', 'prop'],
    ]);
    expect(plan([...TREE, ['gate', -1]], [], [4, 8], [], { required: [8] }).named).toEqual([['', 'gate']]);
  });
});

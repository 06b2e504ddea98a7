import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../../src/core/report/issue.ts';
import { planMeshes } from '../../../../../src/formats/usd/write/meshes/plan-meshes.ts';
import { planSkeletons } from '../../../../../src/formats/usd/write/skeletons/plan-skeletons.ts';
import { geometryOf, mesh, type SmallNode, skin, triangle } from '../small-geometry.ts';

const NODES: readonly SmallNode[] = [
  ['armature', -1, [0, 0, 5]],
  ['hips', 0, [0, 1, 0]],
  ['hat', 1, [0, 2, 0], 2],
  ['ground', -1],
];
const CANDIDATES = { animated: new Set<number>(), required: [], bones: [] };

/** Plans the meshes of a geometry whose only joint, the hips, is bound at a height of 1. */
function plan(parts: Parameters<typeof geometryOf>[1]) {
  const issues: Issue[] = [];
  const geometry = geometryOf(NODES, { ...parts, skins: [skin([1], [[0, 1, 0]])] });
  return { meshes: planMeshes(geometry, planSkeletons(geometry, CANDIDATES, []), issues), issues };
}

describe('planMeshes', () => {
  it('plans one mesh per primitive: bound to its skin, to the joint above, or to nothing', () => {
    const { meshes, issues } = plan({
      meshes: [mesh('body', [triangle([0, 0, 0]), triangle([0, 0, 0])]), mesh('prop')],
      shown: [
        { node: 0, skin: 0 },
        { node: 2, mesh: 1 },
        { node: 3, mesh: 1 },
      ],
    });
    expect(issues).toEqual([]);
    expect(meshes.map(({ mesh: { name }, binding }) => [name, binding?.skeleton ?? null])).toEqual([
      ['body', 0],
      ['body', 0],
      ['prop', 0],
      ['prop', null],
    ]);
    expect(meshes[0].binding?.geomBind).toBeNull();
    expect(meshes[2].binding?.influences).toMatchObject({ kind: 'vertex', jointsPerVertex: 1 });
    expect([...(meshes[2].binding?.influences.indices ?? [])]).toEqual([0, 0, 0]);
    // The bind pose of the hips times the transform from the hat to the hips.
    expect([...(meshes[2].binding?.geomBind ?? [])]).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 3, 0, 1]);
  });

  it('drops primitives without faces, with an issue', () => {
    const { meshes, issues } = plan({
      meshes: [
        mesh('mixed', [
          triangle(),
          triangle(null, { mode: 'points' }),
          triangle(null, { indices: new Uint32Array(0) }),
        ]),
      ],
      shown: [{ node: 3 }],
    });
    expect(meshes).toHaveLength(1);
    expect(issues).toMatchObject([{ code: 'GEOMETRY_DROPPED' }]);
    expect(issues[0].message).toContain('1 × points, 1 × mesh without faces');
  });

  it('throws if the number of influences does not match the vertices', () => {
    const shown = [{ node: 0, skin: 0 }];
    const influences = {
      kind: 'vertex',
      jointsPerVertex: 1,
      indices: Int32Array.of(0, 0),
      weights: Float32Array.of(1, 1),
    } as const;
    expect(() => plan({ meshes: [mesh('body', [triangle(null, { influences })])], shown })).toThrow(
      'A primitive has 2 joint indices and 2 weights for 3 vertices; expected 3 of each.',
    );
  });
});

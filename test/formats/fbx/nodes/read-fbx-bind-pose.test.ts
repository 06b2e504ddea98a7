import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { readScene } from '../../../../src/formats/fbx/nodes/fbx-scene.ts';
import { type FbxBindPose, readBindPose } from '../../../../src/formats/fbx/nodes/read-fbx-bind-pose.ts';
import { readModels } from '../../../../src/formats/fbx/nodes/read-models.ts';
import { rec } from '../fbx-bytes.ts';
import { bindPose, cluster, model, moved, properties60, treeOf } from '../fbx-scene.ts';

/** A chain of three at x = 1, 2, 3, and what binds it. */
function bound(
  more: readonly FbxRecord[],
  links: readonly (readonly [number, number])[] = [],
): { bind: FbxBindPose; issues: Issue[]; places: number[] } {
  const at = { 'Lcl Translation': [1, 0, 0] };
  const objects = [model(1, 'a', 'Null', at), model(2, 'b', 'LimbNode', at), model(3, 'c', 'LimbNode', at), ...more];
  const tree = treeOf({ objects, connections: [[1, 0], [2, 1], [3, 2], ...links] });
  return bindOf(tree);
}

function bindOf(tree: Parameters<typeof readScene>[0]): { bind: FbxBindPose; issues: Issue[]; places: number[] } {
  const issues: Issue[] = [];
  const scene = readScene(tree, issues);
  const forest = readModels(scene, issues);
  const worlds = new Float64Array(forest.models.length * 16);
  localToModelMatrices(worlds, forest.parents, forest.rest);
  const bind = readBindPose(scene, forest, worlds, issues);
  return { bind, issues, places: forest.models.map((_, place) => bind.matrices[place * 16 + 12]) };
}

describe('readBindPose', () => {
  it('reads the TransformLink of skin clusters; other nodes keep their rest transform relative to the parent', () => {
    const { bind, issues, places } = bound([cluster(10, moved(20, 0, 0))], [[2, 10]]);
    expect(places).toEqual([1, 20, 21]);
    expect([...bind.bound]).toEqual([0, 1, 0]);
    expect([...bind.linked]).toEqual([0, 1, 0]);
    expect(issues).toEqual([]);
  });

  it('reads the bind pose of the file for nodes without a cluster', () => {
    const pose = bindPose(11, { 2: moved(30, 0, 0), 3: moved(40, 0, 0), 99: moved(0, 0, 0) });
    const { bind, places } = bound([pose, cluster(10, moved(20, 0, 0))], [[2, 10]]);
    expect(places).toEqual([1, 20, 40]);
    expect([...bind.bound]).toEqual([0, 1, 1]);
    expect([...bind.linked]).toEqual([0, 1, 0]);
  });

  it('binds nothing without clusters and bind poses, and ignores other poses', () => {
    const rest = rec('Pose', [11, 'x\0\x01Pose', 'RestPose'], bindPose(0, { 2: moved(3, 0, 0) }).records.slice(1));
    const { bind, places } = bound([rest]);
    expect(places).toEqual([1, 2, 3]);
    expect([...bind.bound]).toEqual([0, 0, 0]);
  });

  it('uses the first of several clusters for a node, and reports contradicting ones', () => {
    const same = [cluster(10, moved(20, 0, 0)), cluster(11, moved(20.001, 0, 0))];
    const other = cluster(12, moved(25, 0, 0));
    expect(
      bound(same, [
        [2, 10],
        [2, 11],
      ]).issues,
    ).toEqual([]);
    const { issues, places } = bound(
      [...same, other],
      [
        [2, 10],
        [2, 11],
        [2, 12],
      ],
    );
    expect(places[1]).toBe(20);
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FBX_SCENE 1 skin clusters bind a node to another transform than an earlier cluster; the first one became the bind pose. Bind all skins in one pose.',
    ]);
    // Several bind poses in one file are normal: one a skin, of different days.
    const poses = [bindPose(20, { 2: moved(5, 0, 0) }), bindPose(21, { 2: moved(6, 0, 0), 3: moved(7, 0, 0) })];
    expect(bound(poses)).toMatchObject({ issues: [], places: [1, 5, 7] });
  });

  it('leaves out invalid matrices and reports them', () => {
    const flat = moved(1, 2, 3);
    flat[5] = 0;
    const wrong = [
      cluster(10, moved(Number.NaN, 0, 0)),
      cluster(15, moved(1e39, 0, 0)),
      cluster(11, flat),
      cluster(12, [1, 2, 3]),
      rec('Deformer', [13, 'x\0\x01SubDeformer', 'Cluster'], [rec('TransformLink', ['text'])]),
      rec('Deformer', [14, 'x\0\x01SubDeformer', 'Cluster']),
    ];
    const links = [10, 11, 12, 13, 14, 15].map((id) => [2, id] as const);
    const { bind, issues, places } = bound(
      [...wrong, bindPose(20, { 2: moved(9, 0, 0), 3: new Array(16).fill(0) })],
      links,
    );
    // The bind pose of the file steps in.
    expect(places).toEqual([1, 9, 10]);
    expect([...bind.linked]).toEqual([0, 1, 0]);
    expect(issues.map(({ message }) => message)).toEqual([
      '6 bind matrices are not 16 finite numbers with an inverse; they were left out. Bind the skin again, or export the file again.',
    ]);
  });

  it('ignores clusters without a node and poses without nodes', () => {
    const odd = [
      cluster(10, moved(1, 1, 1)),
      rec('Pose', [11, '', 'BindPose'], [rec('PoseNode'), rec('PoseNode', [], [rec('Node')])]),
    ];
    expect(bound(odd)).toMatchObject({ issues: [], places: [1, 2, 3] });
  });

  it('reads 6.1: single values instead of arrays, and names as ids', () => {
    const records = [
      rec(
        'Objects',
        [],
        [
          rec('Model', ['Model::a', 'LimbNode'], [properties60({ 'Lcl Translation': [1, 0, 0] })]),
          rec('Model', ['Model::b', 'LimbNode'], [properties60({ 'Lcl Translation': [1, 0, 0] })]),
          rec('Deformer', ['SubDeformer::x', 'Cluster'], [rec('TransformLink', moved(50, 0, 0))]),
          rec(
            'Pose',
            ['Pose::BIND_POSES', 'BindPose'],
            [rec('PoseNode', [], [rec('Node', ['Model::b']), rec('Matrix', moved(60, 0, 0))])],
          ),
        ],
      ),
      rec(
        'Connections',
        [],
        [
          rec('Connect', ['OO', 'Model::a', 'Model::Scene']),
          rec('Connect', ['OO', 'Model::b', 'Model::a']),
          rec('Connect', ['OO', 'Model::a', 'SubDeformer::x']),
        ],
      ),
    ];
    expect(bindOf({ encoding: 'ascii', version: 6100, records })).toMatchObject({ issues: [], places: [50, 60] });
  });
});

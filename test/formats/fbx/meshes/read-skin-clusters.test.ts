import { describe, expect, it } from 'vitest';
import { geometryBudget } from '../../../../src/core/asset/geometry-budget.ts';
import type { IssueTally } from '../../../../src/core/report/issue-tally.ts';
import { localToModelMatrices } from '../../../../src/core/skeleton/pose.ts';
import type { FbxRecord } from '../../../../src/formats/fbx/document/fbx-tree.ts';
import { readSkin } from '../../../../src/formats/fbx/meshes/read-skin-clusters.ts';
import { readModels } from '../../../../src/formats/fbx/nodes/read-models.ts';
import { validateInfluences } from '../../../support/reference/validate-influences.ts';
import { rec } from '../fbx-bytes.ts';
import { clusterRecords, deformer, mesh } from '../fbx-mesh.ts';
import { model, moved, sceneOf } from '../fbx-scene.ts';

const MESH_AT = moved(0, 0, 7);
/** Bones whose rest pose differs from their bind pose. */
const NODES = [
  model(1, 'Hips', 'LimbNode', { 'Lcl Translation': [0, 100, 0] }),
  model(2, 'Spine', 'LimbNode', { 'Lcl Translation': [0, 10, 0] }),
  model(3, 'Body', 'Mesh'),
];

/** A skin of four control points; clusters by the model that they hold on to. */
function skinOf(clusters: readonly (readonly [bone: number, inside: readonly FbxRecord[]])[], skin: FbxRecord[] = []) {
  const records = clusters.map(([, inside], k) => deformer(20 + k, 'Cluster', inside));
  const { scene } = sceneOf({
    objects: [...NODES, mesh(9, []), deformer(10, 'Skin', skin, 'Skin'), ...records],
    connections: [
      [1, 0],
      [2, 1],
      [3, 0],
      [9, 3],
      [10, 9],
      ...clusters.flatMap(([bone], k) => [[20 + k, 10] as const, [bone, 20 + k] as const]),
    ],
  });
  const forest = readModels(scene, []);
  const worlds = new Float64Array(16 * forest.models.length);
  localToModelMatrices(worlds, forest.parents, forest.rest);
  const faults: IssueTally = new Map();
  const held = { meshId: '9', name: 'Body', pointCount: 4, bindMatrix: Float64Array.from(MESH_AT) };
  return { read: readSkin(scene, forest, worlds, held, faults, geometryBudget('FBX_LIMIT')), faults: [...faults] };
}

/** The translation of the inverse bind matrix of every joint. */
function inverseAt(read: ReturnType<typeof skinOf>['read']): number[][] {
  const { joints, inverseBindMatrices } = read!.skin;
  return Array.from(joints, (_, joint) => [...inverseBindMatrices.subarray(16 * joint + 12, 16 * joint + 15)]);
}

const rows = (list: ArrayLike<number>, width: number): number[][] =>
  Array.from({ length: list.length / width }, (_, row) =>
    Array.from({ length: width }, (__, c) => list[row * width + c]),
  );

describe('readSkin', () => {
  const hips = { TransformLink: moved(0, 90, 0), Transform: moved(0, -90, 7) };
  const spine = { TransformLink: moved(0, 95, 0), Transform: moved(0, -95, 7) };

  it('returns a joint for each bone, and weights by control point, the heaviest first', () => {
    const { read, faults } = skinOf([
      [1, clusterRecords([0, 1, 2], [1, 0.25, 1], hips)],
      [2, clusterRecords([1, 2, 3], [0.75, 3, 2], spine)],
    ]);
    expect([...read!.skin.joints]).toEqual([0, 1]);
    expect(inverseAt(read)).toEqual([
      [0, -90, 7],
      [0, -95, 7],
    ]);
    const { influences } = read!;
    expect(rows(influences.indices, 2)).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(rows(influences.weights, 2)).toEqual([
      [1, 0],
      [0.75, 0.25],
      [0.75, 0.25],
      [1, 0],
    ]);
    expect(validateInfluences(influences, 4, 2)).toMatchObject({ valid: true });
    expect([...read!.unweighted]).toEqual([0, 0, 0, 0]);
    expect(faults).toEqual([]);
  });

  it('returns null without a cluster that has a bone', () => {
    expect(skinOf([]).read).toBeNull();
    const { read, faults } = skinOf([[99, clusterRecords([0], [1])]]);
    expect(read).toBeNull();
    expect(faults).toEqual([['skin clusters have no bone; they were left out', 1]]);
  });

  it('returns a bone with several clusters once, and counts contradicting clusters', () => {
    const { read, faults } = skinOf([
      [2, clusterRecords([0, 1], [0.5, 1], spine)],
      [2, clusterRecords([0, 2, 3], [0.5, 1, 1], hips)],
    ]);
    expect([...read!.skin.joints]).toEqual([1]);
    expect(inverseAt(read)).toEqual([[0, -95, 7]]);
    expect(read!.influences).toMatchObject({ jointsPerVertex: 1 });
    expect([...read!.influences.weights]).toEqual([1, 1, 1, 1]);
    expect(faults).toEqual([
      ['skin clusters bind a bone to another transform than an earlier cluster of the skin; the first one was used', 1],
    ]);
  });

  it('skins control points without weights to the topmost joint', () => {
    const { read } = skinOf([
      [2, clusterRecords([0], [1], spine)],
      [1, clusterRecords([1], [1], hips)],
    ]);
    expect([...read!.skin.joints]).toEqual([1, 0]);
    expect([...read!.influences.indices]).toEqual([0, 1, 1, 1]);
    expect([...read!.unweighted]).toEqual([0, 0, 1, 1]);
  });

  it('leaves out invalid weights and those of missing control points', () => {
    const { read, faults } = skinOf([
      [1, clusterRecords([0, 1, 2, 3, 4, -1, 3], [1, Number.NaN, -1, 0, 1, 1], hips)],
      [2, clusterRecords([1, 2, 3], [1, 1, 1], spine)],
    ]);
    expect([...read!.influences.indices]).toEqual([0, 1, 1, 1]);
    expect(faults).toEqual([
      ['skin weights refer to missing control points; they were left out', 2],
      ['skin weights are missing, negative or not finite; they were left out', 3],
    ]);
  });

  it('recognizes files whose Transform is the mesh at bind time', () => {
    const { read } = skinOf([
      [1, clusterRecords([0, 1], [1, 1], { ...hips, Transform: MESH_AT })],
      [2, clusterRecords([2, 3], [1, 1], { ...spine, Transform: MESH_AT })],
    ]);
    expect(inverseAt(read)).toEqual([
      [0, -90, 7],
      [0, -95, 7],
    ]);
    // Of one cluster alone the bind pose of the mesh tells it.
    expect(inverseAt(skinOf([[1, clusterRecords([0], [1], { ...hips, Transform: MESH_AT })]]).read)).toEqual([
      [0, -90, 7],
    ]);
    expect(inverseAt(skinOf([[1, clusterRecords([0], [1], hips)]]).read)).toEqual([[0, -90, 7]]);
  });

  it('uses the bind pose of the mesh without Transform, and the rest pose of the bone without both', () => {
    const { read, faults } = skinOf([
      [1, clusterRecords([0, 1], [1, 1], { TransformLink: moved(0, 90, 0) })],
      [2, clusterRecords([2, 3], [1, 1], { TransformLink: new Array(16).fill(0), Transform: [1, 2] })],
    ]);
    expect(inverseAt(read)).toEqual([
      [0, -90, 7],
      [0, -110, 7],
    ]);
    expect(faults).toEqual([
      ['matrices Transform of skin clusters have no inverse; they were left out', 1],
      ['matrices TransformLink of skin clusters have no inverse; they were left out', 1],
    ]);
  });

  it('counts unsupported features', () => {
    const whole = clusterRecords([0, 1, 2, 3], [1, 1, 1, 1], hips);
    const { faults } = skinOf([[1, [rec('Mode', ['Additive']), ...whole]]], [rec('SkinningType', ['DualQuaternion'])]);
    expect(faults).toEqual([
      ['skins use dual quaternions; only joints and weights were read, for linear skinning', 1],
      ['skin clusters are additive; they were read as normalized weights', 1],
    ]);
  });
});

/** FBX trees for tests, as plain data. */

import type { Issue } from '../../../src/core/report/issue.ts';
import type { FbxProperty, FbxRecord, FbxTree } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { type FbxScene, readScene } from '../../../src/formats/fbx/nodes/fbx-scene.ts';
import { rec } from './fbx-bytes.ts';

export type Values = Readonly<Record<string, readonly FbxProperty[]>>;

/** `Properties70` of 7.x. */
export function properties70(values: Values): FbxRecord {
  // FBXLoader of three.js reads three numbers only where the type says so.
  const typeOf = (name: string, { length }: readonly unknown[]): string =>
    name.startsWith('Lcl ') ? name : length === 3 ? 'Vector3D' : '';
  const rows = Object.entries(values).map(([name, list]) => rec('P', [name, typeOf(name, list), '', '', ...list]));
  return rec('Properties70', [], rows);
}

/** `Properties60` of 6.1. */
export function properties60(values: Values): FbxRecord {
  const rows = Object.entries(values).map(([name, list]) => rec('Property', [name, '', '', ...list]));
  return rec('Properties60', [], rows);
}

/** A Model of 7.x. */
export function model(id: number, name: string, type: string, values: Values = {}): FbxRecord {
  return rec('Model', [id, `${name}\0\x01Model`, type], [properties70(values)]);
}

/** A skin cluster of 7.x. */
export function cluster(id: number, transformLink: readonly number[]): FbxRecord {
  const matrix = rec('TransformLink', [Float64Array.from(transformLink)]);
  return rec('Deformer', [id, `${id}\0\x01SubDeformer`, 'Cluster'], [matrix]);
}

/** A bind pose of 7.x with matrices by node. */
export function bindPose(id: number, matrices: Readonly<Record<number, readonly number[]>>): FbxRecord {
  const nodes = Object.entries(matrices).map(([node, matrix]) =>
    rec('PoseNode', [], [rec('Node', [Number(node)]), rec('Matrix', [Float64Array.from(matrix)])]),
  );
  return rec('Pose', [id, `${id}\0\x01Pose`, 'BindPose'], [rec('Type', ['BindPose']), ...nodes]);
}

export interface TreeParts {
  readonly version?: number;
  readonly objects?: readonly FbxRecord[];
  /** `[child, parent]`, or `[child, parent, property]`. */
  readonly connections?: readonly (readonly [FbxProperty, FbxProperty, string?])[];
  readonly settings?: Values;
  /** Templates by kind of object; the kinds of objects without one are listed too. */
  readonly templates?: Readonly<Record<string, Values>>;
}

/** A tree of a binary file of 7.x. */
export function treeOf({
  version = 7400,
  objects = [],
  connections = [],
  settings,
  templates = {},
}: TreeParts): FbxTree {
  const kinds = new Set([...Object.keys(templates), ...objects.map(({ name }) => name)]);
  const types = Array.from(kinds, (kind) => {
    const values = templates[kind];
    const template = values === undefined ? [] : [rec('PropertyTemplate', ['Fbx'], [properties70(values)])];
    return rec('ObjectType', [kind], template);
  });
  const lines = connections.map(([child, parent, property]) =>
    property === undefined ? rec('C', ['OO', child, parent]) : rec('C', ['OP', child, parent, property]),
  );
  const records = [
    rec('FileId', [new Uint8Array(16)]),
    rec('CreationTime', ['2026-11-30 00:00:00:000']),
    ...(settings === undefined ? [] : [rec('GlobalSettings', [], [properties70(settings)])]),
    rec('Definitions', [], types),
    rec('Objects', [], objects),
    rec('Connections', [], lines),
  ];
  return { encoding: 'binary', version, records, footerId: new Uint8Array(16) };
}

/** A scene of 7.x and its issues. */
export function sceneOf(parts: TreeParts): { scene: FbxScene; issues: Issue[] } {
  const issues: Issue[] = [];
  return { scene: readScene(treeOf(parts), issues), issues };
}

/** A translation matrix. */
export function moved(x: number, y: number, z: number): number[] {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
}

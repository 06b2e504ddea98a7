/** FBX meshes for tests, as plain data. */
import type { FbxRecord } from '../../../src/formats/fbx/document/fbx-tree.ts';
import { rec } from './fbx-bytes.ts';

/** A layer element: `layer('LayerElementUV', 'ByPolygonVertex', 'Direct', { UV: [0, 0] })`. */
export function layer(
  record: string,
  mapping: string,
  reference: string,
  arrays: Readonly<Record<string, readonly number[]>>,
  name = '',
  number = 0,
): FbxRecord {
  return rec(
    record,
    [number],
    [
      rec('Name', [name]),
      rec('MappingInformationType', [mapping]),
      rec('ReferenceInformationType', [reference]),
      ...Object.entries(arrays).map(([field, values]) => rec(field, [Float64Array.from(values)])),
    ],
  );
}

/** The records with the polygons: xyz of control points, and polygons as lists of control points. */
export function polygonRecords(points: readonly number[], polygons: readonly (readonly number[])[]): FbxRecord[] {
  const corners = polygons.flatMap((list) => list.map((point, k) => (k === list.length - 1 ? ~point : point)));
  return [rec('Vertices', [Float64Array.from(points)]), rec('PolygonVertexIndex', [Int32Array.from(corners)])];
}

/** A Geometry of 7.x. */
export function mesh(id: number, inside: readonly FbxRecord[], name = 'Mesh'): FbxRecord {
  return rec('Geometry', [id, `${name}\0\x01Geometry`, 'Mesh'], inside);
}

/** A Deformer of 7.x: `Skin`, `Cluster`, `BlendShape`, `BlendShapeChannel`. */
export function deformer(id: number, type: string, inside: readonly FbxRecord[] = [], name = ''): FbxRecord {
  return rec('Deformer', [id, `${name}\0\x01Deformer`, type], inside);
}

/** The records of a cluster: control points, weights and matrices. */
export function clusterRecords(
  points: readonly number[],
  weights: readonly number[],
  matrices: Readonly<Record<string, readonly number[]>> = {},
): FbxRecord[] {
  return [
    rec('Indexes', [Int32Array.from(points)]),
    rec('Weights', [Float64Array.from(weights)]),
    ...Object.entries(matrices).map(([name, values]) => rec(name, [Float64Array.from(values)])),
  ];
}

/** A shape of a blend shape. */
export function shape(id: number, points: readonly number[], offsets: readonly number[], name = 'Shape'): FbxRecord {
  const inside = [rec('Indexes', [Int32Array.from(points)]), rec('Vertices', [Float64Array.from(offsets)])];
  return rec('Geometry', [id, `${name}\0\x01Geometry`, 'Shape'], inside);
}

/** A square of two by two in the plane z = 0, seen from the front. */
export const SQUARE = { points: [0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], polygons: [[0, 1, 2, 3]] } as const;

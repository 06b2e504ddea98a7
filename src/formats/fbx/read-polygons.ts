/** The polygons of an FBX mesh: control points, and the corners that lead to them. */
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import { numbersOf, recordIn } from './records.ts';
import type { FbxRecord } from './tree.ts';

/** Polygons as the file has them. Layer elements, clusters and shapes count in these numbers. */
export interface FbxPolygons {
  /** xyz of the control points. */
  readonly points: Float64Array;
  /** Control point of every corner, polygon after polygon; −1 where the file names one that is not there. */
  readonly corners: Int32Array;
  /** The corners of polygon p are those from `starts[p]` up to, without, `starts[p + 1]`; one more entry than polygons. */
  readonly starts: Int32Array;
}

/** What was wrong with a mesh: how often, by what, worded as the end of a sentence. */
export type MeshFaults = Map<string, number>;

/** Notes a fault; nothing where the count is 0. */
export function noteMeshFault(faults: MeshFaults, fault: string, count: number): void {
  if (count > 0) faults.set(fault, (faults.get(fault) ?? 0) + count);
}

/** The numbers of the first record of a name; none where there is no such record. What is no number is NaN. */
export function numbersIn(records: readonly FbxRecord[], name: string): Float64Array {
  const record = recordIn(records, name);
  return record === undefined ? new Float64Array(0) : numbersOf(record, Number.POSITIVE_INFINITY);
}

/** How many numbers those are, before they are copied. */
export function countIn(records: readonly FbxRecord[], name: string): number {
  const properties = recordIn(records, name)?.properties ?? [];
  const [first] = properties;
  return typeof first === 'object' ? first.length : properties.length;
}

/** The same as whole numbers; −1 for what is none. */
export function integersIn(records: readonly FbxRecord[], name: string): Int32Array {
  const numbers = numbersIn(records, name);
  const out = new Int32Array(numbers.length);
  for (let i = 0; i < out.length; i++) out[i] = numbers[i] === (numbers[i] | 0) ? numbers[i] : -1;
  return out;
}

/**
 * Reads `Vertices` and `PolygonVertexIndex` (the last corner of a polygon is the complement of its control point) of a
 * Geometry of 7.x or a Model of 6.1. Control points that are not finite lie at 0; corners behind the last end belong to no polygon.
 */
export function readPolygons({ records }: FbxRecord, faults: MeshFaults): FbxPolygons {
  const points = numbersIn(records, 'Vertices');
  const pointCount = Math.floor(points.length / 3);
  let broken = 0;
  for (let i = 0; i < points.length; i++) {
    if (Math.abs(points[i]) <= FLOAT32_MAX) continue;
    points[i] = 0;
    broken++;
  }
  noteMeshFault(faults, 'numbers of control points are not finite; they were set to 0', broken);
  const written = numbersIn(records, 'PolygonVertexIndex');
  const corners = new Int32Array(written.length);
  const ends: number[] = [];
  let strays = 0;
  for (let corner = 0; corner < written.length; corner++) {
    const index = written[corner];
    const point = index < 0 ? ~index : index;
    if (index < 0) ends.push(corner + 1);
    const isThere = Number.isInteger(index) && point < pointCount;
    corners[corner] = isThere ? point : -1;
    if (!isThere) strays++;
  }
  const starts = new Int32Array(ends.length + 1);
  starts.set(ends, 1);
  noteMeshFault(faults, 'corners lead to control points that are not there; their polygons were left out', strays);
  noteMeshFault(
    faults,
    'corners at the end belong to a polygon without end; it was left out',
    written.length - starts[ends.length],
  );
  return { points: points.subarray(0, pointCount * 3), corners, starts };
}

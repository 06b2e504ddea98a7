/** Reads the polygons of an FBX mesh: control points, and corners that refer to them. */
import type { Polygons } from '../../../core/asset/polygons.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import type { FbxRecord } from '../document/fbx-tree.ts';
import { numbersIn, recordIn } from '../document/records.ts';

export function countIn(records: readonly FbxRecord[], name: string): number {
  const properties = recordIn(records, name)?.properties ?? [];
  const [first] = properties;
  return typeof first === 'object' ? first.length : properties.length;
}

export function integersIn(records: readonly FbxRecord[], name: string): Int32Array {
  const numbers = numbersIn(records, name);
  const out = new Int32Array(numbers.length);
  for (let i = 0; i < out.length; i++) out[i] = numbers[i] === (numbers[i] | 0) ? numbers[i] : -1;
  return out;
}

/**
 * Reads `Vertices` and `PolygonVertexIndex` of a Geometry (7.x) or a Model (6.1). The last corner of a polygon is
 * stored as the complement of its control point. Control points that are not finite become 0. Corners after the last
 * complete polygon belong to no polygon.
 */
export function readPolygons({ records }: FbxRecord, faults: IssueTally): Polygons {
  const points = numbersIn(records, 'Vertices');
  const pointCount = Math.floor(points.length / 3);
  let broken = 0;
  for (let i = 0; i < points.length; i++) {
    if (Math.abs(points[i]) <= FLOAT32_MAX) continue;
    points[i] = 0;
    broken++;
  }
  tallyIssue(faults, 'coordinates of control points are not finite; they were set to 0', broken);
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
  tallyIssue(faults, 'corners refer to missing control points; their polygons were left out', strays);
  tallyIssue(
    faults,
    'corners at the end belong to an incomplete polygon; it was left out',
    written.length - starts[ends.length],
  );
  return { points: points.subarray(0, pointCount * 3), corners, starts };
}

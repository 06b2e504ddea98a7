/**
 * Polygons with values at their corners, as FBX (by polygon vertex) and USD (face-varying) store them, and the steps to triangles whose vertices are
 * corners that agree in everything.
 */
import { FLOAT32_MAX, type Floats } from '../math/floats.ts';
import { lastAtMost } from '../math/search.ts';
import { type WeldedRows, weldNumbers, weldRows } from '../math/weld.ts';
import type { MeshPrimitive } from './geometry.ts';
import type { GeometryBudget } from './geometry-budget.ts';
import { type TriangulationBudget, triangulate } from './triangulate.ts';

export interface Polygons {
  /** xyz per point. */
  readonly points: Float64Array;
  /** Point index of every corner; −1 for a missing point. */
  readonly corners: Int32Array;
  /** First corner of every polygon, then the end of the last one. */
  readonly starts: Int32Array;
}

/** Indexed values of polygon corners. */
export interface CornerValues {
  /** Floats per value. */
  readonly width: number;
  /** `width` floats per value. */
  readonly values: Float32Array;
  /** Index of every corner's value; −1 without. */
  readonly indices: Int32Array;
}

/** Gathers the values of vertices that were made from polygon corners. Returns `width` floats per vertex; 0 for corners without a value. */
export function gatherCornerValues(
  { values, indices, width }: CornerValues,
  cornerOf: ArrayLike<number>,
): Float32Array {
  const out = new Float32Array(width * cornerOf.length);
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const index = indices[cornerOf[vertex]];
    if (index >= 0) out.set(values.subarray(index * width, (index + 1) * width), vertex * width);
  }
  return out;
}

/**
 * Computes the normal of the polygon that contains a corner, by Newell's method. It points to the side from which the corners are
 * counter-clockwise; its length is twice the area. `out` receives xyz at index 0; zero for degenerate polygons.
 */
export function polygonNormal(out: Float64Array, { points, corners, starts }: Polygons, corner: number): void {
  const polygon = lastAtMost(starts, corner);
  const [first, end] = [starts[polygon], starts[polygon + 1]];
  out.fill(0);
  for (let k = first; k < end; k++) {
    const a = 3 * corners[k];
    const b = 3 * corners[k + 1 < end ? k + 1 : first];
    out[0] += (points[a + 1] - points[b + 1]) * (points[a + 2] + points[b + 2]);
    out[1] += (points[a + 2] - points[b + 2]) * (points[a] + points[b]);
    out[2] += (points[a] - points[b]) * (points[a + 1] + points[b + 1]);
  }
}

export interface PolygonPrimitive {
  readonly primitive: MeshPrimitive;
  /** Point of each vertex. */
  readonly points: Int32Array;
}

/** Scales 3 floats to length 1, in place. Returns false, without a change, for a length that is 0 or out of range. */
export function normalizeFinite(v: Floats, i: number): boolean {
  const length = Math.hypot(v[i], v[i + 1], v[i + 2]);
  if (!(length > 0 && length <= FLOAT32_MAX)) return false;
  for (let c = i; c < i + 3; c++) v[c] /= length;
  return true;
}

/** Cuts a polygon without missing points into triangles. Adds three corners each, counted from its first one. */
export function cutPolygon(
  out: number[],
  { points, corners, starts }: Polygons,
  polygon: number,
  budget: TriangulationBudget,
): void {
  const start = starts[polygon];
  const count = starts[polygon + 1] - start;
  const positions = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    for (let c = 0; c < 3; c++) positions[3 * k + c] = points[3 * corners[start + k] + c];
  }
  triangulate(positions, count, out, budget);
}

/** Values of polygon corners by number. */
interface NumberedValues {
  /** Number of each value: equal ones have the same. */
  readonly ids: Int32Array;
  /** Index of every corner's value; −1 without. */
  readonly indices: Int32Array;
}

/** Numbers values so that equal ones get equal numbers: once for all parts of a mesh. */
export function numberValues({ values, indices, width }: CornerValues): NumberedValues {
  return { ids: weldRows(new Int32Array(values.buffer, values.byteOffset, values.length), width).ids, indices };
}

/** Welds corners that have the same point and equal values. */
export function weldCorners(
  corners: Int32Array,
  { points, corners: pointOf }: Polygons,
  columns: readonly NumberedValues[],
  budget: GeometryBudget,
): WeldedRows {
  const width = columns.length + 1;
  budget.take(corners.length * width);
  if (width === 1) {
    return weldNumbers(
      corners.map((corner) => pointOf[corner]),
      points.length / 3,
    );
  }
  const rows = new Int32Array(corners.length * width);
  for (let i = 0; i < corners.length; i++) {
    const corner = corners[i];
    rows[i * width] = pointOf[corner];
    for (let c = 0; c < columns.length; c++) {
      const { ids, indices } = columns[c];
      const index = indices[corner];
      rows[i * width + c + 1] = index < 0 ? -1 : ids[index];
    }
  }
  return weldRows(rows, width);
}

import type { MorphTarget } from '../../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../../core/asset/geometry-budget.ts';
import { type MorphTarget as Offsets, validateMorphTargets } from '../../../../core/deform/morph.ts';
import { FLOAT32_MAX } from '../../../../core/math/floats.ts';
import type { PrimvarValues } from './read-primvars.ts';

export interface PointOffsets {
  /** Affected points, ascending and unique; null for all points. */
  readonly points: Int32Array | null;
  /** Position offsets, 3 floats per affected point; null for none. */
  readonly offsets: Float32Array | null;
  /** Normal offsets, 3 floats per affected point; null for none. */
  readonly normalOffsets: Float32Array | null;
}

/** Normals that blend shapes offset. */
interface MorphedNormals {
  /** The authored normals, of any length. */
  readonly values: PrimvarValues;
  readonly cornerOf: Int32Array;
}

const NO_OFFSETS: PointOffsets = { points: new Int32Array(0), offsets: new Float32Array(0), normalOffsets: null };

/**
 * Collects the offsets of a blend shape by point. Offsets of a repeated point are summed; non-finite offsets become 0. Returns the offsets and
 * null; for a shape that does not fit the mesh, empty offsets and the reason.
 */
export function toPointOffsets(shape: Offsets, pointCount: number): { shape: PointOffsets; reason: string | null } {
  const { vertices, positions, normals } = shape;
  if (positions === null && normals === null) return { shape: NO_OFFSETS, reason: null };
  const { valid, reasons } = validateMorphTargets([shape], pointCount);
  if (!valid) return { shape: NO_OFFSETS, reason: reasons[0].replace(/^target 0/, 'it') };
  const points = vertices === null ? null : Int32Array.from(new Set(vertices)).sort();
  const rows = new Int32Array(points === null ? 0 : pointCount);
  for (const [row, point] of points?.entries() ?? []) rows[point] = row;
  const sum = (from: ArrayLike<number> | null): Float32Array | null => {
    if (from === null) return null;
    const out = new Float32Array(3 * (points?.length ?? pointCount));
    for (let i = 0; i < from.length / 3; i++) {
      const row = vertices === null ? i : rows[vertices[i]];
      for (let c = 0; c < 3; c++) {
        const value = out[3 * row + c] + from[3 * i + c];
        if (Math.abs(value) <= FLOAT32_MAX) out[3 * row + c] = value;
      }
    }
    return out;
  };
  return { shape: { points, offsets: sum(positions), normalOffsets: sum(normals) }, reason: null };
}

/**
 * Converts point offsets to morph targets of a primitive; each target contains the affected vertices only. `normals`: the normals that the shapes
 * offset; null if they offset none.
 */
export function toMorphTargets(
  shapes: readonly PointOffsets[],
  points: Int32Array,
  normals: MorphedNormals | null,
  budget: GeometryBudget,
): MorphTarget[] {
  let pointCount = 0;
  for (const point of points) pointCount = Math.max(pointCount, point + 1);
  const rows = new Int32Array(pointCount);
  return shapes.map((shape): MorphTarget => {
    budget.take(2 * points.length);
    let moved: Uint32Array | null = null;
    if (shape.points !== null) {
      rows.fill(-1);
      for (const [row, point] of shape.points.entries()) if (point < pointCount) rows[point] = row;
      moved = Uint32Array.from(points.keys()).filter((vertex) => rows[points[vertex]] >= 0);
    }
    const count = moved?.length ?? points.length;
    budget.take(6 * count);
    const gather = (from: Float32Array | null, scale: (vertex: number) => number): Float32Array | null => {
      if (from === null) return null;
      const out = new Float32Array(3 * count);
      for (let i = 0; i < count; i++) {
        const vertex = moved === null ? i : moved[i];
        const row = moved === null ? points[vertex] : rows[points[vertex]];
        const factor = scale(vertex);
        for (let c = 0; c < 3; c++) out[3 * i + c] = from[3 * row + c] * factor;
      }
      return out;
    };
    const normalOffsets =
      normals === null ? null : gather(shape.normalOffsets, (vertex) => normalScale(normals, vertex));
    return { vertices: moved, positions: gather(shape.offsets, () => 1), normals: normalOffsets, tangents: null };
  });
}

/** Computes the factor that normalized the normal of a vertex; its offsets are scaled alike. */
function normalScale({ values: { values, indices }, cornerOf }: MorphedNormals, vertex: number): number {
  const at = 3 * indices[cornerOf[vertex]];
  const length = at < 0 ? 0 : Math.hypot(values[at], values[at + 1], values[at + 2]);
  return length > 0 ? 1 / length : 0;
}

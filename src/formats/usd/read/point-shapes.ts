/** Offsets of the points of a mesh as morph targets of the vertices of a primitive. */
import type { MorphTarget } from '../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import { type MorphTarget as Offsets, validateMorphTargets } from '../../../core/deform/morph.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import type { PrimvarValues } from './read-primvars.ts';

/** A shape by point; points that it names twice are offset by the sum. */
export interface PointShape {
  /** Points that are moved, rising, each once; null: all. */
  readonly points: Int32Array | null;
  /** 3 floats each; null where it moves or turns nothing. */
  readonly offsets: Float32Array | null;
  readonly normalOffsets: Float32Array | null;
}

/** Normals that shapes turn. */
export interface TurnedNormals {
  /** As the file has them, of any length. */
  readonly values: PrimvarValues;
  /** Corner of every vertex. */
  readonly cornerOf: Int32Array;
}

const NOTHING: PointShape = { points: new Int32Array(0), offsets: new Float32Array(0), normalOffsets: null };

/** A shape of a mesh of `pointCount` points, or why it does not fit: then it moves nothing. What is not finite is 0. */
export function pointShape(shape: Offsets, pointCount: number): { shape: PointShape; reason: string | null } {
  const { vertices, positions, normals } = shape;
  if (positions === null && normals === null) return { shape: NOTHING, reason: null };
  const { valid, reasons } = validateMorphTargets([shape], pointCount);
  if (!valid) return { shape: NOTHING, reason: reasons[0].replace(/^target 0/, 'it') };
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

/** A target a shape, of the vertices that it moves; `points`: the point of every vertex. `normals`: null where shapes turn none. */
export function shapesOfVertices(
  shapes: readonly PointShape[],
  points: Int32Array,
  normals: TurnedNormals | null,
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
    const turns = normals === null ? null : gather(shape.normalOffsets, (vertex) => shrunk(normals, vertex));
    return { vertices: moved, positions: gather(shape.offsets, () => 1), normals: turns, tangents: null };
  });
}

/** The normals were made of length 1; what is added to them shrinks alike. */
function shrunk({ values: { values, indices }, cornerOf }: TurnedNormals, vertex: number): number {
  const at = 3 * indices[cornerOf[vertex]];
  const length = at < 0 ? 0 : Math.hypot(values[at], values[at + 1], values[at + 2]);
  return length > 0 ? 1 / length : 0;
}

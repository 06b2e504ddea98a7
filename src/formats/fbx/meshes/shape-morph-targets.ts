import type { MorphTarget } from '../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import type { LayerElement } from './layer-elements.ts';
import type { FbxShape } from './read-shapes.ts';

interface MorphedVertices {
  readonly pointCount: number;
  readonly points: Int32Array;
  readonly corners: Int32Array;
  /** Normals of the file; null for a primitive without normals. */
  readonly normals: LayerElement | null;
  /** Matrix that transforms positions: {@link MATRIX_STRIDE} floats, column-major. */
  readonly geometric: Float64Array;
  /** Matrix that transforms normals, column-major. */
  readonly directions: Float64Array;
}

/** Converts blend shapes to morph targets. A target contains only the vertices that it moves. */
export function morphTargetsOf(
  shapes: readonly FbxShape[],
  { pointCount, points, corners, normals: layer, geometric, directions }: MorphedVertices,
  budget: GeometryBudget,
): MorphTarget[] {
  if (shapes.length === 0) return [];
  /** Index of each control point in the current shape, −1 for points that it does not move. */
  const shapeIndices = new Int32Array(pointCount).fill(-1);
  const delta = new Float64Array(3);
  return shapes.map((shape): MorphTarget => {
    for (let i = 0; i < shape.points.length; i++) shapeIndices[shape.points[i]] = i;
    const moved: number[] = [];
    for (let vertex = 0; vertex < points.length; vertex++) if (shapeIndices[points[vertex]] >= 0) moved.push(vertex);
    budget.take(7 * moved.length + points.length);
    const vertices = Uint32Array.from(moved);
    const positions = new Float32Array(3 * moved.length);
    const normalDeltas = shape.normals === null || layer === null ? null : new Float32Array(3 * moved.length);
    for (let i = 0; i < moved.length; i++) {
      const from = 3 * shapeIndices[points[moved[i]]];
      mat4.transformDirection(delta, 0, geometric, 0, shape.offsets, from);
      for (let c = 0; c < 3; c++) positions[3 * i + c] = Math.abs(delta[c]) <= FLOAT32_MAX ? delta[c] : 0;
      if (normalDeltas === null || shape.normals === null || layer === null) continue;
      const index = layer.indices[corners[moved[i]]];
      if (index < 0) continue;
      // The base normals were normalized after the transform, so their deltas are scaled by the same factor.
      mat4.transformDirection(delta, 0, directions, 0, layer.values, 3 * index);
      const length = Math.hypot(delta[0], delta[1], delta[2]);
      mat4.transformDirection(delta, 0, directions, 0, shape.normals, from);
      for (let c = 0; c < 3; c++) {
        const change = delta[c] / length;
        normalDeltas[3 * i + c] = Math.abs(change) <= FLOAT32_MAX ? change : 0;
      }
    }
    for (let i = 0; i < shape.points.length; i++) shapeIndices[shape.points[i]] = -1;
    return { vertices, positions, normals: normalDeltas, tangents: null };
  });
}

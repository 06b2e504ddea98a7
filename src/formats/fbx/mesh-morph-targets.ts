/** Blend shapes of FBX meshes as morph targets of a primitive. */
import type { MorphTarget } from '../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../core/asset/geometry-budget.ts';
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import type { LayerElement } from './layer-elements.ts';
import type { FbxShape } from './read-shapes.ts';

/** The vertices of a primitive. */
export interface MorphedVertices {
  /** Control points of the mesh. */
  readonly pointCount: number;
  /** Control point and corner of every vertex. */
  readonly points: Int32Array;
  readonly corners: Int32Array;
  /** The normals of the mesh as the file has them; null where the primitive has none. */
  readonly normals: LayerElement | null;
  /** What places and normals were turned by, 16 floats each. */
  readonly geometric: Float64Array;
  readonly directions: Float64Array;
}

/** A target a shape, of the vertices that it moves. */
export function morphTargetsOf(
  shapes: readonly FbxShape[],
  { pointCount, points, corners, normals: layer, geometric, directions }: MorphedVertices,
  budget: GeometryBudget,
): MorphTarget[] {
  if (shapes.length === 0) return [];
  /** Place of every control point in the shape at hand, −1 for none. */
  const places = new Int32Array(pointCount).fill(-1);
  const delta = new Float64Array(3);
  return shapes.map((shape): MorphTarget => {
    for (let i = 0; i < shape.points.length; i++) places[shape.points[i]] = i;
    const moved: number[] = [];
    for (let vertex = 0; vertex < points.length; vertex++) if (places[points[vertex]] >= 0) moved.push(vertex);
    budget.take(7 * moved.length + points.length);
    const vertices = Uint32Array.from(moved);
    const positions = new Float32Array(3 * moved.length);
    const turns = shape.normals === null || layer === null ? null : new Float32Array(3 * moved.length);
    for (let i = 0; i < moved.length; i++) {
      const from = 3 * places[points[moved[i]]];
      mat4.transformDirection(delta, 0, geometric, 0, shape.offsets, from);
      for (let c = 0; c < 3; c++) positions[3 * i + c] = Math.abs(delta[c]) <= FLOAT32_MAX ? delta[c] : 0;
      if (turns === null || shape.normals === null || layer === null) continue;
      const index = layer.indices[corners[moved[i]]];
      if (index < 0) continue;
      // The normals were made of length 1 after they were turned; what is added to them shrinks alike.
      mat4.transformDirection(delta, 0, directions, 0, layer.values, 3 * index);
      const length = Math.hypot(delta[0], delta[1], delta[2]);
      mat4.transformDirection(delta, 0, directions, 0, shape.normals, from);
      for (let c = 0; c < 3; c++) {
        const turn = delta[c] / length;
        turns[3 * i + c] = Math.abs(turn) <= FLOAT32_MAX ? turn : 0;
      }
    }
    for (let i = 0; i < shape.points.length; i++) places[shape.points[i]] = -1;
    return { vertices, positions, normals: turns, tangents: null };
  });
}

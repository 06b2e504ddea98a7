/** Builds mesh primitives from FBX polygons: one primitive per material. Corners that agree in everything share a vertex. */
import type { MeshPrimitive, MorphTarget } from '../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import {
  cutPolygon,
  gatherCornerValues,
  numberValues,
  type PolygonPrimitive,
  type Polygons,
  weldCorners,
} from '../../../core/asset/polygons.ts';
import type { TriangulationBudget } from '../../../core/asset/triangulate.ts';
import { gatherInfluences } from '../../../core/deform/edit-influences.ts';
import type { Influences } from '../../../core/deform/influences.ts';
import { FLOAT32_MAX } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { srgbToLinear } from '../../../core/math/srgb.ts';
import type { WeldedRows } from '../../../core/math/weld.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';
import type { LayerElement } from './layer-elements.ts';
import { directionMatrix, tangentsOf, unitNormals } from './normals-and-tangents.ts';
import type { FbxShape } from './read-shapes.ts';

interface MorphedVertices {
  readonly pointCount: number;
  /** Control point of each vertex. */
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

export interface FbxMesh {
  readonly polygons: Polygons;
  readonly normals: LayerElement | null;
  readonly tangents: LayerElement | null;
  /** Binormals at corners, which determine the handedness of the tangents; null without binormals. */
  readonly binormals: LayerElement | null;
  readonly uvs: readonly LayerElement[];
  /** Color sets, rgba. */
  readonly colors: readonly LayerElement[];
  /** Index of each polygon's material in the materials of its Model. */
  readonly materials: Int32Array;
  /** Skin weights of the control points; null without a skin. */
  readonly influences: Influences | null;
  readonly shapes: readonly FbxShape[];
}

interface MeshPlacement {
  /**
   * Geometric transform of the node, column-major: {@link MATRIX_STRIDE} floats. It moves the mesh, but not the
   * children of the node.
   */
  readonly geometric: Float64Array;
  /** Index in the materials of the file for each material of the Model. */
  readonly materials: readonly number[];
}

/** Builds the primitives of a mesh, one per material, in the order in which polygons first use the materials. */
export function meshPrimitives(
  mesh: FbxMesh,
  placement: MeshPlacement,
  faults: IssueTally,
  budget: GeometryBudget,
  triangulation: TriangulationBudget,
): PolygonPrimitive[] {
  const polygonsOf = polygonsByMaterial(mesh, placement.materials, faults);
  const columns = [mesh.normals, mesh.tangents, mesh.binormals, ...mesh.uvs, ...mesh.colors].flatMap((element) =>
    element === null ? [] : numberValues(element),
  );
  return Array.from(polygonsOf, ([material, list]) => {
    const part = cutPolygons(mesh.polygons, list, placement.geometric, budget, triangulation);
    const welded = weldCorners(part.corners, mesh.polygons, columns, budget);
    return buildPrimitive(mesh, placement.geometric, material, { ...part, ...welded }, budget);
  });
}

function polygonsByMaterial(
  { polygons: { corners, starts }, materials }: FbxMesh,
  materialIds: readonly number[],
  faults: IssueTally,
): Map<number, number[]> {
  const out = new Map<number, number[]>();
  let small = 0;
  for (let polygon = 0; polygon + 1 < starts.length; polygon++) {
    if (starts[polygon + 1] - starts[polygon] < 3) {
      small++;
      continue;
    }
    if (corners.subarray(starts[polygon], starts[polygon + 1]).includes(-1)) continue;
    const material = materialIds[materials[polygon]] ?? -1;
    const list = out.get(material);
    if (list === undefined) out.set(material, [polygon]);
    else list.push(polygon);
  }
  tallyIssue(faults, 'polygons have fewer than three corners; they were left out', small);
  return out;
}

function cutPolygons(
  all: Polygons,
  polygons: readonly number[],
  geometric: Float64Array,
  budget: GeometryBudget,
  triangulation: TriangulationBudget,
): { readonly corners: Int32Array; readonly triangles: Uint32Array } {
  const { starts } = all;
  let cornerCount = 0;
  for (const polygon of polygons) cornerCount += starts[polygon + 1] - starts[polygon];
  budget.take(4 * cornerCount);
  const used = new Int32Array(cornerCount);
  const triangles = new Uint32Array(3 * (cornerCount - 2 * polygons.length));
  const isMirrored = mat4.determinant(geometric, 0) < 0;
  const cut: number[] = [];
  let at = 0;
  let base = 0;
  for (const polygon of polygons) {
    const start = starts[polygon];
    const count = starts[polygon + 1] - start;
    for (let k = 0; k < count; k++) used[base + k] = start + k;
    cut.length = 0;
    cutPolygon(cut, all, polygon, triangulation);
    for (let t = 0; t < cut.length; t += 3, at += 3) {
      triangles[at] = base + cut[t];
      triangles[at + 1] = base + cut[isMirrored ? t + 2 : t + 1];
      triangles[at + 2] = base + cut[isMirrored ? t + 1 : t + 2];
    }
    base += count;
  }
  return { corners: used, triangles };
}

function buildPrimitive(
  mesh: FbxMesh,
  geometric: Float64Array,
  material: number,
  { corners, triangles, ids, firsts }: ReturnType<typeof cutPolygons> & WeldedRows,
  budget: GeometryBudget,
): PolygonPrimitive {
  const { polygons, normals, tangents, binormals, uvs, colors, influences, shapes } = mesh;
  const vertexCount = firsts.length;
  const jointsPerVertex = influences?.jointsPerVertex ?? 0;
  budget.take(vertexCount * (11 + 2 * uvs.length + 4 * colors.length + 2 * jointsPerVertex));
  const cornerOf = Int32Array.from(firsts, (i) => corners[i]);
  const points = Int32Array.from(cornerOf, (corner) => polygons.corners[corner]);
  const directions = directionMatrix(geometric);
  const positions = new Float32Array(3 * vertexCount);
  const position = new Float64Array(3);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    mat4.transformPoint(position, 0, geometric, 0, polygons.points, 3 * points[vertex]);
    for (let c = 0; c < 3; c++) positions[3 * vertex + c] = Math.abs(position[c]) <= FLOAT32_MAX ? position[c] : 0;
  }
  const unit = normals === null ? null : unitNormals(polygons, normals, cornerOf, directions);
  const hands = unit === null || tangents === null ? null : tangentsOf(tangents, binormals, unit, cornerOf, geometric);
  const primitive: MeshPrimitive = {
    mode: 'triangles',
    vertexCount,
    indices: Uint32Array.from(triangles, (i) => ids[i]),
    positions,
    normals: unit,
    tangents: hands,
    uvs: uvs.map((element) => {
      const out = gatherCornerValues(element, cornerOf);
      // In FBX, v points up.
      for (let i = 1; i < out.length; i += 2) out[i] = 1 - out[i];
      return out;
    }),
    colors: colors.map((element) => linearColors(gatherCornerValues(element, cornerOf))),
    influences: influences === null ? null : gatherInfluences(influences, points),
    morphTargets: morphTargetsOf(
      shapes,
      { pointCount: polygons.points.length / 3, points, corners: cornerOf, normals, geometric, directions },
      budget,
    ),
    material,
  };
  return { primitive, points };
}

/** Converts rgba in place: vertex colors are sRGB in FBX as Blender and three.js handle it, linear in glTF. */
function linearColors(colors: Float32Array): Float32Array {
  for (let i = 0; i < colors.length; i++) {
    const value = Math.max(0, colors[i]);
    if (i % 4 === 3) colors[i] = Math.min(value, 1);
    else colors[i] = Math.min(srgbToLinear(value), FLOAT32_MAX);
  }
  return colors;
}

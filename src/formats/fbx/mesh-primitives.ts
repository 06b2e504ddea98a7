/** FBX polygons as triangles with vertices: one primitive a material, corners that agree in everything are one vertex. */
import { gatherCorners } from '../../core/asset/corner-values.ts';
import type { MeshPrimitive } from '../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../core/asset/geometry-budget.ts';
import { type TriangulationBudget, triangulate } from '../../core/asset/triangulate.ts';
import { type WeldedRows, weldRows } from '../../core/asset/weld.ts';
import { gatherInfluences } from '../../core/deform/edit-influences.ts';
import type { Influences } from '../../core/deform/influences.ts';
import { FLOAT32_MAX } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import type { LayerElement } from './layer-elements.ts';
import { directionMatrix, tangentsOf, unitNormals } from './mesh-directions.ts';
import { morphTargetsOf } from './mesh-morph-targets.ts';
import { type FbxPolygons, type MeshFaults, noteMeshFault } from './read-polygons.ts';
import type { FbxShape } from './read-shapes.ts';

/** A mesh as the file has it. */
export interface FbxMesh {
  readonly polygons: FbxPolygons;
  readonly normals: LayerElement | null;
  readonly tangents: LayerElement | null;
  /** Says the handedness of the tangents. */
  readonly binormals: LayerElement | null;
  readonly uvs: readonly LayerElement[];
  readonly colors: readonly LayerElement[];
  /** Which material of its Model each polygon has. */
  readonly materials: Int32Array;
  /** Of the control points; null without a skin. */
  readonly influences: Influences | null;
  readonly shapes: readonly FbxShape[];
}

/** How the mesh stands at a node. */
export interface MeshPlacement {
  /** The geometric transform of the node, 16 floats: it moves the mesh and nothing below the node. */
  readonly geometric: Float64Array;
  /** Index in the materials of the file for each material of the Model. */
  readonly materials: readonly number[];
}

/** A primitive and where its vertices come from. */
export interface FbxPrimitive {
  readonly primitive: MeshPrimitive;
  /** Control point of every vertex. */
  readonly points: Int32Array;
}

/** What polygons of one material are made of while they become a primitive. */
interface Part {
  /** Corners of the file, polygon after polygon. */
  readonly corners: Int32Array;
  /** Three places in `corners` a triangle. */
  readonly triangles: Uint32Array;
}

/** Makes the primitives of a mesh, by material in the order in which the polygons first have them. */
export function meshPrimitives(
  mesh: FbxMesh,
  placement: MeshPlacement,
  faults: MeshFaults,
  budget: GeometryBudget,
  triangulation: TriangulationBudget,
): FbxPrimitive[] {
  const polygonsOf = polygonsByMaterial(mesh, placement.materials, faults);
  const columns = [mesh.normals, mesh.tangents, mesh.binormals, ...mesh.uvs, ...mesh.colors]
    .filter((element) => element !== null)
    .map((element) => ({ element, ids: valueIds(element) }));
  return Array.from(polygonsOf, ([material, list]) => {
    const part = cutPolygons(mesh.polygons, list, placement.geometric, budget, triangulation);
    const { corners, triangles } = part;
    const width = columns.length + 1;
    budget.take(corners.length * width);
    const rows = new Int32Array(corners.length * width);
    for (let i = 0; i < corners.length; i++) {
      const corner = corners[i];
      rows[i * width] = mesh.polygons.corners[corner];
      for (let c = 0; c < columns.length; c++) {
        const index = columns[c].element.indices[corner];
        rows[i * width + c + 1] = index < 0 ? -1 : columns[c].ids[index];
      }
    }
    const welded = weldRows(rows, width);
    return buildPrimitive(mesh, placement.geometric, material, corners, triangles, welded, budget);
  });
}

/** Equal values have equal numbers. */
function valueIds({ values, width }: LayerElement): Int32Array {
  return weldRows(new Int32Array(values.buffer, values.byteOffset, values.length), width).ids;
}

function polygonsByMaterial(
  { polygons: { corners, starts }, materials }: FbxMesh,
  materialIds: readonly number[],
  faults: MeshFaults,
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
  noteMeshFault(faults, 'polygons have less than three corners; they were left out', small);
  return out;
}

function cutPolygons(
  { points, corners, starts }: FbxPolygons,
  polygons: readonly number[],
  geometric: Float64Array,
  budget: GeometryBudget,
  triangulation: TriangulationBudget,
): Part {
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
    const places = new Float64Array(3 * count);
    for (let k = 0; k < count; k++) {
      used[base + k] = start + k;
      const point = 3 * corners[start + k];
      places[3 * k] = points[point];
      places[3 * k + 1] = points[point + 1];
      places[3 * k + 2] = points[point + 2];
    }
    cut.length = 0;
    triangulate(places, count, cut, triangulation);
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
  corners: Int32Array,
  triangles: Uint32Array,
  { ids, firsts }: WeldedRows,
  budget: GeometryBudget,
): FbxPrimitive {
  const { polygons, normals, tangents, binormals, uvs, colors, influences, shapes } = mesh;
  const vertexCount = firsts.length;
  const jointsPerVertex = influences?.jointsPerVertex ?? 0;
  budget.take(vertexCount * (11 + 2 * uvs.length + 4 * colors.length + 2 * jointsPerVertex));
  const cornerOf = Int32Array.from(firsts, (i) => corners[i]);
  const points = Int32Array.from(cornerOf, (corner) => polygons.corners[corner]);
  const directions = directionMatrix(geometric);
  const positions = new Float32Array(3 * vertexCount);
  const place = new Float64Array(3);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    mat4.transformPoint(place, 0, geometric, 0, polygons.points, 3 * points[vertex]);
    for (let c = 0; c < 3; c++) positions[3 * vertex + c] = Math.abs(place[c]) <= FLOAT32_MAX ? place[c] : 0;
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
      const out = gatherCorners(element, cornerOf);
      // FBX counts v upwards.
      for (let i = 1; i < out.length; i += 2) out[i] = 1 - out[i];
      return out;
    }),
    colors: colors.map((element) => linearColors(gatherCorners(element, cornerOf))),
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

/** rgba in place: colors of vertices are sRGB to those who write and read FBX (Blender, three.js), linear in glTF (IEC 61966-2-1). */
function linearColors(colors: Float32Array): Float32Array {
  for (let i = 0; i < colors.length; i++) {
    const value = Math.max(0, colors[i]);
    if (i % 4 === 3) colors[i] = Math.min(value, 1);
    else colors[i] = value <= 0.04045 ? value / 12.92 : Math.min(((value + 0.055) / 1.055) ** 2.4, FLOAT32_MAX);
  }
  return colors;
}

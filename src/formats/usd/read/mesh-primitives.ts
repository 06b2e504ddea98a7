/** USD polygons as triangles with vertices: one primitive a material, corners that agree in everything are one vertex. */
import { gatherCorners } from '../../../core/asset/corner-values.ts';
import type { MeshPrimitive, MorphTarget } from '../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../core/asset/geometry-budget.ts';
import { type TriangulationBudget, triangulate } from '../../../core/asset/triangulate.ts';
import { type WeldedRows, weldNumbers, weldRows } from '../../../core/asset/weld.ts';
import { gatherInfluences } from '../../../core/deform/edit-influences.ts';
import type { Influences } from '../../../core/deform/influences.ts';
import { unitNormals } from './corner-normals.ts';
import { type Findings, note } from './geometry-findings.ts';
import { type PointShape, shapesOfVertices } from './point-shapes.ts';
import type { UsdPolygons } from './read-polygons.ts';
import type { PrimvarValues } from './read-primvars.ts';

/** A mesh as the file has it. */
export interface UsdSurface {
  readonly polygons: UsdPolygons;
  readonly normals: PrimvarValues | null;
  /** By the name of the primvar, without `primvars:`. */
  readonly uvs: ReadonlyMap<string, PrimvarValues>;
  /** Colors that are seen where a part has them. */
  readonly colors: PrimvarValues | null;
  /** Of the points; null where no joints move them. Joints count along the skin. */
  readonly influences: Influences | null;
  /** Of the points, one a morph target. */
  readonly shapes: readonly PointShape[];
}

/** Faces that become a primitive. */
export interface SurfacePart {
  readonly faces: ArrayLike<number>;
  /** Index in the materials of the file; −1 for the default. */
  readonly material: number;
  /** Names of the uv sets that it gets, in order; those that the mesh lacks are (0, 0) of USD everywhere. */
  readonly uvSets: readonly string[];
  readonly hasColors: boolean;
}

/** A primitive and where its vertices come from. */
export interface UsdPrimitive {
  readonly primitive: MeshPrimitive;
  /** Point of every vertex. */
  readonly points: Int32Array;
}

/** What making primitives takes from and adds to. */
export interface PrimitiveReading {
  readonly budget: GeometryBudget;
  readonly triangulation: TriangulationBudget;
  readonly findings: Findings;
}

/** Makes a primitive of faces of a surface; null where no triangle comes out. Holes and faces that are broken are left out. */
export function meshPrimitive(
  reading: PrimitiveReading,
  surface: UsdSurface,
  part: SurfacePart,
  prim: string,
): UsdPrimitive | null {
  const { budget } = reading;
  const { polygons, normals } = surface;
  const corners = triangleCorners(reading, polygons, part.faces, prim);
  if (corners.length === 0) return null;
  const uvs = part.uvSets.map((name) => surface.uvs.get(name) ?? null);
  const colors = part.hasColors ? surface.colors : null;
  const { ids: indices, firsts } = weldCorners(
    corners,
    polygons,
    [normals, ...uvs, colors].filter((values) => values !== null),
    budget,
  );
  const cornerOf = firsts.map((i) => corners[i]);
  const points = cornerOf.map((corner) => polygons.corners[corner]);
  const jointsPerVertex = surface.influences?.jointsPerVertex ?? 0;
  budget.take(points.length * (8 + 2 * uvs.length + 2 * jointsPerVertex));
  const unit = normals === null ? null : unitNormals(polygons, normals, cornerOf);
  const primitive: MeshPrimitive = {
    mode: 'triangles',
    vertexCount: points.length,
    indices: new Uint32Array(indices),
    positions: positionsOf(polygons, points),
    normals: unit,
    tangents: null,
    uvs: uvs.map((values) => uvsOf(values, cornerOf)),
    colors: colors === null ? [] : [gatherCorners(colors, cornerOf)],
    influences: surface.influences === null ? null : gatherInfluences(surface.influences, points),
    morphTargets: targetsOf(surface, points, cornerOf, unit !== null, budget),
    material: part.material,
  };
  return { primitive, points };
}

/** Corners that agree in their points and in all values. */
function weldCorners(
  corners: Int32Array,
  polygons: UsdPolygons,
  values: readonly PrimvarValues[],
  budget: GeometryBudget,
): WeldedRows {
  // What goes by points is the same where points are.
  const columns = values.filter(({ interpolation }) => interpolation !== 'vertex' && interpolation !== 'constant');
  const width = columns.length + 1;
  budget.take(corners.length * width);
  if (width === 1) {
    return weldNumbers(
      corners.map((corner) => polygons.corners[corner]),
      polygons.points.length / 3,
    );
  }
  const ids = columns.map(valueIds);
  const rows = new Int32Array(corners.length * width);
  for (let i = 0; i < corners.length; i++) {
    const corner = corners[i];
    rows[i * width] = polygons.corners[corner];
    for (let c = 0; c < columns.length; c++) {
      const index = columns[c].indices[corner];
      rows[i * width + c + 1] = index < 0 ? -1 : ids[c][index];
    }
  }
  return weldRows(rows, width);
}

/** Equal values have equal numbers. */
function valueIds({ values, width }: PrimvarValues): Int32Array {
  return weldRows(new Int32Array(values.buffer, values.byteOffset, values.length), width).ids;
}

/** The corners of the triangles that faces are cut into, three a triangle, counter-clockwise seen from the front. */
function triangleCorners(
  { budget, triangulation, findings }: PrimitiveReading,
  { points, corners, starts, isLeftHanded, holes }: UsdPolygons,
  faces: ArrayLike<number>,
  prim: string,
): Int32Array {
  let most = 0;
  for (let f = 0; f < faces.length; f++) {
    const count = starts[faces[f] + 1] - starts[faces[f]];
    budget.take(6 * count);
    most += 3 * Math.max(0, count - 2);
  }
  const out = new Int32Array(most);
  let length = 0;
  const add = (a: number, b: number, c: number): void => {
    // A triangle with one point twice shows nothing.
    if (corners[a] === corners[b] || corners[b] === corners[c] || corners[c] === corners[a]) return;
    out[length++] = a;
    out[length++] = isLeftHanded ? c : b;
    out[length++] = isLeftHanded ? b : c;
  };
  const cut: number[] = [];
  let small = 0;
  for (let f = 0; f < faces.length; f++) {
    const start = starts[faces[f]];
    const end = starts[faces[f] + 1];
    if (holes[faces[f]] === 1 || hasStray(corners, start, end)) continue;
    const count = end - start;
    if (count < 3) small++;
    else if (count === 3) add(start, start + 1, start + 2);
    else {
      const places = new Float64Array(3 * count);
      for (let k = 0; k < count; k++) {
        for (let c = 0; c < 3; c++) places[3 * k + c] = points[3 * corners[start + k] + c];
      }
      cut.length = 0;
      triangulate(places, count, cut, triangulation);
      for (let t = 0; t < cut.length; t += 3) add(start + cut[t], start + cut[t + 1], start + cut[t + 2]);
    }
  }
  note(findings, 'USD_GEOMETRY', 'Faces with less than three corners were left out', prim, small);
  return out.slice(0, length);
}

/** Whether one of some corners leads to no point. */
function hasStray(corners: Int32Array, start: number, end: number): boolean {
  for (let corner = start; corner < end; corner++) if (corners[corner] < 0) return true;
  return false;
}

function positionsOf({ points: from }: UsdPolygons, points: Int32Array): Float32Array {
  const out = new Float32Array(3 * points.length);
  for (let vertex = 0; vertex < points.length; vertex++) {
    for (let c = 0; c < 3; c++) out[3 * vertex + c] = from[3 * points[vertex] + c];
  }
  return out;
}

/** USD counts v upwards. */
function uvsOf(values: PrimvarValues | null, cornerOf: Int32Array): Float32Array {
  const out = values === null ? new Float32Array(2 * cornerOf.length) : gatherCorners(values, cornerOf);
  for (let i = 1; i < out.length; i += 2) out[i] = 1 - out[i];
  return out;
}

/** Shapes turn only normals that go by point, as in UsdSkel. */
function targetsOf(
  { shapes, normals }: UsdSurface,
  points: Int32Array,
  cornerOf: Int32Array,
  hasNormals: boolean,
  budget: GeometryBudget,
): MorphTarget[] {
  const turns = hasNormals && normals !== null && normals.interpolation === 'vertex';
  return shapesOfVertices(shapes, points, turns ? { values: normals, cornerOf } : null, budget);
}

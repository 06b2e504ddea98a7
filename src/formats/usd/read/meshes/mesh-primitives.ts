/** Converts polygons to triangle primitives: one per material; corners with equal values become one vertex. */
import type { MeshPrimitive, MorphTarget } from '../../../../core/asset/geometry.ts';
import type { GeometryBudget } from '../../../../core/asset/geometry-budget.ts';
import {
  cutPolygon,
  gatherCornerValues,
  normalizeFinite,
  numberValues,
  type PolygonPrimitive,
  polygonNormal,
  weldCorners,
} from '../../../../core/asset/polygons.ts';
import type { TriangulationBudget } from '../../../../core/asset/triangulate.ts';
import { gatherInfluences } from '../../../../core/deform/edit-influences.ts';
import type { Influences } from '../../../../core/deform/influences.ts';
import { FLOAT32_MAX } from '../../../../core/math/floats.ts';
import { addFinding, type Findings } from '../geometry-findings.ts';
import type { UsdPolygons } from './read-polygons.ts';
import type { PrimvarValues } from './read-primvars.ts';
import { type PointOffsets, toMorphTargets } from './shape-offsets.ts';

/** The surface of a gprim as authored: polygons with primvars, influences and blend shapes. */
export interface UsdSurface {
  readonly polygons: UsdPolygons;
  /** Normals by corner, of any length; null without. */
  readonly normals: PrimvarValues | null;
  /** UV coordinates by primvar name, without `primvars:`. */
  readonly uvs: ReadonlyMap<string, PrimvarValues>;
  /** Display colors, linear RGBA; used by parts with `hasColors`. */
  readonly colors: PrimvarValues | null;
  /** Influences by point, with joint indices of the skin; null if no joints move the points. */
  readonly influences: Influences | null;
  /** Offsets by point, one entry per morph target. */
  readonly shapes: readonly PointOffsets[];
}

/** The faces of a surface that become one primitive. */
export interface SurfacePart {
  readonly faces: ArrayLike<number>;
  /** Index in the materials of the file; −1 for the default. */
  readonly material: number;
  /** Names of the UV sets of the primitive, in order. A set that the mesh lacks is (0, 0) in USD's convention, v up. */
  readonly uvSets: readonly string[];
  /** Whether the primitive gets the display colors. */
  readonly hasColors: boolean;
}

export interface PrimitiveContext {
  readonly budget: GeometryBudget;
  readonly triangulation: TriangulationBudget;
  readonly findings: Findings;
}

/**
 * Builds a primitive from faces of a surface: triangles, with v pointing down as in glTF. Holes and invalid faces are skipped. Returns the
 * primitive; null if no triangle results.
 */
export function meshPrimitive(
  context: PrimitiveContext,
  surface: UsdSurface,
  part: SurfacePart,
  prim: string,
): PolygonPrimitive | null {
  const { budget } = context;
  const { polygons, normals } = surface;
  const corners = triangleCorners(context, polygons, part.faces, prim);
  if (corners.length === 0) return null;
  const uvs = part.uvSets.map((name) => surface.uvs.get(name) ?? null);
  const colors = part.hasColors ? surface.colors : null;
  const { ids: indices, firsts } = weldCorners(
    corners,
    polygons,
    // Values by point are equal wherever the points are.
    [normals, ...uvs, colors].flatMap((values) =>
      values === null || values.interpolation === 'vertex' || values.interpolation === 'constant'
        ? []
        : numberValues(values),
    ),
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
    colors: colors === null ? [] : [gatherCornerValues(colors, cornerOf)],
    influences: surface.influences === null ? null : gatherInfluences(surface.influences, points),
    morphTargets: targetsOf(surface, points, cornerOf, unit !== null, budget),
    material: part.material,
  };
  return { primitive, points };
}

/** Triangulates faces: three corners per triangle, counter-clockwise when seen from the front. */
function triangleCorners(
  { budget, triangulation, findings }: PrimitiveContext,
  polygons: UsdPolygons,
  faces: ArrayLike<number>,
  prim: string,
): Int32Array {
  const { corners, starts, isLeftHanded, holes } = polygons;
  let most = 0;
  for (let f = 0; f < faces.length; f++) {
    const count = starts[faces[f] + 1] - starts[faces[f]];
    budget.take(6 * count);
    most += 3 * Math.max(0, count - 2);
  }
  const out = new Int32Array(most);
  let length = 0;
  const add = (a: number, b: number, c: number): void => {
    // Triangles that repeat a point are degenerate.
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
    if (holes[faces[f]] === 1 || hasInvalidCorner(corners, start, end)) continue;
    if (end - start < 3) small++;
    cut.length = 0;
    cutPolygon(cut, polygons, faces[f], triangulation);
    for (let t = 0; t < cut.length; t += 3) add(start + cut[t], start + cut[t + 1], start + cut[t + 2]);
  }
  addFinding(findings, 'USD_GEOMETRY', 'Faces have less than three corners and were dropped', prim, small);
  return out.slice(0, length);
}

/** Checks whether any corner in a range has no valid point. */
function hasInvalidCorner(corners: Int32Array, start: number, end: number): boolean {
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

/** Flips v: it points up in USD and down in glTF. */
function uvsOf(values: PrimvarValues | null, cornerOf: Int32Array): Float32Array {
  const out = values === null ? new Float32Array(2 * cornerOf.length) : gatherCornerValues(values, cornerOf);
  for (let i = 1; i < out.length; i += 2) out[i] = 1 - out[i];
  return out;
}

/** Converts the blend shapes. They offset normals only where these are per point, as in UsdSkel. */
function targetsOf(
  { shapes, normals }: UsdSurface,
  points: Int32Array,
  cornerOf: Int32Array,
  hasNormals: boolean,
  budget: GeometryBudget,
): MorphTarget[] {
  const offsetsNormals = hasNormals && normals !== null && normals.interpolation === 'vertex';
  return toMorphTargets(shapes, points, offsetsNormals ? { values: normals, cornerOf } : null, budget);
}

/**
 * Gathers unit normals at the vertices. Corners without a finite, non-zero normal get the normal of their face, or +Y if the face has none either.
 * Returns unit normals, 3 floats per vertex.
 */
export function unitNormals(polygons: UsdPolygons, normals: PrimvarValues, cornerOf: Int32Array): Float32Array {
  const out = new Float32Array(3 * cornerOf.length);
  const normal = new Float64Array(3);
  const { indices, values } = normals;
  for (let vertex = 0; vertex < cornerOf.length; vertex++) {
    const at = 3 * indices[cornerOf[vertex]];
    const to = 3 * vertex;
    // Squares of float32 numbers do not overflow float64.
    const length = at < 0 ? 0 : Math.sqrt(values[at] ** 2 + values[at + 1] ** 2 + values[at + 2] ** 2);
    if (length > 0 && length <= FLOAT32_MAX) {
      for (let c = 0; c < 3; c++) out[to + c] = values[at + c] / length;
      continue;
    }
    polygonNormal(normal, polygons, cornerOf[vertex]);
    if (polygons.isLeftHanded) for (let c = 0; c < 3; c++) normal[c] = -normal[c];
    if (!normalizeFinite(normal, 0)) normal.set([0, 1, 0]);
    out.set(normal, to);
  }
  return out;
}

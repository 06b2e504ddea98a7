/** Joins the primitives of a mesh to control points and polygons, as FBX has them. */
import type { MorphTarget } from '../../../../core/asset/geometry.ts';
import type { TrianglePart } from '../../../../core/asset/written-geometry.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import * as vec3 from '../../../../core/math/vec3.ts';
import { weldRows } from '../../../../core/math/weld.ts';
import { directionMatrix } from '../../meshes/normals-and-tangents.ts';
import type { FbxShape } from '../../meshes/read-shapes.ts';
import type { PlannedMesh } from './plan-meshes.ts';

/** Values at corners: those of the vertex that the corner had in the source. */
export interface CornerLayer {
  /** Values, one run per vertex of the source. */
  readonly values: Float64Array;
  readonly width: number;
}

export interface MeshData {
  readonly points: Float64Array;
  /** Control point of every corner, three corners per triangle. */
  readonly corners: Int32Array;
  /** Vertex of the source of every corner, over all primitives. */
  readonly cornerVertices: Int32Array;
  /** Normals by vertex; null without. */
  readonly normals: CornerLayer | null;
  /** Tangents and binormals by vertex; null without. */
  readonly tangents: readonly [tangents: CornerLayer, binormals: CornerLayer] | null;
  /** UV sets by vertex, v up. */
  readonly uvs: readonly CornerLayer[];
  /** Color sets by vertex, linear rgba. */
  readonly colors: readonly CornerLayer[];
  /** Material of the source of every triangle, −1 for the default. */
  readonly materials: Int32Array;
  /** Control points and weights of every joint of the skin; empty without a skin. */
  readonly clusters: readonly { readonly points: Int32Array; readonly weights: Float64Array }[];
  /** Blend shapes, parallel to the morph targets of the mesh. */
  readonly shapes: readonly FbxShape[];
}

/** A primitive with the index of its first vertex over all primitives. */
interface Part extends TrianglePart {
  readonly start: number;
}

/** Float32 values as integers, so that equal values have equal bits: minus zero becomes zero. */
function bitsOf(values: ArrayLike<number>, i: number, width: number, rows: Int32Array, at: number): void {
  for (let c = 0; c < width; c++) {
    floatScratch[0] = values[i + c] + 0;
    rows[at + c] = intScratch[0];
  }
}
const floatScratch = new Float32Array(1);
const intScratch = new Int32Array(floatScratch.buffer);

/**
 * Joins the primitives of a mesh. Vertices become one control point where position, normal, skin weights and morph offsets agree, so that seams of UVs
 * and materials do not cut the surface.
 */
export function meshData({ mesh, primitives, matrix, skin }: PlannedMesh): MeshData {
  let count = 0;
  const parts = primitives.map((part): Part => {
    const start = count;
    count += part.primitive.vertexCount;
    return { ...part, start };
  });
  const pointOf = weldVertices(parts, count, skin !== null, mesh.morphNames.length);
  const vertexOf = pointOf.firsts;
  const isMirrored = mat4.determinant(matrix, 0) < 0;
  const cornerVertices = joinCorners(parts, isMirrored);
  const points = new Float64Array(3 * vertexOf.length);
  const directions = directionMatrix(matrix);
  const positions = joinLayer(parts, count, 3, ({ primitive }) => primitive.positions) as CornerLayer;
  for (let p = 0; p < vertexOf.length; p++)
    mat4.transformPoint(points, 3 * p, matrix, 0, positions.values, 3 * vertexOf[p]);
  const plainNormals = joinLayer(parts, count, 3, ({ primitive }) => primitive.normals);
  if (plainNormals !== null) fillNormals(parts, plainNormals.values, positions.values);
  const normals = plainNormals === null ? null : transformed(plainNormals, directions);
  return {
    points,
    corners: cornerVertices.map((vertex) => pointOf.ids[vertex]),
    cornerVertices,
    normals,
    tangents: plainNormals === null ? null : joinTangents(parts, count, plainNormals, matrix),
    uvs: joinSets(parts, count, 2, ({ primitive }) => primitive.uvs, [0, 0]).map(({ values, width }) => ({
      values: values.map((value, i) => (i % 2 === 1 ? 1 - value : value)),
      width,
    })),
    colors: joinSets(parts, count, 4, ({ primitive }) => primitive.colors, [1, 1, 1, 1]),
    materials: Int32Array.from(
      parts.flatMap(({ primitive, triangles }) => Array(triangles.length / 3).fill(primitive.material)),
    ),
    clusters: skin === null ? [] : joinWeights(parts, vertexOf, skin.joints.length, skin.jointOfSource),
    shapes: mesh.morphNames.map((_, target) => joinShape(parts, target, pointOf, matrix, directions, plainNormals)),
  };
}

/** Lists the vertex of every corner; the winding of a mirrored mesh is reversed. */
function joinCorners(parts: readonly Part[], isMirrored: boolean): Int32Array {
  const out = new Int32Array(parts.reduce((sum, { triangles }) => sum + triangles.length, 0));
  let at = 0;
  for (const { triangles, start } of parts) {
    for (let t = 0; t < triangles.length; t += 3) {
      out[at++] = start + triangles[t];
      out[at++] = start + triangles[t + (isMirrored ? 2 : 1)];
      out[at++] = start + triangles[t + (isMirrored ? 1 : 2)];
    }
  }
  return out;
}

/** Joins values by vertex; null where no primitive has them. Primitives without them get `fallback`, or 0. */
function joinLayer(
  parts: readonly Part[],
  count: number,
  width: number,
  valuesOf: (part: Part) => ArrayLike<number> | null | undefined,
  fallback: readonly number[] | null = null,
): CornerLayer | null {
  const lists = parts.map(valuesOf);
  if (lists.every((list) => list === null || list === undefined)) return null;
  const values = new Float64Array(count * width);
  for (const [p, { start, primitive }] of parts.entries()) {
    const list = lists[p];
    for (let i = 0; i < primitive.vertexCount * width; i++) {
      values[start * width + i] = list?.[i] ?? fallback?.[i % width] ?? 0;
    }
  }
  return { values, width };
}

function joinSets(
  parts: readonly Part[],
  count: number,
  width: number,
  setsOf: (part: Part) => readonly ArrayLike<number>[],
  fallback: readonly number[],
): CornerLayer[] {
  const most = parts.reduce((largest, part) => Math.max(largest, setsOf(part).length), 0);
  return Array.from({ length: most }, (_, set) =>
    joinLayer(parts, count, width, (part) => setsOf(part)[set], fallback),
  ).filter((layer) => layer !== null);
}

/** Gives vertices of primitives without normals those of their triangles. */
function fillNormals(parts: readonly Part[], normals: Float64Array, positions: Float64Array): void {
  const u = new Float64Array(3);
  const v = new Float64Array(3);
  for (const { primitive, triangles, start } of parts) {
    if (primitive.normals !== null) continue;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * (start + triangles[t + k]));
      vec3.subtract(u, 0, positions, b, positions, a);
      vec3.subtract(v, 0, positions, c, positions, a);
      vec3.cross(u, 0, u, 0, v, 0);
      for (const corner of [a, b, c]) vec3.add(normals, corner, normals, corner, u, 0);
    }
  }
}

function transformed({ values, width }: CornerLayer, directions: Float64Array): CornerLayer {
  const out = new Float64Array(values.length);
  for (let i = 0; i < values.length; i += 3) {
    mat4.transformDirection(out, i, directions, 0, values, i);
    vec3.normalize(out, i, out, i);
  }
  return { values: out, width };
}

/** Joins tangents and binormals; null unless all primitives have tangents, since programs compute missing ones themselves. */
function joinTangents(
  parts: readonly Part[],
  count: number,
  normals: CornerLayer,
  matrix: Float64Array,
): readonly [CornerLayer, CornerLayer] | null {
  if (parts.some(({ primitive }) => primitive.tangents === null)) return null;
  const joined = joinLayer(parts, count, 4, ({ primitive }) => primitive.tangents) as CornerLayer;
  const tangents = new Float64Array(3 * count);
  const binormals = new Float64Array(3 * count);
  for (let vertex = 0; vertex < count; vertex++) {
    const i = 3 * vertex;
    for (let c = 0; c < 3; c++) tangents[i + c] = joined.values[4 * vertex + c];
    vec3.cross(binormals, i, normals.values, i, tangents, i);
    vec3.scale(binormals, i, binormals, i, joined.values[4 * vertex + 3] < 0 ? -1 : 1);
  }
  return [transformed({ values: tangents, width: 3 }, matrix), transformed({ values: binormals, width: 3 }, matrix)];
}

/** Welds the vertices of all primitives. */
function weldVertices(
  parts: readonly Part[],
  count: number,
  isSkinned: boolean,
  targetCount: number,
): { ids: Int32Array; firsts: Int32Array } {
  const runs = parts.map(({ primitive }) => (isSkinned ? (primitive.influences?.jointsPerVertex ?? 0) : 0));
  const most = Math.max(0, ...runs);
  const width = 6 + 2 * most;
  const rows = new Int32Array(count * width);
  for (const [p, { primitive, start }] of parts.entries()) {
    const { positions, normals, influences, vertexCount } = primitive;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      const at = (start + vertex) * width;
      bitsOf(positions, 3 * vertex, 3, rows, at);
      if (normals !== null) bitsOf(normals, 3 * vertex, 3, rows, at + 3);
      if (influences === null) continue;
      const from = influences.kind === 'constant' ? 0 : vertex * runs[p];
      for (let k = 0; k < runs[p]; k++) {
        if (influences.weights[from + k] === 0) continue;
        rows[at + 6 + 2 * k] = influences.indices[from + k] + 1;
        bitsOf(influences.weights, from + k, 1, rows, at + 7 + 2 * k);
      }
    }
  }
  let welded = weldRows(rows, width);
  const moved = new Int32Array(4 * count);
  for (let target = 0; target < targetCount; target++) {
    moved.fill(0);
    for (let vertex = 0; vertex < count; vertex++) moved[4 * vertex] = welded.ids[vertex];
    for (const { primitive, start } of parts) {
      eachOffset(primitive.morphTargets[target], primitive.vertexCount, (vertex, at, { positions }) => {
        if (positions !== null) bitsOf(positions, at, 3, moved, 4 * (start + vertex) + 1);
      });
    }
    welded = weldRows(moved, 4);
  }
  return welded;
}

function eachOffset(
  target: MorphTarget | undefined,
  vertexCount: number,
  visit: (vertex: number, at: number, target: MorphTarget) => void,
): void {
  if (target === undefined) return;
  const { vertices } = target;
  if (vertices === null) for (let vertex = 0; vertex < vertexCount; vertex++) visit(vertex, 3 * vertex, target);
  else for (let i = 0; i < vertices.length; i++) if (vertices[i] < vertexCount) visit(vertices[i], 3 * i, target);
}

function joinWeights(
  parts: readonly Part[],
  vertexOf: Int32Array,
  jointCount: number,
  jointOfSource: Int32Array | null,
): MeshData['clusters'] {
  const lists = Array.from({ length: jointCount }, () => ({ points: [] as number[], weights: [] as number[] }));
  let part = 0;
  for (const [point, vertex] of vertexOf.entries()) {
    while (part + 1 < parts.length && parts[part + 1].start <= vertex) part++;
    const { primitive, start } = parts[part];
    if (jointOfSource === null || primitive.influences === null) {
      lists[0].points.push(point);
      lists[0].weights.push(1);
      continue;
    }
    const { kind, jointsPerVertex, indices, weights } = primitive.influences;
    const from = kind === 'constant' ? 0 : (vertex - start) * jointsPerVertex;
    for (let k = from; k < from + jointsPerVertex; k++) {
      const joint = jointOfSource[indices[k]] ?? -1;
      if (weights[k] === 0 || joint < 0) continue;
      const list = lists[joint];
      if (list.points.at(-1) === point) list.weights[list.weights.length - 1] += weights[k];
      else {
        list.points.push(point);
        list.weights.push(weights[k]);
      }
    }
  }
  return lists.map(({ points, weights }) => ({ points: Int32Array.from(points), weights: Float64Array.from(weights) }));
}

function joinShape(
  parts: readonly Part[],
  target: number,
  { ids, firsts }: { readonly ids: Int32Array; readonly firsts: Int32Array },
  matrix: Float64Array,
  directions: Float64Array,
  plainNormals: CornerLayer | null,
): FbxShape {
  const points: number[] = [];
  const offsets: number[] = [];
  const normalOffsets: number[] = [];
  const delta = new Float64Array(3);
  let hasNormals = false;
  for (const { primitive, start } of parts) {
    eachOffset(primitive.morphTargets[target], primitive.vertexCount, (vertex, at, { positions, normals }) => {
      const point = ids[start + vertex];
      // The first vertex of a control point speaks for all: their offsets agree.
      if (firsts[point] !== start + vertex) return;
      const isMoved = [positions, normals].some(
        (list) => list !== null && (list[at] !== 0 || list[at + 1] !== 0 || list[at + 2] !== 0),
      );
      if (!isMoved) return;
      points.push(point);
      if (positions === null) delta.fill(0);
      else mat4.transformDirection(delta, 0, matrix, 0, positions, at);
      offsets.push(...delta);
      delta.fill(0);
      if (normals !== null && plainNormals !== null) {
        hasNormals = true;
        mat4.transformDirection(delta, 0, directions, 0, plainNormals.values, 3 * (start + vertex));
        const size = vec3.length(delta, 0) || 1;
        mat4.transformDirection(delta, 0, directions, 0, normals, at);
        vec3.scale(delta, 0, delta, 0, 1 / size);
      }
      normalOffsets.push(...delta);
    });
  }
  // Programs refuse empty shapes.
  if (points.length === 0) return { points: Int32Array.of(0), offsets: new Float64Array(3), normals: null };
  return {
    points: Int32Array.from(points),
    offsets: Float64Array.from(offsets),
    normals: hasNormals ? Float64Array.from(normalOffsets) : null,
  };
}

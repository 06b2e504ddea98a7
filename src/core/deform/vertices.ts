/** Vertices as flat arrays, and transforms of bundles of vertices, shared by all skinning methods. */
import type { Floats } from '../math/floats.ts';
import { BLENDED_STRIDE, BLOCK_BUNDLES } from './blend-matrices.ts';
import type { SkinPlan } from './skin-plan.ts';

/** The attributes of a mesh that deform. The same arrays may be input and output. */
export interface Vertices {
  /** 3 floats per vertex. */
  readonly positions: Floats;
  /** 3 floats per vertex, unit length; null without. */
  readonly normals: Floats | null;
  /** 4 floats per vertex: unit direction and handedness, as in glTF; null without. */
  readonly tangents: Floats | null;
}

// Not exported: as a module constant the array is known to the compiler, which makes the loops 10 % faster.
const blended = new Float64Array(BLOCK_BUNDLES * BLENDED_STRIDE);

/** Returns the shared buffer for the blended matrices of one block. Fill it before calling the functions in this file. */
export function blendedBlock(): Float64Array {
  return blended;
}

/**
 * Transforms the positions of bundles by the matrices in {@link blendedBlock}.
 *
 * @param points 3 floats per vertex.
 * @param outPoints Receives 3 floats per vertex; may be `points`.
 */
export function transformPoints(plan: SkinPlan, first: number, end: number, points: Floats, outPoints: Floats): void {
  const { vertexStarts, vertices } = plan;
  let v = vertexStarts[first];
  for (let bundle = first; bundle < end; bundle++) {
    const m = (bundle - first) * BLENDED_STRIDE;
    const m0 = blended[m];
    const m1 = blended[m + 1];
    const m2 = blended[m + 2];
    const m3 = blended[m + 3];
    const m4 = blended[m + 4];
    const m5 = blended[m + 5];
    const m6 = blended[m + 6];
    const m7 = blended[m + 7];
    const m8 = blended[m + 8];
    const m9 = blended[m + 9];
    const m10 = blended[m + 10];
    const m11 = blended[m + 11];
    for (const stop = vertexStarts[bundle + 1]; v < stop; v++) {
      const at = 3 * vertices[v];
      const x = points[at];
      const y = points[at + 1];
      const z = points[at + 2];
      outPoints[at] = m0 * x + m3 * y + m6 * z + m9;
      outPoints[at + 1] = m1 * x + m4 * y + m7 * z + m10;
      outPoints[at + 2] = m2 * x + m5 * y + m8 * z + m11;
    }
  }
}

/**
 * Applies {@link transformPoints} and {@link transformDirections} with the same matrices, in one pass over the mesh.
 *
 * @param points 3 floats per vertex.
 * @param outPoints Receives 3 floats per vertex; may be `points`.
 * @param normals 3 floats per vertex.
 * @param outNormals Receives 3 floats per vertex, unit length; may be `normals`.
 */
export function transformPointsAndNormals(
  plan: SkinPlan,
  first: number,
  end: number,
  points: Floats,
  outPoints: Floats,
  normals: Floats,
  outNormals: Floats,
): void {
  if (plan.vertexStarts[end] - plan.vertexStarts[first] < SMALL_BUNDLE * (end - first)) {
    transformSmallBundles(plan, first, end, points, outPoints, normals, outNormals);
    return;
  }
  const { vertexStarts, vertices } = plan;
  let v = vertexStarts[first];
  for (let bundle = first; bundle < end; bundle++) {
    const m = (bundle - first) * BLENDED_STRIDE;
    const m0 = blended[m];
    const m1 = blended[m + 1];
    const m2 = blended[m + 2];
    const m3 = blended[m + 3];
    const m4 = blended[m + 4];
    const m5 = blended[m + 5];
    const m6 = blended[m + 6];
    const m7 = blended[m + 7];
    const m8 = blended[m + 8];
    const m9 = blended[m + 9];
    const m10 = blended[m + 10];
    const m11 = blended[m + 11];
    for (const stop = vertexStarts[bundle + 1]; v < stop; v++) {
      const at = 3 * vertices[v];
      const x = points[at];
      const y = points[at + 1];
      const z = points[at + 2];
      outPoints[at] = m0 * x + m3 * y + m6 * z + m9;
      outPoints[at + 1] = m1 * x + m4 * y + m7 * z + m10;
      outPoints[at + 2] = m2 * x + m5 * y + m8 * z + m11;
      const a = normals[at];
      const b = normals[at + 1];
      const c = normals[at + 2];
      const dx = m0 * a + m3 * b + m6 * c;
      const dy = m1 * a + m4 * b + m7 * c;
      const dz = m2 * a + m5 * b + m8 * c;
      const square = dx * dx + dy * dy + dz * dz;
      const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
      outNormals[at] = dx * factor;
      outNormals[at + 1] = dy * factor;
      outNormals[at + 2] = dz * factor;
    }
  }
}

/** Vertices per bundle, on average, below which a loop per bundle is slower than reading the matrix for each vertex. */
const SMALL_BUNDLE = 4;

/** {@link transformPointsAndNormals} in one loop over the vertices of all bundles. */
function transformSmallBundles(
  plan: SkinPlan,
  first: number,
  end: number,
  points: Floats,
  outPoints: Floats,
  normals: Floats,
  outNormals: Floats,
): void {
  const { vertexStarts, vertices, bundles } = plan;
  const stop = vertexStarts[end];
  for (let v = vertexStarts[first]; v < stop; v++) {
    const at = 3 * vertices[v];
    const m = (bundles[v] - first) * BLENDED_STRIDE;
    const m0 = blended[m];
    const m1 = blended[m + 1];
    const m2 = blended[m + 2];
    const m3 = blended[m + 3];
    const m4 = blended[m + 4];
    const m5 = blended[m + 5];
    const m6 = blended[m + 6];
    const m7 = blended[m + 7];
    const m8 = blended[m + 8];
    const x = points[at];
    const y = points[at + 1];
    const z = points[at + 2];
    outPoints[at] = m0 * x + m3 * y + m6 * z + blended[m + 9];
    outPoints[at + 1] = m1 * x + m4 * y + m7 * z + blended[m + 10];
    outPoints[at + 2] = m2 * x + m5 * y + m8 * z + blended[m + 11];
    const a = normals[at];
    const b = normals[at + 1];
    const c = normals[at + 2];
    const dx = m0 * a + m3 * b + m6 * c;
    const dy = m1 * a + m4 * b + m7 * c;
    const dz = m2 * a + m5 * b + m8 * c;
    const square = dx * dx + dy * dy + dz * dz;
    const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
    outNormals[at] = dx * factor;
    outNormals[at + 1] = dy * factor;
    outNormals[at + 2] = dz * factor;
  }
}

/**
 * Transforms the directions of bundles by the 3×3 parts of the matrices in {@link blendedBlock} and normalizes them. Zero directions stay zero.
 *
 * @param directions `stride` floats per vertex.
 * @param outDirections Receives `stride` floats per vertex; may be `directions`.
 */
export function transformDirections(
  plan: SkinPlan,
  first: number,
  end: number,
  directions: Floats,
  outDirections: Floats,
  stride: 3 | 4,
): void {
  const { vertexStarts, vertices } = plan;
  let v = vertexStarts[first];
  for (let bundle = first; bundle < end; bundle++) {
    const m = (bundle - first) * BLENDED_STRIDE;
    const m0 = blended[m];
    const m1 = blended[m + 1];
    const m2 = blended[m + 2];
    const m3 = blended[m + 3];
    const m4 = blended[m + 4];
    const m5 = blended[m + 5];
    const m6 = blended[m + 6];
    const m7 = blended[m + 7];
    const m8 = blended[m + 8];
    for (const stop = vertexStarts[bundle + 1]; v < stop; v++) {
      const at = stride * vertices[v];
      const a = directions[at];
      const b = directions[at + 1];
      const c = directions[at + 2];
      const dx = m0 * a + m3 * b + m6 * c;
      const dy = m1 * a + m4 * b + m7 * c;
      const dz = m2 * a + m5 * b + m8 * c;
      const square = dx * dx + dy * dy + dz * dz;
      const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
      outDirections[at] = dx * factor;
      outDirections[at + 1] = dy * factor;
      outDirections[at + 2] = dz * factor;
      if (stride === 4) outDirections[at + 3] = directions[at + 3];
    }
  }
}

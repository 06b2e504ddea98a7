/** Vertices as flat arrays, and how one of them is skinned, whatever the method. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
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

/** Computes `Σ weight · matrix` over the joints of a vertex, as an affine matrix. `matrices` has {@link MATRIX_STRIDE} floats per joint. */
export function blendMatrices(
  out: Float64Array,
  { starts, joints, weights }: SkinPlan,
  vertex: number,
  matrices: Float64Array,
): void {
  out.fill(0);
  for (let i = starts[vertex]; i < starts[vertex + 1]; i++) {
    const weight = weights[i];
    const m = joints[i] * MATRIX_STRIDE;
    out[0] += weight * matrices[m];
    out[1] += weight * matrices[m + 1];
    out[2] += weight * matrices[m + 2];
    out[4] += weight * matrices[m + 4];
    out[5] += weight * matrices[m + 5];
    out[6] += weight * matrices[m + 6];
    out[8] += weight * matrices[m + 8];
    out[9] += weight * matrices[m + 9];
    out[10] += weight * matrices[m + 10];
    out[12] += weight * matrices[m + 12];
    out[13] += weight * matrices[m + 13];
    out[14] += weight * matrices[m + 14];
  }
  out[15] = 1;
}

const moved = new Float64Array(3);

/** Transforms the position of a vertex, and its tangent, which keeps its handedness. */
export function transformVertex(out: Vertices, vertices: Vertices, vertex: number, matrix: Float64Array): void {
  mat4.transformPoint(moved, 0, matrix, 0, vertices.positions, 3 * vertex);
  vec3.copy(out.positions, 3 * vertex, moved, 0);
  if (vertices.tangents === null || out.tangents === null) return;
  transformUnit(out.tangents, vertices.tangents, 4 * vertex, matrix);
  out.tangents[4 * vertex + 3] = vertices.tangents[4 * vertex + 3];
}

/** Transforms a direction and scales it to length 1. A zero direction stays zero. */
export function transformUnit(out: Floats, directions: Floats, at: number, matrix: Float64Array): void {
  mat4.transformDirection(moved, 0, matrix, 0, directions, at);
  vec3.normalize(out, at, moved, 0);
}

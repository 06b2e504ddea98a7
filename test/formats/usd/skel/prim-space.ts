/** Converts skinned points from skeleton space to the space of the prim, as in files that OpenUSD baked. */

import { normalMatrices } from '../../../../src/core/deform/skinning-matrices.ts';
import * as mat4 from '../../../../src/core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../../src/core/skeleton/skeleton.ts';
import { parentPath } from '../../../../src/formats/usd/layer/paths.ts';
import type { BoundPrim } from '../../../../src/formats/usd/skel/bound-prim.ts';
import type { DeformedPrim } from '../../../../src/formats/usd/skel/deform/deform-prim.ts';
import type { Stage, Time } from '../../../../src/formats/usd/stage/stage.ts';
import { localToWorld } from '../../../../src/formats/usd/stage/xform-ops.ts';

/** Result of {@link toPrimSpace}. */
export interface PrimSpaceResult {
  /** Points, 3 floats each, in the space of the prim. */
  readonly points: Float64Array;
  /** Normals, 3 floats each, in the space of the prim; null without. */
  readonly normals: Float64Array | null;
  /** Local matrix of a rigidly skinned prim, 16 floats, which replaces its xformOps; null for other prims. */
  readonly transform: Float64Array | null;
}

/** Returns the matrix between two spaces from their matrices to world space; the identity if `to` has no inverse. */
function between(from: Float64Array, to: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  if (mat4.invertAffine(out, 0, to, 0)) mat4.multiply(out, 0, out, 0, from, 0);
  else mat4.identity(out, 0);
  return out;
}

/**
 * Converts a deformed prim to its own space, so that it looks the same without skinning (UsdSkelBakeSkinning). Normals are transformed by the inverse
 * transpose and are not normalized. Prims that are not skinned are returned unchanged.
 *
 * @param stage - The composed stage.
 * @param skeleton - Path of the Skeleton prim.
 * @param bound - The prim.
 * @param deformed - Result of {@link deformPrim}; not modified.
 * @param time - Time code, or `default` for default values.
 * @returns Points, normals and transform in the space of the prim.
 */
export function toPrimSpace(
  stage: Stage,
  skeleton: string,
  bound: BoundPrim,
  deformed: DeformedPrim,
  time: Time,
): PrimSpaceResult {
  const { points, normals, transform, isSkinned } = deformed;
  if (!bound.influences.hasInfluences || !isSkinned) return { points, normals, transform };
  const world = (prim: string): Float64Array => localToWorld(stage, prim, time);
  const skelToWorld = world(skeleton);
  if (transform !== null) {
    const local = between(skelToWorld, world(parentPath(bound.prim)));
    mat4.multiply(local, 0, local, 0, transform, 0);
    return { points, normals, transform: local };
  }
  const matrix = between(skelToWorld, world(bound.prim));
  const outPoints = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += 3) mat4.transformPoint(outPoints, at, matrix, 0, points, at);
  if (normals === null) return { points: outPoints, normals, transform };
  const normalMatrix = new Float64Array(MATRIX_STRIDE);
  normalMatrices(normalMatrix, matrix);
  const outNormals = new Float64Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) mat4.transformDirection(outNormals, at, normalMatrix, 0, normals, at);
  return { points: outPoints, normals: outNormals, transform };
}

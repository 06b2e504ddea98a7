/** From the space of the skeleton, where skinning ends, to that of the prim: what a baked file or another format wants. */

import { normalMatrices } from '../../../core/deform/skinning-matrices.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { parentPath } from '../layer/paths.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { localToWorld } from '../stage/xform-ops.ts';
import type { BoundPrim } from './bound-prim.ts';
import type { DeformedPrim } from './deform-prim.ts';

/** What {@link toPrimSpace} gives. */
export interface PrimSpaceResult {
  readonly points: Float64Array;
  readonly normals: Float64Array | null;
  /** Of a rigid prim: its local matrix, in place of its own xformOps. */
  readonly transform: Float64Array | null;
}

/** The matrix from one space to another of two matrices to the world; the identity where the other has no inverse. */
function between(from: Float64Array, to: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE);
  if (mat4.invertAffine(out, 0, to, 0)) mat4.multiply(out, 0, out, 0, from, 0);
  else mat4.identity(out, 0);
  return out;
}

/**
 * A deformed prim in its own space at a time, so that it stays where it is when nothing skins it any more (UsdSkelBakeSkinning). Normals turn by
 * the inverse transpose and are not made unit again. A prim that no joint moves comes back as it is.
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
    const placed = between(skelToWorld, world(parentPath(bound.prim)));
    mat4.multiply(placed, 0, placed, 0, transform, 0);
    return { points, normals, transform: placed };
  }
  const matrix = between(skelToWorld, world(bound.prim));
  const outPoints = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += 3) mat4.transformPoint(outPoints, at, matrix, 0, points, at);
  if (normals === null) return { points: outPoints, normals, transform };
  const turn = new Float64Array(MATRIX_STRIDE);
  normalMatrices(turn, matrix);
  const outNormals = new Float64Array(normals.length);
  for (let at = 0; at < normals.length; at += 3) mat4.transformDirection(outNormals, at, turn, 0, normals, at);
  return { points: outPoints, normals: outNormals, transform };
}

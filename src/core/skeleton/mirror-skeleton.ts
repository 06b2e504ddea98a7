import type { Floats } from '../math/floats.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from './skeleton.ts';

/** Floats of a node that change their sign in the mirror x → −x: x of the translation, y and z of the rotation. */
const POSE_SIGNS = [0, 4, 5];
/** Elements that do in M · B · M, M = diag(−1, 1, 1): those of row x or column x, not both. */
const MATRIX_SIGNS = [1, 2, 4, 8, 12];

function withSigns(floats: Floats, stride: number, places: readonly number[]): Floats {
  const out = floats.slice();
  for (let i = 0; i < out.length; i += stride) for (const c of places) out[i + c] = -out[i + c];
  return out;
}

/** A local pose (10 floats a node) seen in the mirror x → −x of every local space. */
export function mirrorPose<T extends Floats>(local: T): T {
  return withSigns(local, POSE_STRIDE, POSE_SIGNS) as T;
}

/**
 * The skeleton seen in the mirror x → −x of its file: a proper skeleton (no negative scale) with the same nodes, in rest and
 * bind pose. What a name says about the side is wrong then. Twice is the skeleton again.
 */
export function mirrorSkeleton(skeleton: Skeleton): Skeleton {
  const { rest, bind } = skeleton;
  return {
    ...skeleton,
    rest: mirrorPose(rest),
    bind: bind === null ? null : withSigns(bind, MATRIX_STRIDE, MATRIX_SIGNS),
  };
}

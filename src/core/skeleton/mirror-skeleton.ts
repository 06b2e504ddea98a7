import type { Floats } from '../math/floats.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from './skeleton.ts';

/** Floats of a node whose sign the mirror x → −x flips: x of the translation, y and z of the rotation. */
const POSE_SIGNS = [0, 4, 5];
/** Matrix elements whose sign M · B · M flips, with M = diag(−1, 1, 1): those in row x or column x, but not in both. */
const MATRIX_SIGNS = [1, 2, 4, 8, 12];

function withSigns(floats: Floats, stride: number, offsets: readonly number[]): Floats {
  const out = floats.slice();
  for (let i = 0; i < out.length; i += stride) for (const c of offsets) out[i + c] = -out[i + c];
  return out;
}

/**
 * Mirrors a local pose across the plane x = 0 of every local space.
 *
 * @param local 10 floats per node, local space; it is not changed.
 */
export function mirrorPose<T extends Floats>(local: T): T {
  return withSigns(local, POSE_STRIDE, POSE_SIGNS) as T;
}

/**
 * Mirrors the rest pose and the bind pose of a skeleton across the plane x = 0 of its file, without negative scales. Nodes keep their
 * names, so names that contain a side are wrong afterwards. Mirroring twice restores the skeleton exactly.
 */
export function mirrorSkeleton(skeleton: Skeleton): Skeleton {
  const { rest, bind } = skeleton;
  return {
    ...skeleton,
    rest: mirrorPose(rest),
    bind: bind === null ? null : withSigns(bind, MATRIX_STRIDE, MATRIX_SIGNS),
  };
}

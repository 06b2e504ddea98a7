/**
 * Negative scales of nodes, taken out of a rig. Rotations of a reflected rig do not compose: a reflection above a joint turns the sense of its local
 * rotation around.
 *
 * Write the local linear part of a node as R · |S| · E, with E the diagonal matrix of the signs of its scale, and let Eₚ be the product of E over its
 * ancestors. The rig with R′ = Eₚ · R · Eₚ, t′ = Eₚ · t and S′ = |S| has no reflections, its joints are at the same positions, and M = M′ · Eₚ · E holds
 * for the model matrices M of all nodes. Conjugating a rotation by a diagonal matrix of signs only changes the signs of components of its quaternion. So
 * both rigs have the same poses, keys and tangents, up to constant signs: the signs of a pose, 10 per node.
 */
import type { Floats } from '../math/floats.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from './skeleton.ts';

const ROTATION = PATH_OFFSET.rotation;
const SCALE = PATH_OFFSET.scale;

/** Signs that convert poses between a rig with reflections and the same rig without, both ways: 1 or −1, 10 per node. */
export type PoseSigns = Int8Array;

/** Finds the reflections of a skeleton: the negative scales of its rest pose. Returns signs of its poses; null without reflections. */
export function findReflections({ parents, rest }: Pick<Skeleton, 'parents' | 'rest'>): PoseSigns | null {
  let isReflected = false;
  for (let at = SCALE; at < rest.length && !isReflected; at += POSE_STRIDE) {
    isReflected = rest[at] < 0 || rest[at + 1] < 0 || rest[at + 2] < 0;
  }
  if (!isReflected) return null;
  const signs = new Int8Array(POSE_STRIDE * parents.length).fill(1);
  for (let node = 0; node < parents.length; node++) {
    const at = POSE_STRIDE * node;
    for (let axis = 0; axis < 3; axis++) {
      if (parents[node] >= 0) signs[at + axis] = axisSign(signs, parents[node], axis);
      if (rest[at + SCALE + axis] < 0) signs[at + SCALE + axis] = -1;
    }
    const [x, y, z] = signs.subarray(at, at + 3);
    signs[at + ROTATION] = y * z;
    signs[at + ROTATION + 1] = x * z;
    signs[at + ROTATION + 2] = x * y;
  }
  return signs;
}

/** Returns the sign by which an axis of a node differs between the two rigs: an element of Eₚ · E. */
export function axisSign(signs: PoseSigns, node: number, axis: number): number {
  return signs[POSE_STRIDE * node + axis] * signs[POSE_STRIDE * node + SCALE + axis];
}

/**
 * Converts a pose from a rig with reflections to the same rig without, or back. `out` receives 10 floats per node, local space; may be `pose`.
 * `pose`: 10 floats per node, local space.
 */
export function reflectPose(out: Floats, pose: Floats, signs: PoseSigns): void {
  for (let k = 0; k < signs.length; k++) out[k] = signs[k] * pose[k];
}

/**
 * Converts inverse bind matrices to those of the same rig without reflections, or back: `Eₚ · E · IBM`. `matrices`: 16 floats per joint,
 * column-major; it is not changed.
 */
export function reflectInverseBind(
  matrices: ArrayLike<number>,
  joints: ArrayLike<number>,
  signs: PoseSigns,
): Float64Array {
  return Float64Array.from(matrices, (value, k) => {
    const row = k % 4;
    return row === 3 ? value : value * axisSign(signs, joints[Math.floor(k / MATRIX_STRIDE)], row);
  });
}

/** Returns the same rig without reflections: all scales of its rest pose are positive. `signs` come from {@link findReflections}. */
export function withoutReflections(skeleton: Skeleton, signs = findReflections(skeleton)): Skeleton {
  if (signs === null) return skeleton;
  const rest = skeleton.rest.slice();
  reflectPose(rest, rest, signs);
  const bind = skeleton.bind?.slice() ?? null;
  for (let k = 0; bind !== null && k < bind.length; k++) {
    // Model matrices: M′ = M · Eₚ · E changes the columns of the axes.
    const column = (k % MATRIX_STRIDE) >> 2;
    if (column < 3) bind[k] *= axisSign(signs, Math.floor(k / MATRIX_STRIDE), column);
  }
  return { ...skeleton, rest, bind };
}

/** Transforms of single points that run per frame: no allocation, no exception. */
import type { Floats } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET } from '../skeleton/skeleton.ts';

/** Multiplies a 3×3 matrix by a vector. `out` may be the vector itself. `out`: 3 floats at `o`. `v`: 3 floats at `i`. */
export function applyLinear(out: Floats, o: number, linear: Float64Array, v: ArrayLike<number>, i: number): void {
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  out[o] = linear[0] * x + linear[3] * y + linear[6] * z;
  out[o + 1] = linear[1] * x + linear[4] * y + linear[7] * z;
  out[o + 2] = linear[2] * x + linear[5] * y + linear[8] * z;
}

/**
 * Transforms a direction from the space of a node to that of its parent, in place: without the translation. `local`: local pose, 10 floats per
 * node. `at`: offset of the node in `local`.
 */
export function directionToParentSpace(v: Float64Array, local: Floats, at: number): void {
  v[0] *= local[at + PATH_OFFSET.scale];
  v[1] *= local[at + PATH_OFFSET.scale + 1];
  v[2] *= local[at + PATH_OFFSET.scale + 2];
  vec3.rotate(v, 0, local, at + PATH_OFFSET.rotation, v, 0);
}

/**
 * Transforms a point from the space of a node to that of its parent, in place. `local`: local pose, 10 floats per node. `at`: offset of the node in
 * `local`.
 */
export function toParentSpace(v: Float64Array, local: Floats, at: number): void {
  directionToParentSpace(v, local, at);
  vec3.add(v, 0, v, 0, local, at);
}

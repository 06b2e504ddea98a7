/** What is seen of a body, as the estimator of the reference pose asks for it: points that move with nodes. */
import type { Floats } from '../../math/floats.ts';
import * as mat4 from '../../math/mat4.ts';
import * as vec3 from '../../math/vec3.ts';
import { localToModelMatrices } from '../../skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import type { ModelPose } from './model-pose.ts';

/**
 * Vertices of all meshes of a body. Each is taken to move with one node alone: of a skin with the joint that has the largest
 * weight, of a rigid mesh with its node. Where a sole or a palm is, that is right to a fraction of a degree.
 */
export interface BoundPoints {
  /** Position xyz of every vertex in the space of its node. */
  readonly positions: Floats;
  /** Node of the skeleton per vertex. */
  readonly nodes: Int32Array;
}

/** Nodes that move with a node: itself and those below it; at `stops` and what hangs on them it ends. 1 per node that does. */
export function nodesBelow({ parents }: Pick<Skeleton, 'parents'>, top: number, stops: readonly number[]): Uint8Array {
  const below = new Uint8Array(parents.length);
  if (top < 0) return below;
  below[top] = 1;
  for (let node = top + 1; node < parents.length; node++) {
    if (parents[node] >= 0 && below[parents[node]] === 1 && !stops.includes(node)) below[node] = 1;
  }
  return below;
}

/** Where the points of the `wanted` nodes (1 per node) are in a pose, turned by `turn` about `origin` (file axes): xyz each. */
export function posedPoints(
  skeleton: Skeleton,
  pose: ModelPose,
  points: BoundPoints,
  wanted: Uint8Array,
  origin: ArrayLike<number>,
  turn: ArrayLike<number>,
): Float64Array {
  const matrices = new Float64Array(MATRIX_STRIDE * skeleton.parents.length);
  localToModelMatrices(matrices, skeleton.parents, pose.local);
  const count = points.nodes.reduce((sum, node) => sum + wanted[node], 0);
  const out = new Float64Array(3 * count);
  let o = 0;
  for (let vertex = 0; vertex < points.nodes.length; vertex++) {
    const node = points.nodes[vertex];
    if (wanted[node] !== 1) continue;
    mat4.transformPoint(out, o, matrices, MATRIX_STRIDE * node, points.positions, 3 * vertex);
    vec3.subtract(out, o, out, o, origin, 0);
    vec3.rotate(out, o, turn, 0, out, o);
    o += 3;
  }
  return out;
}

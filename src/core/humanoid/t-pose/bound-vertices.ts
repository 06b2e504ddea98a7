/** Vertices of a character that move with its nodes: evidence for the T-pose estimator. */
import type { Floats } from '../../math/floats.ts';
import * as mat4 from '../../math/mat4.ts';
import * as vec3 from '../../math/vec3.ts';
import { modelMatrices } from '../../skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import type { ModelPose } from './model-pose.ts';

/**
 * Vertices of all meshes of a character, each bound to a single node: a skinned vertex to the joint with its largest
 * weight, a vertex of a rigid mesh to its node. For soles and palms the error is a fraction of a degree.
 */
export interface BoundVertices {
  /** Position xyz of every vertex in the space of its node. */
  readonly positions: Floats;
  /** Node of the skeleton per vertex. */
  readonly nodes: Int32Array;
  /** 1 for nodes of the skeleton that move a vertex, however little. */
  readonly moves: Uint8Array;
}

export function markSubtree({ parents }: Pick<Skeleton, 'parents'>, top: number, stops: readonly number[]): Uint8Array {
  const below = new Uint8Array(parents.length);
  if (top < 0) return below;
  below[top] = 1;
  for (let node = top + 1; node < parents.length; node++) {
    if (parents[node] >= 0 && below[parents[node]] === 1 && !stops.includes(node)) below[node] = 1;
  }
  return below;
}

/** Computes the positions of vertices in a pose, relative to an origin and rotated. `rotation`: rotation applied after that, xyzw. */
export function poseVertices(
  skeleton: Skeleton,
  pose: ModelPose,
  vertices: BoundVertices,
  wanted: Uint8Array,
  origin: ArrayLike<number>,
  rotation: ArrayLike<number>,
): Float64Array {
  const matrices = modelMatrices(skeleton.parents, pose.local);
  const count = vertices.nodes.reduce((sum, node) => sum + wanted[node], 0);
  const out = new Float64Array(3 * count);
  let o = 0;
  for (let vertex = 0; vertex < vertices.nodes.length; vertex++) {
    const node = vertices.nodes[vertex];
    if (wanted[node] !== 1) continue;
    mat4.transformPoint(out, o, matrices, MATRIX_STRIDE * node, vertices.positions, 3 * vertex);
    vec3.subtract(out, o, out, o, origin, 0);
    vec3.rotate(out, o, rotation, 0, out, o);
    o += 3;
  }
  return out;
}

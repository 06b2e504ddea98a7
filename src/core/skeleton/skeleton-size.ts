/** How large a skeleton is: the length that tolerances and thresholds of positions are relative to. */
import { FLOAT32_MAX } from '../math/floats.ts';
import * as vec3 from '../math/vec3.ts';
import { modelMatrices, modelPositions } from './pose.ts';
import { MATRIX_STRIDE, type Skeleton } from './skeleton.ts';

/** Computes the diagonal of the box around points, xyz each; 0 without points. */
export function boxDiagonal(points: Float64Array): number {
  const low = points.slice(0, 3);
  const high = points.slice(0, 3);
  for (let at = 0; at < points.length; at++) {
    low[at % 3] = Math.min(low[at % 3], points[at]);
    high[at % 3] = Math.max(high[at % 3], points[at]);
  }
  return points.length < 3 ? 0 : vec3.distance(low, 0, high, 0);
}

/**
 * Computes the size of a skeleton: the diagonal of the box around its joints at rest, of all nodes where none is a joint. That of a person in T-pose
 * is 1.4 times the height. Returns a length in the unit of the skeleton; 1 for a box without a size, and where it is not a finite float32.
 */
export function skeletonSize({ parents, rest, joints }: Pick<Skeleton, 'parents' | 'rest' | 'joints'>): number {
  const matrices = modelMatrices(parents, rest);
  const positions = new Float64Array(parents.length * 3);

  modelPositions(positions, matrices);
  const hasJoints = joints.includes(1);
  const size = boxDiagonal(positions.filter((_, at) => !hasJoints || joints[Math.floor(at / 3)] === 1));
  return size > 0 && size <= FLOAT32_MAX ? size : 1;
}

/**
 * Computes the size of a skeleton in the unit of each node's translations, which is that of its parent at rest: below an armature with scale 100 it
 * is a hundredth. It is never larger than the skeleton, because clips may undo a small scale. Returns one length per node, above 0.
 */
export function localSizes(skeleton: Pick<Skeleton, 'parents' | 'rest' | 'joints'>): Float64Array {
  const { parents, rest } = skeleton;
  const size = skeletonSize(skeleton);
  const matrices = modelMatrices(parents, rest);
  return Float64Array.from(parents, (parent) => {
    if (parent < 0) return size;
    const at = parent * MATRIX_STRIDE;
    const unit = Math.max(vec3.length(matrices, at), vec3.length(matrices, at + 4), vec3.length(matrices, at + 8));
    return unit > 1 && unit <= FLOAT32_MAX ? size / unit : size;
  });
}

/**
 * Measures how far nodes reach: the longest path from each node to one below it at rest, relative to the size of the skeleton. A rotation of a node
 * moves the end of its chain by so many times the angle. Returns one ratio per node; 0 for leaves.
 */
export function nodeReaches({ parents, rest, joints }: Pick<Skeleton, 'parents' | 'rest' | 'joints'>): Float64Array {
  const matrices = modelMatrices(parents, rest);
  const size = skeletonSize({ parents, rest, joints });
  const reaches = new Float64Array(parents.length);
  for (let node = parents.length - 1; node > 0; node--) {
    const parent = parents[node];
    if (parent < 0) continue;
    const length = vec3.distance(matrices, parent * MATRIX_STRIDE + 12, matrices, node * MATRIX_STRIDE + 12) / size;
    reaches[parent] = Math.max(reaches[parent], reaches[node] + length);
  }
  return reaches;
}

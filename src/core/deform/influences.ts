/**
 * Joint influences: the joints that move each vertex, with weights. Any number per vertex, as in UsdSkel (primvars:skel:jointIndices and
 * jointWeights) and in joined JOINTS_n, WEIGHTS_n sets of glTF (glTF 2.0 section 3.7.3.3).
 */
import type { Floats } from '../math/floats.ts';

/** Joint indices: indices in the joint list of the skin. */
export type JointIndices = Uint16Array | Int32Array;

/** Joint influences of a mesh. Plain data. */
export interface Influences {
  /** `vertex`: one run of influences per vertex. `constant`: one run for all vertices, a rigid deformation (UsdSkel). */
  readonly kind: 'vertex' | 'constant';
  /** Influences per vertex, at least 1. Unused ones have joint 0 and weight 0. */
  readonly jointsPerVertex: number;
  /** `jointsPerVertex` joints per vertex, or in total when constant. */
  readonly indices: JointIndices;
  /** Weights, parallel to `indices`. The weights of a vertex should add up to 1. */
  readonly weights: Floats;
}

export interface InfluenceSet {
  readonly indices: ArrayLike<number>;
  /** Weights 0…1; convert normalized integers first. */
  readonly weights: ArrayLike<number>;
}

/**
 * Stores joint indices as Uint16Array if all fit, otherwise as Int32Array. Returns a copy. Values that are out of range are kept.
 */
export function jointIndices(indices: ArrayLike<number>): JointIndices {
  let fits = true;
  for (let i = 0; i < indices.length; i++) if (!(indices[i] >= 0 && indices[i] <= 0xffff)) fits = false;
  return fits ? Uint16Array.from(indices) : Int32Array.from(indices);
}

export function countInfluenceRuns({ indices, jointsPerVertex }: Influences): number {
  return Math.floor(indices.length / jointsPerVertex);
}

/**
 * Joins several sets of influences to one run per vertex, for example glTF's JOINTS_0, WEIGHTS_0, JOINTS_1, WEIGHTS_1 …. The first set comes first in
 * a run. `jointsPerSet` is 4 in glTF. Returns influences of kind `vertex`, weights in float32. Throws RangeError without sets, for sets of different
 * sizes, or for an incomplete vertex.
 */
export function joinInfluenceSets(sets: readonly InfluenceSet[], jointsPerSet = 4): Influences {
  if (sets.length === 0) throw new RangeError('There are no sets of joints and weights to join; pass at least one.');
  const size = sets[0].indices.length;
  for (const [n, { indices, weights }] of sets.entries()) {
    if (indices.length !== size || weights.length !== size || size % jointsPerSet !== 0) {
      throw new RangeError(
        `Set ${n} has ${indices.length} joints and ${weights.length} weights, the first set has ${size} joints; expected the same number in all sets, ${jointsPerSet} per vertex.`,
      );
    }
  }
  const jointsPerVertex = sets.length * jointsPerSet;
  const indices = new Int32Array(sets.length * size);
  const weights = new Float32Array(sets.length * size);
  for (let vertex = 0; vertex < size / jointsPerSet; vertex++) {
    for (let n = 0; n < sets.length; n++) {
      for (let k = 0; k < jointsPerSet; k++) {
        const to = vertex * jointsPerVertex + n * jointsPerSet + k;
        indices[to] = sets[n].indices[vertex * jointsPerSet + k];
        weights[to] = sets[n].weights[vertex * jointsPerSet + k];
      }
    }
  }
  return { kind: 'vertex', jointsPerVertex, indices: jointIndices(indices), weights };
}

/** Largest error of the sum of weights per nonzero weight: the limit of the glTF validator, glTF 3.7.3.3. */
const SUM_TOLERANCE = 2e-7;

/**
 * Returns whether the weights of one vertex add up to 1, within 2e-7 per nonzero weight: the limit of the glTF validator, which allows for the
 * rounding of float32. With a larger error, the vertex moves by that fraction of its distance to the origin.
 */
export function weightsSumToOne(weights: Floats, start: number, count: number): boolean {
  let sum = 0;
  let used = 0;
  for (let i = start; i < start + count; i++) {
    sum += weights[i];
    if (weights[i] !== 0) used++;
  }
  return Math.abs(sum - 1) <= SUM_TOLERANCE * Math.max(used, 1);
}

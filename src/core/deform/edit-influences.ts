/** Edits influences for the requirements of a file or a player, with the rules of the UsdSkel utilities. Inputs are not modified. */
import { countInfluenceRuns, type Influences, jointIndices, weightsSumToOne } from './influences.ts';

/** Weights with a sum up to this value cannot be normalized: FLT_EPSILON, as in UsdSkelNormalizeWeights. */
const NO_WEIGHT = 2 ** -23;

/** Throws RangeError unless the number of joints per vertex is a whole number above 0. */
function checkCount(count: number): void {
  if (!(Number.isInteger(count) && count > 0)) {
    throw new RangeError(`Invalid number of joints per vertex: ${count}; expected a whole number above 0.`);
  }
}

/** Throws RangeError unless there are as many joints as weights, in complete runs. */
function checkRuns({ indices, weights, jointsPerVertex }: Influences): void {
  checkCount(jointsPerVertex);
  if (indices.length === weights.length && indices.length % jointsPerVertex === 0) return;
  throw new RangeError(
    `There are ${indices.length} joint indices and ${weights.length} weights with ${jointsPerVertex} joints per vertex; expected equal numbers that are multiples of ${jointsPerVertex}.`,
  );
}

/**
 * Normalizes the weights of every vertex to a sum of 1. A vertex without weights gets weight 1 for its first joint, so that it moves with the
 * character, as in three.js (UsdSkel keeps 0, which collapses it to the origin). Weights whose sum already is 1 keep
 * their exact values.
 *
 * @param influences Influences of a mesh.
 * @returns A copy with normalized weights; the joint indices are shared.
 * @throws RangeError If the numbers of joints and weights differ, or are not multiples of `jointsPerVertex`.
 */
export function normalizeInfluences(influences: Influences): Influences {
  checkRuns(influences);
  const { jointsPerVertex } = influences;
  const weights = influences.weights.slice();
  for (let run = 0; run < countInfluenceRuns(influences); run++) {
    const start = run * jointsPerVertex;
    if (weightsSumToOne(weights, start, jointsPerVertex)) continue;
    let sum = 0;
    for (let k = 0; k < jointsPerVertex; k++) sum += weights[start + k];
    const hasWeight = Math.abs(sum) > NO_WEIGHT;
    for (let k = 0; k < jointsPerVertex; k++) {
      weights[start + k] = hasWeight ? weights[start + k] / sum : k === 0 ? 1 : 0;
    }
  }
  return { ...influences, weights };
}

/**
 * Sorts the influences of every vertex by descending weight, equal weights by descending joint index (UsdSkelSortInfluences).
 *
 * @param influences Influences of a mesh.
 * @returns A sorted copy.
 * @throws RangeError If the numbers of joints and weights differ, or are not multiples of `jointsPerVertex`.
 */
export function sortInfluences(influences: Influences): Influences {
  checkRuns(influences);
  const { jointsPerVertex } = influences;
  const indices = influences.indices.slice();
  const weights = influences.weights.slice();
  for (let run = 0; run < countInfluenceRuns(influences); run++) {
    const start = run * jointsPerVertex;
    for (let i = start + 1; i < start + jointsPerVertex; i++) {
      const joint = indices[i];
      const weight = weights[i];
      let to = i;
      while (to > start && (weights[to - 1] < weight || (weights[to - 1] === weight && indices[to - 1] < joint))) {
        indices[to] = indices[to - 1];
        weights[to] = weights[to - 1];
        to--;
      }
      indices[to] = joint;
      weights[to] = weight;
    }
  }
  return { ...influences, indices, weights };
}

/**
 * Changes the number of influences per vertex (UsdSkelResizeInfluences). A larger number pads with joint 0, weight 0. A smaller number keeps the
 * first influences of every vertex and normalizes them, so call {@link sortInfluences} first.
 *
 * @param influences Influences of a mesh.
 * @param jointsPerVertex New number of influences per vertex, at least 1.
 * @returns A resized copy; the same object where the number does not change.
 * @throws RangeError If `jointsPerVertex` is not a whole number above 0, or for incomplete influences.
 */
export function resizeInfluences(influences: Influences, jointsPerVertex: number): Influences {
  checkRuns(influences);
  checkCount(jointsPerVertex);
  const former = influences.jointsPerVertex;
  if (former === jointsPerVertex) return influences;
  const runs = countInfluenceRuns(influences);
  const kept = Math.min(former, jointsPerVertex);
  const size = runs * jointsPerVertex;
  const isShort = influences.indices instanceof Uint16Array;
  const isDouble = influences.weights instanceof Float64Array;
  const sized = {
    ...influences,
    jointsPerVertex,
    indices: isShort ? new Uint16Array(size) : new Int32Array(size),
    weights: isDouble ? new Float64Array(size) : new Float32Array(size),
  };
  for (let run = 0; run < runs; run++) {
    for (let k = 0; k < kept; k++) {
      sized.indices[run * jointsPerVertex + k] = influences.indices[run * former + k];
      sized.weights[run * jointsPerVertex + k] = influences.weights[run * former + k];
    }
  }
  return former > jointsPerVertex ? normalizeInfluences(sized) : sized;
}

/**
 * Merges influences so that every joint has at most one nonzero weight per vertex, as glTF requires. Weights are added to the first influence of the
 * joint; the others become joint 0, weight 0. Returns a merged copy.
 */
export function mergeRepeatedJoints(influences: Influences): Influences {
  const { jointsPerVertex } = influences;
  const indices = influences.indices.slice();
  const weights = influences.weights.slice();
  for (let run = 0; run < countInfluenceRuns(influences); run++) {
    const start = run * jointsPerVertex;
    for (let i = start + 1; i < start + jointsPerVertex; i++) {
      for (let first = start; first < i && weights[i] !== 0; first++) {
        if (indices[first] !== indices[i]) continue;
        weights[first] += weights[i];
        weights[i] = 0;
        indices[i] = 0;
      }
    }
  }
  return { ...influences, indices, weights };
}

/**
 * Expands constant influences to one run per vertex (UsdSkelExpandConstantInfluencesToVarying).
 *
 * @param influences Influences of a mesh.
 * @param vertexCount Vertices of the mesh.
 * @returns Influences of kind `vertex`; the same object where they already are.
 */
export function expandConstantInfluences(influences: Influences, vertexCount: number): Influences {
  if (influences.kind === 'vertex') return influences;
  const { jointsPerVertex } = influences;
  const size = influences.indices.length;
  const indices = new Int32Array(vertexCount * size);
  const weights = new Float32Array(vertexCount * size);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    indices.set(influences.indices, vertex * size);
    weights.set(influences.weights, vertex * size);
  }
  return { kind: 'vertex', jointsPerVertex, indices: jointIndices(indices), weights };
}

/** Gathers the influences of vertices from those of the points they were made from. Constant influences are expanded. */
export function gatherInfluences(influences: Influences, points: Int32Array): Influences {
  const { kind, jointsPerVertex } = influences;
  const indices = new Int32Array(points.length * jointsPerVertex);
  const weights = new Float32Array(points.length * jointsPerVertex);
  for (let vertex = 0; vertex < points.length; vertex++) {
    const from = kind === 'constant' ? 0 : points[vertex] * jointsPerVertex;
    for (let k = 0; k < jointsPerVertex; k++) {
      indices[vertex * jointsPerVertex + k] = influences.indices[from + k];
      weights[vertex * jointsPerVertex + k] = influences.weights[from + k];
    }
  }
  return { kind: 'vertex', jointsPerVertex, indices: jointIndices(indices), weights };
}

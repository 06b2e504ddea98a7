/** Influences brought into the form that a file or a player wants, by the rules of the UsdSkel utilities. Inputs stay as they are. */
import type { JointMapper } from '../skeleton/joint-mapper.ts';
import { weightsSumToOne, type Influences, countInfluenceRuns, jointIndices } from './influences.ts';

/** Sum of weights up to which there is nothing to divide by: FLT_EPSILON, as in UsdSkelNormalizeWeights. */
const NO_WEIGHT = 2 ** -23;

/** RangeError for a number of joints per vertex that is none. */
function checkCount(count: number): void {
  if (!(Number.isInteger(count) && count > 0)) {
    throw new RangeError(`There are to be ${count} joints per vertex; expected a whole number above 0.`);
  }
}

/** RangeError for influences that are not as many joints as weights, in whole runs. */
function checkRuns({ indices, weights, jointsPerVertex }: Influences): void {
  checkCount(jointsPerVertex);
  if (indices.length === weights.length && indices.length % jointsPerVertex === 0) return;
  throw new RangeError(
    `There are ${indices.length} joint indices and ${weights.length} weights with ${jointsPerVertex} joints per vertex; expected as many of both, a multiple of that.`,
  );
}

/**
 * Weights that add up to 1 at every vertex. A vertex without weight gets its first joint with weight 1, so that it stays
 * with the body (three.js does so too; UsdSkel leaves 0, which puts it at the origin). Weights that {@link weightsSumToOne} stay to the bit.
 * RangeError for other numbers of joints than of weights, and for no whole number of runs.
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
 * The influences of every vertex by falling weight, equal ones by falling joint, as UsdSkelSortInfluences does it. RangeError as for {@link
 * normalizeInfluences}.
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
 * The same influences with another number per vertex. More: filled up with joint 0, weight 0. Fewer: the first ones of every
 * vertex are kept and normalized, so {@link sortInfluences} comes before. UsdSkelResizeInfluences. RangeError for no number above 0, and as for
 * {@link normalizeInfluences}.
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

/** Every joint at most once with a weight per vertex, as glTF wants it: its weights are added up at the first place. */
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

/** Constant influences written out for every vertex; others are given back. UsdSkelExpandConstantInfluencesToVarying. */
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

/** The influences of vertices made of points: those of `points[vertex]` for every vertex, constant ones for each. */
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

/**
 * The same influences where the joints stand in another order: `map` leads from the former order of joints to the new one.
 * Influences without weight get joint 0. RangeError where a joint with a weight is not in both orders.
 */
export function reorderJoints(influences: Influences, map: JointMapper): Influences {
  const { weights } = influences;
  const places = Int32Array.from(influences.indices, (joint, i) => {
    const place = placeOf(map, joint);
    if (place >= 0) return place;
    if (weights[i] === 0) return 0;
    throw new RangeError(
      `Joint ${joint} has weight ${weights[i]} but no place in the new order of ${map.targetCount} joints; add it there or take its weight away.`,
    );
  });
  return { ...influences, indices: jointIndices(places) };
}

/** Where a value of the source order goes; −1 for none. */
function placeOf({ kind, sourceCount, offset, targetIndices }: JointMapper, index: number): number {
  if (!(index >= 0 && index < sourceCount) || kind === 'null') return -1;
  return kind === 'sparse' ? targetIndices[index] : offset + index;
}

/** Plans skinning once per mesh: groups vertices that share their influences, and orders the groups. */
import type { Influences } from './influences.ts';

/**
 * A skinning plan. Vertices with the same joints and weights form a bundle: the matrix of a bundle is blended once and transforms all its
 * vertices. Bundles with the same joints are adjacent, so that their joint matrices are read once. Plain data.
 */
export interface SkinPlan {
  /** Vertices of the mesh. */
  readonly vertexCount: number;
  /** Joints of the skin. */
  readonly jointCount: number;
  /** Bundle b has the influences `starts[b]` … `starts[b + 1] − 1`; one more entry than bundles. */
  readonly starts: Int32Array;
  /**
   * Joint of every influence, ascending within a bundle. Bundles with 1 or 3 joints are padded to 2 or 4 by their first joint with weight 0, so
   * that bundles have 0, 2, 4 or more joints.
   */
  readonly joints: Int32Array;
  /** Weight of every influence. */
  readonly weights: Float64Array;
  /** Index of the influence with the largest weight in every bundle, the first of equal ones. */
  readonly heaviest: Int32Array;
  /** For bundle b, the next bundle with different joints. */
  readonly sameJointsEnds: Int32Array;
  /** Bundle b has the entries `vertexStarts[b]` … `vertexStarts[b + 1] − 1` of `vertices`. */
  readonly vertexStarts: Int32Array;
  /** All vertices, each once, ascending within a bundle. */
  readonly vertices: Int32Array;
  /** The bundle of each entry of `vertices`. */
  readonly bundles: Int32Array;
}

/** Influences with nonzero weight, run after run, sorted by joint. */
interface Runs {
  readonly starts: Int32Array;
  readonly joints: Int32Array;
  readonly weights: Float64Array;
}

/**
 * Plans the skinning of a mesh. Weights are used unchanged and need not add up to 1. Influences with weight 0 are dropped, whatever their joint.
 *
 * @param influences Influences of the mesh.
 * @param vertexCount Vertices of the mesh.
 * @param jointCount Joints of the skin.
 * @returns A plan for `skinLinear`.
 * @throws RangeError For influences of a different number of vertices, a weight that is not finite, or a joint that is not in the skin.
 * @experimental
 * @example
 * const { influences, positions } = primitive; // a skinned one of a Geometry
 * const plan = planSkin(influences, positions.length / 3, skin.joints.length);
 */
export function planSkin(influences: Influences, vertexCount: number, jointCount: number): SkinPlan {
  const isConstant = influences.kind === 'constant';
  const runCount = isConstant ? 1 : vertexCount;
  const { jointsPerVertex, indices, weights } = influences;
  if (indices.length !== runCount * jointsPerVertex || indices.length !== weights.length) {
    throw new RangeError(
      `There are ${indices.length} joint indices and ${weights.length} weights, ${jointsPerVertex} per vertex (${influences.kind}); expected ${runCount * jointsPerVertex} for ${vertexCount} vertices.`,
    );
  }
  const runs = weightedRuns(influences, runCount, jointCount);
  const { bundleOfRun, firstRuns } = findBundles(runs);
  const order = Int32Array.from(firstRuns).sort((a, b) => compareJoints(runs, a, b) || a - b);
  const sortedIndices = new Int32Array(order.length);
  order.forEach((run, sorted) => {
    sortedIndices[bundleOfRun[run]] = sorted;
  });

  const vertexStarts = new Int32Array(order.length + 1);
  const bundleOfVertex = (vertex: number): number => sortedIndices[bundleOfRun[isConstant ? 0 : vertex]];
  for (let vertex = 0; vertex < vertexCount; vertex++) vertexStarts[bundleOfVertex(vertex) + 1]++;
  for (let bundle = 0; bundle < order.length; bundle++) vertexStarts[bundle + 1] += vertexStarts[bundle];
  const next = vertexStarts.slice();
  const vertices = new Int32Array(vertexCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) vertices[next[bundleOfVertex(vertex)]++] = vertex;
  const bundles = Int32Array.from(vertices, bundleOfVertex);
  return { vertexCount, jointCount, ...bundleInfluences(runs, order), vertexStarts, vertices, bundles };
}

/** Collects the influences with nonzero weight, sorted by joint, then by descending weight, so that their order in the file does not matter. */
function weightedRuns(influences: Influences, runCount: number, jointCount: number): Runs {
  const { jointsPerVertex, indices, weights } = influences;
  const runs = {
    starts: new Int32Array(runCount + 1),
    joints: new Int32Array(indices.length),
    weights: new Float64Array(indices.length),
  };
  let end = 0;
  for (let run = 0; run < runCount; run++) {
    const start = end;
    for (let i = run * jointsPerVertex; i < (run + 1) * jointsPerVertex; i++) {
      const weight = weights[i];
      const joint = indices[i];
      if (weight === 0) continue;
      if (!Number.isFinite(weight)) {
        throw new RangeError(`Vertex ${run} has weight ${weight}; expected a finite number.`);
      }
      if (!(joint >= 0 && joint < jointCount)) {
        throw new RangeError(`Vertex ${run} is skinned to joint ${joint}; expected one of 0…${jointCount - 1}.`);
      }
      let to = end++;
      while (to > start) {
        const former = runs.joints[to - 1];
        if (former < joint || (former === joint && runs.weights[to - 1] >= weight)) break;
        runs.joints[to] = former;
        runs.weights[to] = runs.weights[to - 1];
        to--;
      }
      runs.joints[to] = joint;
      runs.weights[to] = weight;
    }
    runs.starts[run + 1] = end;
  }
  return runs;
}

const hashNumber = new Float64Array(1);
const hashBits = new Int32Array(hashNumber.buffer);

function hashOf({ starts, joints, weights }: Runs, run: number): number {
  let hash = 0;
  for (let i = starts[run]; i < starts[run + 1]; i++) {
    hashNumber[0] = weights[i];
    hash = Math.imul(hash ^ joints[i], 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ hashBits[0], 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13) ^ hashBits[1], 0xc2b2ae35);
  }
  return hash ^ (hash >>> 16);
}

function haveSameWeights({ starts, weights }: Runs, a: number, b: number): boolean {
  for (let i = 0; i < starts[a + 1] - starts[a]; i++) {
    if (weights[starts[a] + i] !== weights[starts[b] + i]) return false;
  }
  return true;
}

/** Compares runs by their number of influences, then by their joints; 0 for the same joints. */
function compareJoints({ starts, joints }: Runs, a: number, b: number): number {
  const count = starts[a + 1] - starts[a];
  const difference = count - (starts[b + 1] - starts[b]);
  if (difference !== 0) return difference;
  for (let i = 0; i < count; i++) {
    const apart = joints[starts[a] + i] - joints[starts[b] + i];
    if (apart !== 0) return apart;
  }
  return 0;
}

/** Finds the bundle of every run, numbered in order of first occurrence, and the first run of every bundle. */
function findBundles(runs: Runs): { bundleOfRun: Int32Array; firstRuns: number[] } {
  const runCount = runs.starts.length - 1;
  const size = 2 ** Math.ceil(Math.log2(2 * runCount + 2));
  /** Hash table of the first run of each bundle, open addressing. */
  const table = new Int32Array(size).fill(-1);
  const bundleOfRun = new Int32Array(runCount);
  const firstRuns: number[] = [];
  for (let run = 0; run < runCount; run++) {
    let slot = hashOf(runs, run) & (size - 1);
    while (
      table[slot] >= 0 &&
      !(compareJoints(runs, table[slot], run) === 0 && haveSameWeights(runs, table[slot], run))
    ) {
      slot = (slot + 1) & (size - 1);
    }
    if (table[slot] < 0) {
      table[slot] = run;
      bundleOfRun[run] = firstRuns.length;
      firstRuns.push(run);
    } else bundleOfRun[run] = bundleOfRun[table[slot]];
  }
  return { bundleOfRun, firstRuns };
}

/** Writes the influences of the bundles. `order` has the first run of every bundle, in sorted order. */
function bundleInfluences(
  runs: Runs,
  order: Int32Array,
): Pick<SkinPlan, 'starts' | 'joints' | 'weights' | 'heaviest' | 'sameJointsEnds'> {
  const starts = new Int32Array(order.length + 1);
  order.forEach((run, bundle) => {
    const count = runs.starts[run + 1] - runs.starts[run];
    starts[bundle + 1] = starts[bundle] + (count === 1 || count === 3 ? count + 1 : count);
  });
  const joints = new Int32Array(starts[order.length]);
  const weights = new Float64Array(starts[order.length]);
  const heaviest = new Int32Array(order.length);
  const sameJointsEnds = new Int32Array(order.length);
  for (let bundle = order.length - 1; bundle >= 0; bundle--) {
    const run = order[bundle];
    const from = runs.starts[run];
    const count = runs.starts[run + 1] - from;
    const start = starts[bundle];
    joints.fill(runs.joints[from], start, starts[bundle + 1]);
    joints.set(runs.joints.subarray(from, from + count), start);
    weights.set(runs.weights.subarray(from, from + count), start);
    heaviest[bundle] = start;
    for (let i = start + 1; i < start + count; i++) if (weights[i] > weights[heaviest[bundle]]) heaviest[bundle] = i;
    const isSame = bundle + 1 < order.length && compareJoints(runs, run, order[bundle + 1]) === 0;
    sameJointsEnds[bundle] = isSame ? sameJointsEnds[bundle + 1] : bundle + 1;
  }
  return { starts, joints, weights, heaviest, sameJointsEnds };
}

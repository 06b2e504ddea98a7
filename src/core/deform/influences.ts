/**
 * Joint influences: the joints that move each vertex, with weights. Any number per vertex, as in UsdSkel (primvars:skel:jointIndices and
 * jointWeights) and in joined JOINTS_n, WEIGHTS_n sets of glTF (glTF 2.0 section 3.7.3.3).
 */
import type { Floats } from '../math/floats.ts';
import { type Validity, validity } from '../report/validity.ts';

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

/** One set of joints and weights, equally many of both. */
export interface InfluenceSet {
  /** Joint indices of the skin. */
  readonly indices: ArrayLike<number>;
  /** Weights 0…1; convert normalized integers first. */
  readonly weights: ArrayLike<number>;
}

/**
 * Stores joint indices as Uint16Array if all fit, otherwise as Int32Array.
 *
 * @param indices Joint indices.
 * @returns A copy. Values that are out of range are kept for {@link validateInfluences}.
 */
export function jointIndices(indices: ArrayLike<number>): JointIndices {
  let fits = true;
  for (let i = 0; i < indices.length; i++) if (!(indices[i] >= 0 && indices[i] <= 0xffff)) fits = false;
  return fits ? Uint16Array.from(indices) : Int32Array.from(indices);
}

/** Counts the runs of influences. */
export function countInfluenceRuns({ indices, jointsPerVertex }: Influences): number {
  return Math.floor(indices.length / jointsPerVertex);
}

/**
 * Joins several sets of influences to one run per vertex, for example glTF's JOINTS_0, WEIGHTS_0, JOINTS_1, WEIGHTS_1 …. The first set comes
 * first in a run.
 *
 * @param sets At least one set, all of the same size.
 * @param jointsPerSet Joints per vertex in each set; 4 in glTF.
 * @returns Influences of kind `vertex`, weights in float32.
 * @throws RangeError Without sets, for sets of different sizes, or for an incomplete vertex.
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

/** A kind of fault that occurs at some vertices. */
interface Fault {
  readonly text: string;
  count: number;
  /** Description of the first occurrence. */
  first: string;
}

/**
 * Checks influences against a mesh and a skin: their number, joint indices in range, weights finite and not negative, no joint with two nonzero
 * weights at a vertex, sums of 1.
 *
 * @param influences Influences to check.
 * @param vertexCount Vertices of the mesh.
 * @param jointCount Joints of the skin.
 * @returns One reason per kind of fault, with its number of occurrences and the first one.
 */
export function validateInfluences(influences: Influences, vertexCount: number, jointCount: number): Validity {
  const { kind, jointsPerVertex, indices, weights } = influences;
  if (!(Number.isInteger(jointsPerVertex) && jointsPerVertex > 0)) {
    return validity([`there are ${jointsPerVertex} joints per vertex; expected a whole number above 0`]);
  }
  const runs = kind === 'constant' ? 1 : vertexCount;
  if (indices.length !== runs * jointsPerVertex || weights.length !== indices.length) {
    const what = kind === 'constant' ? 'constant influences' : `${vertexCount} vertices`;
    const reason = `there are ${indices.length} joint indices and ${weights.length} weights; ${what} with ${jointsPerVertex} joints per vertex need ${runs * jointsPerVertex} of both`;
    return validity([reason]);
  }
  const range: Fault = { text: `joint indices are outside 0…${jointCount - 1}`, count: 0, first: '' };
  const notFinite: Fault = { text: 'weights are not finite', count: 0, first: '' };
  const negative: Fault = { text: 'weights are negative', count: 0, first: '' };
  const repeated: Fault = { text: 'joints have two weights at one vertex; merge them', count: 0, first: '' };
  const sums: Fault = { text: 'vertices have weights that do not add up to 1; normalize them', count: 0, first: '' };
  const addFault = (fault: Fault, vertex: number, value: number): void => {
    if (fault.count++ === 0) fault.first = `${value} at vertex ${vertex}`;
  };
  /** The last run in which each joint had a nonzero weight. */
  const weighted = new Int32Array(Math.max(jointCount, 0)).fill(-1);
  for (let run = 0; run < runs; run++) {
    let sum = 0;
    for (let i = run * jointsPerVertex; i < (run + 1) * jointsPerVertex; i++) {
      const joint = indices[i];
      const weight = weights[i];
      const exists = joint >= 0 && joint < jointCount;
      if (!exists) addFault(range, run, joint);
      if (!Number.isFinite(weight)) addFault(notFinite, run, weight);
      else if (weight < 0) addFault(negative, run, weight);
      if (weight === 0) continue;
      sum += weight;
      if (exists && weighted[joint] === run) addFault(repeated, run, joint);
      if (exists) weighted[joint] = run;
    }
    if (Number.isFinite(sum) && !weightsSumToOne(weights, run * jointsPerVertex, jointsPerVertex))
      addFault(sums, run, sum);
  }
  const faults = [range, notFinite, negative, repeated, sums].filter(({ count }) => count > 0);
  return validity(faults.map(({ count, text, first }) => `${count} ${text} (first: ${first})`));
}

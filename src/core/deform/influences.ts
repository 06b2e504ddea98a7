/**
 * Which joints move a vertex, and how strongly: any number per vertex, as UsdSkel has them (primvars:skel:jointIndices and
 * jointWeights) and as the JOINTS_n, WEIGHTS_n sets of glTF come to when they are joined (glTF 2.0 section 3.7.3.3).
 */
import type { Floats } from '../math/floats.ts';
import { type Validity, validity } from '../report/validity.ts';

/** Joint indices: places in the list of joints of the skin. */
export type JointIndices = Uint16Array | Int32Array;

/** Joint influences of a mesh. Plain data. */
export interface Influences {
  /** `vertex`: a run of influences for every vertex. `constant`: one run for all, a rigid deformation (UsdSkel). */
  readonly kind: 'vertex' | 'constant';
  /** Influences of one vertex, at least 1; places that are not needed have joint 0 and weight 0. */
  readonly jointsPerVertex: number;
  /** `jointsPerVertex` joints a vertex, or that many in all when constant. */
  readonly indices: JointIndices;
  /** The weight of each of them; those of a vertex should add up to 1. */
  readonly weights: Floats;
}

/** One set of joints and weights, the same number of both. */
export interface InfluenceSet {
  readonly indices: ArrayLike<number>;
  /** Normalized integers are turned into 0…1 before. */
  readonly weights: ArrayLike<number>;
}

/** Indices as Uint16Array where all fit, else as Int32Array. */
export function jointIndices(indices: ArrayLike<number>): JointIndices {
  let fits = true;
  for (let i = 0; i < indices.length; i++) if (!(indices[i] >= 0 && indices[i] <= 0xffff)) fits = false;
  return fits ? Uint16Array.from(indices) : Int32Array.from(indices);
}

/** The runs of influences that there are: vertices, or 1 when constant. */
export function countInfluenceRuns({ indices, jointsPerVertex }: Influences): number {
  return Math.floor(indices.length / jointsPerVertex);
}

/**
 * One run per vertex out of several sets of `jointsPerSet` joints a vertex each: of glTF's JOINTS_0, WEIGHTS_0, JOINTS_1,
 * WEIGHTS_1 … with 4. The first set comes first in a run. Weights are copied as float32. RangeError for no set and for
 * sets of different sizes or no whole number of vertices.
 */
export function joinInfluenceSets(sets: readonly InfluenceSet[], jointsPerSet = 4): Influences {
  if (sets.length === 0) throw new RangeError('There is no set of joints and weights to join; give at least one.');
  const size = sets[0].indices.length;
  for (const [n, { indices, weights }] of sets.entries()) {
    if (indices.length !== size || weights.length !== size || size % jointsPerSet !== 0) {
      throw new RangeError(
        `Set ${n} has ${indices.length} joints and ${weights.length} weights, the first set ${size} joints; expected the same number everywhere, ${jointsPerSet} a vertex.`,
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

/** Sum of the weights of a vertex that may miss 1, per weight that is not 0: the limit of the glTF validator, glTF 3.7.3.3. */
const SUM_TOLERANCE = 2e-7;

/**
 * Whether `count` weights from `start` on, those of one vertex, add up to 1: within 2e-7 for each that is not 0, as the glTF validator
 * has it, which is what float32 weights may miss by their rounding. A sum off by more moves the vertex by that part of its
 * distance to the origin.
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

/** Something that is wrong at some vertices. */
interface Fault {
  readonly text: string;
  count: number;
  /** What was met first. */
  first: string;
}

/**
 * Whether influences fit a mesh of `vertexCount` vertices and a skin of `jointCount` joints: as many as the kind wants, every
 * joint one of the skin, no weight negative or not finite, no joint twice with a weight, sums of 1 (within 2e-7 for each
 * weight that is not 0). One reason for each kind of fault, with how often it occurs and where first.
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
  const range: Fault = { text: `joint indices are outside of 0…${jointCount - 1}`, count: 0, first: '' };
  const notFinite: Fault = { text: 'weights are not finite', count: 0, first: '' };
  const negative: Fault = { text: 'weights are negative', count: 0, first: '' };
  const repeated: Fault = { text: 'joints have two weights at one vertex; merge them', count: 0, first: '' };
  const sums: Fault = { text: 'vertices have weights that do not add up to 1; normalize them', count: 0, first: '' };
  const meet = (fault: Fault, vertex: number, value: number): void => {
    if (fault.count++ === 0) fault.first = `${value} at vertex ${vertex}`;
  };
  /** The run in which a joint had a weight last. */
  const weighted = new Int32Array(Math.max(jointCount, 0)).fill(-1);
  for (let run = 0; run < runs; run++) {
    let sum = 0;
    for (let i = run * jointsPerVertex; i < (run + 1) * jointsPerVertex; i++) {
      const joint = indices[i];
      const weight = weights[i];
      const exists = joint >= 0 && joint < jointCount;
      if (!exists) meet(range, run, joint);
      if (!Number.isFinite(weight)) meet(notFinite, run, weight);
      else if (weight < 0) meet(negative, run, weight);
      if (weight === 0) continue;
      sum += weight;
      if (exists && weighted[joint] === run) meet(repeated, run, joint);
      if (exists) weighted[joint] = run;
    }
    if (Number.isFinite(sum) && !weightsSumToOne(weights, run * jointsPerVertex, jointsPerVertex)) meet(sums, run, sum);
  }
  const faults = [range, notFinite, negative, repeated, sums].filter(({ count }) => count > 0);
  return validity(faults.map(({ count, text, first }) => `${count} ${text} (first: ${first})`));
}

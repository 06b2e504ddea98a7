/** What a mesh and a skin ask of influences: tests hold what the library makes to it. */
import { type Influences, weightsSumToOne } from '../../../src/core/deform/influences.ts';
import { type Validity, validity } from '../../../src/core/report/validity.ts';

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

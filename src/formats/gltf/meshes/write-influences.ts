/** Joints and weights of vertices as the attribute sets of glTF: 2.0 section 3.7.3.3. */
import { expandConstantInfluences, mergeRepeatedJoints, sortInfluences } from '../../../core/deform/edit-influences.ts';
import { type Influences, weightsSumToOne } from '../../../core/deform/influences.ts';
import { type IssueTally, tallyIssue } from '../../../core/report/issue-tally.ts';

/** One set of joints and weights, four per vertex. Unused entries have joint 0 and weight 0. */
interface StoredInfluences {
  readonly joints: Uint8Array | Uint16Array;
  readonly weights: Float32Array;
}

const SET_SIZE = 4;

/**
 * Splits influences into sets of four per vertex: as many sets as the vertex with the most influences needs. With more
 * than one set, the influences of every vertex are sorted by falling weight, so that the first set, the only one that
 * many players read, has the four strongest. Weights are normalized to sum 1, invalid joints and weights are dropped,
 * repeated joints merged. A vertex without weights is bound to joint 0.
 */
export function storeInfluences(
  influences: Influences,
  vertexCount: number,
  jointCount: number,
  repairs: IssueTally,
): StoredInfluences[] {
  const clean = cleanInfluences(expandConstantInfluences(influences, vertexCount), jointCount, repairs);
  const merged = mergeRepeatedJoints(clean);
  normalize(merged, repairs);
  const used = mostUsed(merged);
  const setCount = Math.max(1, Math.ceil(used / SET_SIZE));
  const ordered = merged.jointsPerVertex > SET_SIZE ? sortInfluences(merged) : merged;
  return Array.from({ length: setCount }, (_, set) => pickSet(ordered, vertexCount, set));
}

/** A float32 copy without invalid joints and weights. */
function cleanInfluences(influences: Influences, jointCount: number, repairs: IssueTally): Influences {
  const indices = influences.indices.slice();
  const weights = Float32Array.from(influences.weights);
  let invalid = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > 0 && Number.isFinite(weights[i]) && indices[i] >= 0 && indices[i] < jointCount) continue;
    if (weights[i] !== 0) invalid++;
    indices[i] = 0;
    weights[i] = 0;
  }
  tallyIssue(repairs, 'weights that are negative, not finite or of a missing joint (dropped)', invalid);
  return { ...influences, indices, weights };
}

/** Normalizes the weights of every vertex to sum 1, in place. Sums within tolerance are kept to the bit. */
function normalize({ jointsPerVertex, weights }: Influences, repairs: IssueTally): void {
  let missing = 0;
  let invalid = 0;
  for (let start = 0; start < weights.length; start += jointsPerVertex) {
    if (weightsSumToOne(weights, start, jointsPerVertex)) continue;
    let sum = 0;
    for (let k = 0; k < jointsPerVertex; k++) sum += weights[start + k];
    if (sum === 0) missing++;
    else invalid++;
    for (let k = 0; k < jointsPerVertex; k++) {
      weights[start + k] = sum === 0 ? (k === 0 ? 1 : 0) : weights[start + k] / sum;
    }
  }
  tallyIssue(repairs, 'vertices without weights (bound to the first joint)', missing);
  tallyIssue(repairs, 'vertices with weights that do not sum to 1 (normalized)', invalid);
}

function mostUsed({ jointsPerVertex, weights }: Influences): number {
  let most = 0;
  for (let start = 0; start < weights.length; start += jointsPerVertex) {
    let count = 0;
    for (let k = 0; k < jointsPerVertex; k++) if (weights[start + k] > 0) count++;
    most = Math.max(most, count);
  }
  return most;
}

function pickSet(
  { jointsPerVertex, indices, weights }: Influences,
  vertexCount: number,
  set: number,
): StoredInfluences {
  const joints = new Uint16Array(SET_SIZE * vertexCount);
  const picked = new Float32Array(SET_SIZE * vertexCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    for (let k = 0; k < SET_SIZE && set * SET_SIZE + k < jointsPerVertex; k++) {
      const from = vertex * jointsPerVertex + set * SET_SIZE + k;
      joints[vertex * SET_SIZE + k] = indices[from];
      picked[vertex * SET_SIZE + k] = weights[from];
    }
  }
  return { joints: joints.every((joint) => joint <= 0xff) ? Uint8Array.from(joints) : joints, weights: picked };
}

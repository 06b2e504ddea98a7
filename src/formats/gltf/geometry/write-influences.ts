/** Joints and weights of vertices as the sets that glTF stores: 2.0 section 3.7.3.3. */
import { expandConstantInfluences, mergeRepeatedJoints, sortInfluences } from '../../../core/deform/edit-influences.ts';
import { addUpToOne, type Influences } from '../../../core/deform/influences.ts';
import { countMends, type Mends } from '../mends.ts';

/** Joints and weights of a set: four a vertex, places without weight name joint 0. */
export interface StoredInfluences {
  readonly joints: Uint8Array | Uint16Array;
  readonly weights: Float32Array;
}

/** Joints in a set. */
const SET = 4;

/**
 * Influences as sets of four: as many as the vertex with the most influences needs. Where that is more than one, the influences of every
 * vertex are sorted by falling weight, so that the first set, the only one that many players read, has the four strongest. Weights that do
 * not add up to 1 are normalized, joints that a skin of `jointCount` joints does not have and weights that are negative or no
 * numbers are left out, a joint that stands twice is merged. A vertex without weight gets joint 0.
 */
export function storeInfluences(
  influences: Influences,
  vertexCount: number,
  jointCount: number,
  mends: Mends,
): StoredInfluences[] {
  const clean = cleanInfluences(expandConstantInfluences(influences, vertexCount), jointCount, mends);
  const merged = mergeRepeatedJoints(clean);
  normalize(merged, mends);
  const used = mostUsed(merged);
  const setCount = Math.max(1, Math.ceil(used / SET));
  const ordered = merged.jointsPerVertex > SET ? sortInfluences(merged) : merged;
  return Array.from({ length: setCount }, (_, set) => pickSet(ordered, vertexCount, set));
}

/** A copy as float32 without what cannot be stored. */
function cleanInfluences(influences: Influences, jointCount: number, mends: Mends): Influences {
  const indices = influences.indices.slice();
  const weights = Float32Array.from(influences.weights);
  let wrong = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > 0 && Number.isFinite(weights[i]) && indices[i] >= 0 && indices[i] < jointCount) continue;
    if (weights[i] !== 0) wrong++;
    indices[i] = 0;
    weights[i] = 0;
  }
  countMends(mends, 'weights that are negative, no numbers or of no joint (left out)', wrong);
  return { ...influences, indices, weights };
}

/** Makes the weights of every vertex add up to 1, in place; sums that are near enough stay to the bit. */
function normalize({ jointsPerVertex, weights }: Influences, mends: Mends): void {
  let missing = 0;
  let wrong = 0;
  for (let start = 0; start < weights.length; start += jointsPerVertex) {
    if (addUpToOne(weights, start, jointsPerVertex)) continue;
    let sum = 0;
    for (let k = 0; k < jointsPerVertex; k++) sum += weights[start + k];
    if (sum === 0) missing++;
    else wrong++;
    for (let k = 0; k < jointsPerVertex; k++) {
      weights[start + k] = sum === 0 ? (k === 0 ? 1 : 0) : weights[start + k] / sum;
    }
  }
  countMends(mends, 'vertices without weight (hung on the first joint)', missing);
  countMends(mends, 'vertices with weights that do not add up to 1 (normalized)', wrong);
}

/** The influences of the vertex that has the most. */
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
  const joints = new Uint16Array(SET * vertexCount);
  const picked = new Float32Array(SET * vertexCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    for (let k = 0; k < SET && set * SET + k < jointsPerVertex; k++) {
      const from = vertex * jointsPerVertex + set * SET + k;
      joints[vertex * SET + k] = indices[from];
      picked[vertex * SET + k] = weights[from];
    }
  }
  return { joints: joints.every((joint) => joint <= 0xff) ? Uint8Array.from(joints) : joints, weights: picked };
}

/** Bone maps that compete with each other: one per naming convention, one from words for body parts, one from the shape. */
import { BONE_COUNT, BONES, type BoneName, isFingerBone, REQUIRED_BONES } from '../bones.ts';
import { hierarchyFaults } from './hierarchy-faults.ts';

export interface CandidateMap {
  /** Name of the convention, `words` or `shape`. */
  readonly from: string;
  /** Node per bone, −1 where absent. */
  readonly nodes: Int32Array;
  /** Confidence per bone, 0…1, from the name alone; the hierarchy is not taken into account. */
  readonly confidences: Float32Array;
  /** Weighted number of bones that the candidate maps, see {@link scoreMap}. */
  readonly score: number;
}

const REQUIRED: ReadonlySet<BoneName> = new Set(REQUIRED_BONES);

/** Weight of each bone: 3 for required bones, 1 for fingers, eyes and jaw, 2 for all others. */
const WEIGHTS: Float64Array = Float64Array.from(BONES, (bone) => {
  if (REQUIRED.has(bone)) return 3;
  return isFingerBone(bone) || bone.endsWith('Eye') || bone === 'jaw' ? 1 : 2;
});

/** Adds up the weights of all mapped bones. A bone with a hierarchy fault counts a quarter. */
export function scoreMap(nodes: ArrayLike<number>, faults: Uint8Array): number {
  let score = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) score += WEIGHTS[bone] * (faults[bone] === 1 ? 0.25 : 1);
  }
  return score;
}

export function createCandidate(
  from: string,
  parents: Int32Array,
  nodes: Int32Array,
  confidences: Float32Array,
  weight = 1,
): CandidateMap {
  return { from, nodes, confidences, score: weight * scoreMap(nodes, hierarchyFaults(parents, nodes)) };
}

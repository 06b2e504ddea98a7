import { BONE_COUNT, BONES, type BoneName, REQUIRED_BONES } from '../bones.ts';
import { hierarchyFaults } from './check-map.ts';

/** One reading of a rig: by one convention, or by the words of its names. */
export interface CandidateMap {
  /** The convention, or `words`. */
  readonly from: string;
  /** Node per bone, −1 where absent. */
  readonly nodes: Int32Array;
  /** 0…1 per bone: how sure it is by its name alone, however it hangs. */
  readonly sure: Float32Array;
  /** How much of a body it is. */
  readonly score: number;
}

const REQUIRED: ReadonlySet<BoneName> = new Set(REQUIRED_BONES);
const FINGER = /Thumb|Index|Middle|Ring|Little/;

/** What a bone counts: required bones most, fingers, eyes and jaw least. */
const WEIGHTS: Float64Array = Float64Array.from(BONES, (bone) => {
  if (REQUIRED.has(bone)) return 3;
  return FINGER.test(bone) || bone.endsWith('Eye') || bone === 'jaw' ? 1 : 2;
});

/** Weight of all bones that are there; one that hangs wrongly counts a quarter. */
export function scoreOf(nodes: ArrayLike<number>, faults: Uint8Array): number {
  let score = 0;
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) score += WEIGHTS[bone] * (faults[bone] === 1 ? 0.25 : 1);
  }
  return score;
}

/** A candidate from its nodes and how sure each is; `worth` scales its score. */
export function candidateMap(
  from: string,
  parents: Int32Array,
  nodes: Int32Array,
  sure: Float32Array,
  worth = 1,
): CandidateMap {
  return { from, nodes, sure, score: worth * scoreOf(nodes, hierarchyFaults(parents, nodes)) };
}

/** Reads a rig by every naming convention of conventions.ts. */
import { BONE_COUNT, BONES, presentParent, REQUIRED_BONES } from '../bones.ts';
import { type CandidateMap, candidateMap } from './candidate-map.ts';
import { conventionKeys, expandConvention, meaningOf, otherNames } from './convention-names.ts';
import { CONVENTION_NAMES, type ConventionName } from './conventions.ts';
import { cleanName, nameKey } from './names.ts';
import { isBelow } from './node-tree.ts';
import type { Rig } from './rig.ts';

/** A node that carries the name of a bone. */
interface Claim {
  readonly node: number;
  readonly alternative: number;
}

/** Fewer bones than this are found in anything. */
const LEAST_BONES = 4;
/** A node that only this convention has outweighs the toes of both feet. */
const SIGN_WEIGHT = 4.5;
/**
 * Names in exactly the spelling of the convention break ties, and no more than ties: 55 of them are less than one bone.
 */
const EXACT_WEIGHT = 0.008;

/** Claims per convention and bone. */
function claimsOf(rig: Rig): (Claim[] | undefined)[][] {
  const keys = conventionKeys();
  const claims: (Claim[] | undefined)[][] = CONVENTION_NAMES.map(() => []);
  const { keys: nodeKeys, wordKeys } = rig.names;
  for (let node = 0; node < nodeKeys.length; node++) {
    const forms = wordKeys[node] === nodeKeys[node] ? [nodeKeys[node]] : [nodeKeys[node], wordKeys[node]];
    for (const form of forms) {
      for (const meaning of keys.get(form) ?? []) {
        const { convention, bone, alternative } = meaningOf(meaning);
        const known = claims[convention][bone];
        if (known === undefined) claims[convention][bone] = [{ node, alternative }];
        else known.push({ node, alternative });
      }
    }
  }
  return claims;
}

/** The claim to believe: preferred name, below the parent bone, more of a bone than the others, highest in the tree. */
function bestClaim(rig: Rig, claims: readonly Claim[], parentNode: number, taken: ReadonlySet<number>): number {
  const { tree, quality } = rig;
  const rank = ({ node, alternative }: Claim): number =>
    -alternative + (parentNode >= 0 && isBelow(tree, node, parentNode) ? 0.5 : 0) + quality[node] / 4;
  let best = -1;
  let bestRank = -Infinity;
  for (const claim of claims) {
    if (taken.has(claim.node)) continue;
    const value = rank(claim);
    if (value < bestRank || (value === bestRank && tree.depths[claim.node] >= tree.depths[best])) continue;
    best = claim.node;
    bestRank = value;
  }
  return best;
}

function assign(rig: Rig, claims: readonly (Claim[] | undefined)[]): Int32Array {
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const taken = new Set<number>();
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    const forBone = claims[bone];
    if (forBone === undefined) continue;
    const parent = presentParent(bone, nodes);
    nodes[bone] = bestClaim(rig, forBone, parent < 0 ? -1 : nodes[parent], taken);
    if (nodes[bone] >= 0) taken.add(nodes[bone]);
  }
  return nodes;
}

function hasSign(name: ConventionName, keys: ReadonlySet<string>): boolean {
  return otherNames(name, 'signs').some((sign) => keys.has(nameKey(cleanName(sign))));
}

/** 0…1: how many of the bones are spelt exactly as the convention prefers; other spellings that it has count half. */
function exactness(rig: Rig, name: ConventionName, nodes: Int32Array): number {
  const spelt = expandConvention(name);
  let sum = 0;
  for (const [bone, boneName] of BONES.entries()) {
    if (nodes[bone] < 0) continue;
    const at = spelt[boneName]?.indexOf(rig.skeleton.names[nodes[bone]]) ?? -1;
    if (at >= 0) sum += at === 0 ? 1 : 0.5;
  }
  return sum;
}

/**
 * Every convention that fits at all, best first. Confidence 1 where all required bones are named and hang together;
 * less by the share of required bones that the convention does not explain.
 */
export function mapByConventions(rig: Rig): CandidateMap[] {
  const { parents } = rig.tree;
  const candidates: CandidateMap[] = [];
  for (const [convention, claims] of claimsOf(rig).entries()) {
    if (claims.length === 0) continue;
    const nodes = assign(rig, claims);
    if (nodes.filter((node) => node >= 0).length < LEAST_BONES) continue;
    const found = REQUIRED_BONES.filter((bone) => nodes[BONES.indexOf(bone)] >= 0).length;
    const sure = new Float32Array(BONE_COUNT).fill(0.6 + (0.4 * found) / REQUIRED_BONES.length);
    candidates.push(candidateMap(CONVENTION_NAMES[convention], parents, nodes, sure));
  }
  return breakTies(rig, candidates);
}

function breakTies(rig: Rig, candidates: readonly CandidateMap[]): CandidateMap[] {
  const top = Math.max(0, ...candidates.map(({ score }) => score));
  const keys = new Set(rig.names.keys);
  const scored = candidates.map((candidate) => {
    if (candidate.score < top - 2 * SIGN_WEIGHT) return candidate;
    const name = candidate.from as ConventionName;
    const bonus = (hasSign(name, keys) ? SIGN_WEIGHT : 0) + EXACT_WEIGHT * exactness(rig, name, candidate.nodes);
    return { ...candidate, score: candidate.score + bonus };
  });
  return scored.sort((a, b) => b.score - a.score);
}

import { BONE_COUNT, BONES, presentParent, REQUIRED_BONES } from '../../bones.ts';
import { type CandidateMap, createCandidate } from '../candidate-map.ts';
import { isDescendant } from '../node-tree.ts';
import { conventionKeys, decodeMeaning, expandConvention, expandNodeNames } from './convention-names.ts';
import { CONVENTION_NAMES, type ConventionName } from './conventions.ts';
import type { NamedRig } from './named-rig.ts';
import { cleanName, nameKey } from './node-names.ts';

/** A node that has the name of a bone. */
interface Claim {
  readonly node: number;
  readonly alternative: number;
}

/** A convention must name at least this many bones. */
const MIN_BONES = 4;
/** Score of a node that only this convention has: more than the toes of both feet. */
const MARKER_WEIGHT = 4.5;
/** Score per name in the exact spelling of the convention. It only breaks ties: 55 of them count less than one bone. */
const EXACT_WEIGHT = 0.008;

/** Collects the claims per convention and bone. */
function claimsOf(rig: NamedRig): (Claim[] | undefined)[][] {
  const keys = conventionKeys();
  const claims: (Claim[] | undefined)[][] = CONVENTION_NAMES.map(() => []);
  const { keys: nodeKeys, wordKeys } = rig.names;
  for (let node = 0; node < nodeKeys.length; node++) {
    const forms = wordKeys[node] === nodeKeys[node] ? [nodeKeys[node]] : [nodeKeys[node], wordKeys[node]];
    for (const form of forms) {
      for (const meaning of keys.get(form) ?? []) {
        const { convention, bone, alternative } = decodeMeaning(meaning);
        const known = claims[convention][bone];
        if (known === undefined) claims[convention][bone] = [{ node, alternative }];
        else known.push({ node, alternative });
      }
    }
  }
  return claims;
}

/** Chooses among several claims: preferred name, below the parent bone, node quality, then highest in the hierarchy. */
function bestClaim(rig: NamedRig, claims: readonly Claim[], parentNode: number, taken: ReadonlySet<number>): number {
  const { tree, quality } = rig;
  const rank = ({ node, alternative }: Claim): number =>
    -alternative + (parentNode >= 0 && isDescendant(tree, node, parentNode) ? 0.5 : 0) + quality[node] / 4;
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

function assign(rig: NamedRig, claims: readonly (Claim[] | undefined)[]): Int32Array {
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

function hasMarker(name: ConventionName, keys: ReadonlySet<string>): boolean {
  return expandNodeNames(name, 'markers').some((sign) => keys.has(nameKey(cleanName(sign))));
}

/** Counts the bones with the preferred spelling of the convention; its other spellings count half. */
function exactness(rig: NamedRig, name: ConventionName, nodes: Int32Array): number {
  const spelt = expandConvention(name);
  let sum = 0;
  for (const [bone, boneName] of BONES.entries()) {
    if (nodes[bone] < 0) continue;
    const at = spelt[boneName]?.indexOf(rig.skeleton.names[nodes[bone]]) ?? -1;
    if (at >= 0) sum += at === 0 ? 1 : 0.5;
  }
  return sum;
}

export function mapByConventions(rig: NamedRig): CandidateMap[] {
  const { parents } = rig.tree;
  const candidates: CandidateMap[] = [];
  for (const [convention, claims] of claimsOf(rig).entries()) {
    if (claims.length === 0) continue;
    const nodes = assign(rig, claims);
    if (nodes.filter((node) => node >= 0).length < MIN_BONES) continue;
    const found = REQUIRED_BONES.filter((bone) => nodes[BONES.indexOf(bone)] >= 0).length;
    const confidences = new Float32Array(BONE_COUNT).fill(0.6 + (0.4 * found) / REQUIRED_BONES.length);
    candidates.push(createCandidate(CONVENTION_NAMES[convention], parents, nodes, confidences));
  }
  return breakTies(rig, candidates);
}

function breakTies(rig: NamedRig, candidates: readonly CandidateMap[]): CandidateMap[] {
  const top = Math.max(0, ...candidates.map(({ score }) => score));
  const keys = new Set(rig.names.keys);
  const scored = candidates.map((candidate) => {
    if (candidate.score < top - 2 * MARKER_WEIGHT) return candidate;
    const name = candidate.from as ConventionName;
    const bonus = (hasMarker(name, keys) ? MARKER_WEIGHT : 0) + EXACT_WEIGHT * exactness(rig, name, candidate.nodes);
    return { ...candidate, score: candidate.score + bonus };
  });
  return scored.sort((a, b) => b.score - a.score);
}

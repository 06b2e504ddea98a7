/** Maps nodes to bones by their names: naming conventions and words for body parts propose maps, the node hierarchy decides between them. */
import { type Issue, issue } from '../../../report/issue.ts';
import type { Skeleton } from '../../../skeleton/skeleton.ts';
import { isAncestor } from '../../../skeleton/topology.ts';
import { BONE, BONE_COUNT, BONES, type BoneName, presentParent, REQUIRED_BONES } from '../../bones.ts';
import type { BoneMap } from '../../humanoid.ts';
import { mapByConventions } from '../by-name/map-by-conventions.ts';
import { mapByWords } from '../by-name/map-by-words.ts';
import { createNamedRig, type NamedRig } from '../by-name/named-rig.ts';
import type { CandidateMap } from '../candidate-map.ts';
import { hierarchyFaults } from '../hierarchy-faults.ts';
import { fillMissingBones, preferHigherConfidences, repairFaults } from './fill-map.ts';
import { repairTrunk } from './repair-trunk.ts';

export interface NameMapping {
  /** The map. `from` is the best naming convention, or `words` where words for body parts in the names explain more. */
  readonly map: BoneMap;
  /** Required bones without a node. */
  readonly missing: readonly BoneName[];
  /** Missing, ambiguous and misplaced bones. */
  readonly issues: readonly Issue[];
}

export interface NameMatches {
  readonly rig: NamedRig;
  readonly mapping: NameMapping;
  /** All candidates, best first. */
  readonly candidates: readonly CandidateMap[];
}

/** Number of conventions that may fill gaps of the best one. */
const LOOKED_AT = 12;
/** Factor of the confidence of a bone that is not below its parent bone. */
const FAULTY = 0.4;

/**
 * Maps a skeleton by the names and the hierarchy of its nodes, without looking at positions.
 *
 * Each naming convention and a lexicon of words for body parts propose a map. The best one (most bones in a valid hierarchy,
 * then exact spelling) is the base; the others fill its gaps where the hierarchy allows it. Then the hierarchy
 * corrects the trunk: the hips are above both legs and the spine, and a spine of any length is distributed over
 * spine, chest and upperChest.
 *
 * Confidences: 1 for names of one convention; less for other conventions, for words (0.4…0.6) and for the hierarchy
 * alone (0.4). A bone that is not below its parent bone keeps 40 % of its confidence.
 */
export function matchNames(skeleton: Skeleton): NameMatches {
  const rig = createNamedRig(skeleton);
  const candidates = [...mapByConventions(rig).slice(0, LOOKED_AT), mapByWords(rig)];
  candidates.sort((a, b) => b.score - a.score);
  const [best, ...others] = candidates;
  const nodes = best.nodes.slice();
  const confidences = best.confidences.slice();
  fillMissingBones(rig, nodes, confidences, others);
  repairTrunk(rig, nodes, confidences, best.from);
  fillMissingBones(rig, nodes, confidences, others);
  repairFaults(rig, nodes, confidences, candidates);
  let confidence = finalConfidences(rig, nodes, confidences, candidates);
  if (preferHigherConfidences(rig, nodes, confidence, candidates)) {
    confidence = finalConfidences(rig, nodes, confidence, candidates);
  }
  return { rig, candidates, mapping: checkMap(rig, { nodes, confidence, from: best.from }) };
}

/** Lists the missing, misplaced and duplicate bones of a map. */
export function checkMap(rig: NamedRig, map: BoneMap): NameMapping {
  const { nodes } = map;
  const faults = hierarchyFaults(rig.tree.parents, nodes);
  const missing = REQUIRED_BONES.filter((bone) => nodes[BONE[bone]] < 0);
  const issues = [
    ...reportMissing(missing),
    ...reportFaults(rig.skeleton, nodes, faults),
    ...reportDuplicates(rig, nodes),
  ];
  return { map, missing, issues };
}

/** Takes the highest confidence among the candidates that agree with the map, reduced for hierarchy faults. */
function finalConfidences(
  { tree }: NamedRig,
  nodes: Int32Array,
  confidences: Float32Array,
  candidates: readonly CandidateMap[],
): Float32Array {
  const faults = hierarchyFaults(tree.parents, nodes);
  const out = new Float32Array(BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    let most = confidences[bone];
    for (const other of candidates)
      if (other.nodes[bone] === nodes[bone]) most = Math.max(most, other.confidences[bone]);
    out[bone] = most * (faults[bone] === 1 ? FAULTY : 1);
  }
  return out;
}

function reportMissing(missing: readonly BoneName[]): Issue[] {
  if (missing.length === 0) return [];
  return [
    issue(
      'BONE_MISSING',
      `No node was found for ${missing.join(', ')}. If the skeleton has them, assign their nodes in a bone map.`,
    ),
  ];
}

/**
 * Reports bones whose nearest bone above is not their parent bone. Retargeting keeps those outside of their parent bone at their offset from it (see
 * `plan-detached-joints.ts`); those that are below another bone as well move with that bone.
 */
function reportFaults({ names, parents }: Skeleton, nodes: Int32Array, faults: Uint8Array): Issue[] {
  const faulty = BONES.flatMap((_, bone) => (faults[bone] === 1 ? [bone] : []));
  const isOutside = (bone: number): boolean => {
    const parent = presentParent(bone, nodes);
    return parent >= 0 && !isAncestor(parents, nodes[parent], nodes[bone]);
  };
  const list = (bones: readonly number[]): string =>
    bones.map((bone) => `${BONES[bone]} (${names[nodes[bone]]})`).join(', ');
  const report = (bones: readonly number[], what: string): Issue[] => {
    if (bones.length === 0) return [];
    return [issue('BONE_HIERARCHY', `${what}: ${list(bones)}. If a node is wrong, correct the bone map.`)];
  };
  return [
    ...report(
      faulty.filter(isOutside),
      'Nodes are not below those of their parent bones; on a character, they are moved so that they stay there',
    ),
    ...report(
      faulty.filter((bone) => !isOutside(bone)),
      'Nodes are below a bone that is not their parent bone; they are rotated correctly, but move along with it',
    ),
  ];
}

/** Reports bones whose node shares its name with other nodes that suit as well. */
function reportDuplicates({ skeleton, quality, readings }: NamedRig, nodes: Int32Array): Issue[] {
  const { names, parents } = skeleton;
  const good = new Map<string, number[]>();
  for (const [node, name] of names.entries()) {
    if (quality[node] < 0 || readings[node].part === null || readings[node].helper) continue;
    const same = good.get(name);
    if (same === undefined) good.set(name, [node]);
    else same.push(node);
  }
  const found: string[] = [];
  for (const [bone, node] of nodes.entries()) {
    if (node < 0 || (readings[node].side === '' && /^(?:left|right)/.test(BONES[bone]))) continue;
    // An armature above may have the name of its first bone.
    const same = (good.get(names[node]) ?? []).filter((other) => !isAncestor(parents, other, node));
    if (same.length > 1) found.push(`${BONES[bone]} (${same.length} nodes named ${names[node]})`);
  }
  if (found.length === 0) return [];
  return [
    issue(
      'BONE_DUPLICATE',
      `Several nodes share the name of a bone, and one of them was used: ${found.join(', ')}. Check the bone map.`,
    ),
  ];
}

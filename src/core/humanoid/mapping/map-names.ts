/** Which node is which bone, by names: conventions and words give candidates, the tree decides between them. */
import { type Issue, issue } from '../../report/issue.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT, BONES, type BoneName, REQUIRED_BONES } from '../bones.ts';
import type { BoneMap } from '../humanoid.ts';
import type { CandidateMap } from './candidate-map.ts';
import { hierarchyFaults } from './check-map.ts';
import { fillFrom, mendFaults } from './fill-map.ts';
import { mapByConventions } from './map-conventions.ts';
import { mapByWords } from './map-words.ts';
import { mendTrunk } from './mend-trunk.ts';
import { type Rig, readRig } from './rig.ts';

/** A bone map and what is to be said about it. */
export interface NameMapping {
  /** `from` is the naming convention that fitted best, or `words` where the words of the names tell more than any. */
  readonly map: BoneMap;
  /** Required bones that were not found. */
  readonly missing: readonly BoneName[];
  readonly issues: readonly Issue[];
}

/** The mapping of a rig by its names, and what it was chosen from. */
export interface NameReadings {
  readonly rig: Rig;
  readonly mapping: NameMapping;
  /** Every reading, best first. */
  readonly candidates: readonly CandidateMap[];
}

/** Conventions that are looked at for what the best one does not name. */
const LOOKED_AT = 12;
/** Share of the confidence that a bone keeps when it does not hang below its parent bone. */
const FAULTY = 0.4;

/**
 * Maps a skeleton by the names and the tree of its nodes; positions are not looked at.
 *
 * Every known convention and a lexicon of body words read the rig. The best reading (most bones that hang together as
 * in a body; then exact spelling) is taken and the others fill its holes where the tree allows it. Then the tree has
 * its say: hips are above both legs and the spine, a spine of any number of bones is spread over spine, chest and
 * upperChest.
 *
 * Confidence: 1 for the names of one known convention, less for what other conventions, words (0.4…0.6) or the tree
 * alone (0.4) tell; a bone that does not hang below its parent bone keeps 40 % of it.
 */
export function mapByNames(skeleton: Skeleton): NameMapping {
  return readByNames(skeleton).mapping;
}

/** {@link mapByNames}, and the readings that it was chosen from. */
export function readByNames(skeleton: Skeleton): NameReadings {
  const rig = readRig(skeleton);
  const candidates = [...mapByConventions(rig).slice(0, LOOKED_AT), mapByWords(rig)];
  candidates.sort((a, b) => b.score - a.score);
  const [best, ...others] = candidates;
  const nodes = best.nodes.slice();
  const sure = best.sure.slice();
  fillFrom(rig, nodes, sure, others);
  mendTrunk(rig, nodes, sure, best.from);
  fillFrom(rig, nodes, sure, others);
  mendFaults(rig, nodes, sure, candidates);
  const faults = hierarchyFaults(skeleton.parents, nodes);
  const confidence = confidences(nodes, sure, faults, candidates);
  return { rig, candidates, mapping: mappingOf(rig, { nodes, confidence, from: best.from }) };
}

/** A map with what it lacks and what is odd about it. */
export function mappingOf(rig: Rig, map: BoneMap): NameMapping {
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

function confidences(
  nodes: Int32Array,
  sure: Float32Array,
  faults: Uint8Array,
  candidates: readonly CandidateMap[],
): Float32Array {
  const out = new Float32Array(BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] < 0) continue;
    let most = sure[bone];
    for (const other of candidates) if (other.nodes[bone] === nodes[bone]) most = Math.max(most, other.sure[bone]);
    out[bone] = most * (faults[bone] === 1 ? FAULTY : 1);
  }
  return out;
}

function reportMissing(missing: readonly BoneName[]): Issue[] {
  if (missing.length === 0) return [];
  return [issue('BONE_MISSING', `No node was found for ${missing.join(', ')}; name them in a bone map if they exist.`)];
}

function reportFaults({ names }: Skeleton, nodes: Int32Array, faults: Uint8Array): Issue[] {
  const faulty = BONES.filter((_, bone) => faults[bone] === 1);
  if (faulty.length === 0) return [];
  const list = faulty.map((bone) => `${bone} (${names[nodes[BONE[bone]]]})`).join(', ');
  return [
    issue(
      'BONE_HIERARCHY',
      `Not below the bones that they belong to: ${list}. They will turn as they should, but not move along with the ` +
        'body; check the bone map.',
    ),
  ];
}

/** Nodes of one name that are equally good as one bone. */
function reportDuplicates({ skeleton, quality, readings }: Rig, nodes: Int32Array): Issue[] {
  const { names } = skeleton;
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
    const same = good.get(names[node]) ?? [];
    if (same.length > 1) found.push(`${BONES[bone]} (${same.length} nodes named ${names[node]})`);
  }
  if (found.length === 0) return [];
  return [issue('BONE_DUPLICATE', `One of several nodes was taken for ${found.join(', ')}; check the bone map.`)];
}

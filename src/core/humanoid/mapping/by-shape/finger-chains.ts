import { distance } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { isDescendant } from '../node-tree.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/** Maximum number of joints of a finger, with metacarpal and end joint. */
const LONGEST = 8;
const MAX_CHAINS = 16;
/** Chains that start further from the hand than this do not belong to it (twist joints), in forearm lengths. */
const NEAR_HAND = 0.35;
/** Maximum distance of coincident joints, in forearm lengths. */
const SAME = 0.02;
/**
 * A first joint is in the palm when it is nearer to the wrist than this, as a fraction of the distance of the second.
 * Knuckles have 0.64 and more, metacarpals 0.23 to 0.55.
 */
const METACARPAL = 0.6;
/** Minimum number of joints of a finger that may start in the palm, and of the chains of such a hand. */
const PALM_JOINTS = 3;
const PALM_CHAINS = 3;
/** A joint in the palm is nearer to the wrist than this, in forearm lengths: the elbow, from which a thumb may start, is not. */
const PALM = 0.9;
/** Chains that are longer than the others by this factor are props. */
const PROP = 2;
/** Maximum difference of the lengths of a finger on both hands, as a fraction. */
const UNLIKE = 0.25;
const MAX_FINGERS = 5;

export interface FingerChain {
  readonly nodes: readonly number[];
  /** Number of joints, with an end joint that only the other hand has. */
  readonly joints: number;
  /** Index of the knuckle in `nodes`: 1 after a joint in the palm. */
  readonly knuckle: number;
  /** Position of the hand joint, model space. */
  readonly wrist: Vec3;
}

/** Lists the joints that fingers may start with: children of the hand, of coincident palms, and chains that start beside it. */
function startsOf(rig: PosedRig, lower: number, hand: number, length: number): number[] {
  const wrist = positionOf(rig, hand);
  const starts = [...rig.joints[hand]];
  for (const sibling of rig.joints[rig.tree.parents[hand]] ?? []) {
    if (sibling === hand || !isDescendant(rig.tree, hand, lower)) continue;
    const far = distance(positionOf(rig, sibling), wrist);
    if (far < SAME * length) starts.push(...rig.joints[sibling]);
    else if (far < NEAR_HAND * length && rig.sizes[sibling] > 1) starts.push(sibling);
  }
  return starts;
}

/** Lists the chains of a hand; joints that several chains share belong to none. */
function chainsOf(rig: PosedRig, lower: number, hand: number, length: number): FingerChain[] {
  const wrist = positionOf(rig, hand);
  const chains: FingerChain[] = [];
  const waiting = startsOf(rig, lower, hand, length);
  for (let start = waiting.pop(); start !== undefined && chains.length < MAX_CHAINS; start = waiting.pop()) {
    const below = rig.joints[start].filter((node) => rig.sizes[node] > 1);
    if (below.length > 1) {
      waiting.push(...below);
      continue;
    }
    const nodes = [start];
    for (let node = start; nodes.length < LONGEST; ) {
      const next = furthest(rig, node);
      if (next < 0) break;
      nodes.push(next);
      node = next;
    }
    chains.push({ nodes, joints: nodes.length, knuckle: 0, wrist });
  }
  return chains;
}

function furthest(rig: PosedRig, node: number): number {
  let best = -1;
  for (const child of rig.joints[node]) {
    if (best < 0 || rig.lengths[child] + rig.reach[child] > rig.lengths[best] + rig.reach[best]) best = child;
  }
  return best;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Distances from the wrist to the first joint of a chain, and on to each of the others. */
function distancesOf(rig: PosedRig, { nodes, wrist }: FingerChain): number[] {
  return nodes.map((node, k) => (k === 0 ? distance(wrist, positionOf(rig, node)) : rig.lengths[node]));
}

/**
 * Keeps the chains that both hands have, by the distances between joints; each has one counterpart, the most similar one. A chain may have an end joint
 * that its counterpart lacks, which is cut off. A prop in one hand is not a finger.
 */
function inBoth(rig: PosedRig, hands: readonly (readonly FingerChain[])[]): FingerChain[][] {
  const pairs: {
    readonly fingers: readonly FingerChain[];
    readonly chains: readonly FingerChain[];
    readonly deviation: number;
  }[] = [];
  for (const chain of hands[0]) {
    for (const other of hands[1]) {
      const chains = [chain, other];
      const counts = chains.map(({ nodes }) => nodes.length);
      if (Math.abs(counts[0] - counts[1]) > 1) continue;
      const joints = Math.max(...counts);
      const fingers = chains.map((one) => ({ ...one, nodes: one.nodes.slice(0, Math.min(...counts)), joints }));
      const [a, b] = fingers.map((finger) => distancesOf(rig, finger));
      const longer = Math.max(sum(a), sum(b));
      // A thumb of one joint may start at the wrist: then its length is 0.
      const deviation = longer === 0 ? 0 : sum(a.map((length, k) => Math.abs(length - b[k]))) / longer;
      if (Math.abs(sum(a) - sum(b)) <= UNLIKE * longer) pairs.push({ fingers, chains, deviation });
    }
  }
  pairs.sort((one, two) => one.deviation - two.deviation);
  const kept = new Map<FingerChain, FingerChain>();
  for (const { fingers, chains } of pairs) {
    if (chains.some((chain) => kept.has(chain))) continue;
    for (const [side, chain] of chains.entries()) kept.set(chain, fingers[side]);
  }
  return hands.map((chains) => chains.flatMap((chain) => kept.get(chain) ?? []));
}

/** Removes first joints at the position of the wrist. */
function fromWrist(rig: PosedRig, chains: readonly FingerChain[], length: number): FingerChain[] {
  return chains.map((chain) => {
    const { nodes, wrist } = chain;
    const isAtWrist = nodes.length > 1 && distance(positionOf(rig, nodes[0]), wrist) < SAME * length;
    return isAtWrist ? { ...chain, nodes: nodes.slice(1), joints: chain.joints - 1 } : chain;
  });
}

function startsInPalm(rig: PosedRig, { nodes, joints, wrist }: FingerChain): boolean {
  if (joints < PALM_JOINTS) return false;
  const [first, second] = nodes.map((node) => distance(wrist, positionOf(rig, node)));
  return first < METACARPAL * second;
}

/** Tests whether a chain starts at a joint in the palm that it shares with others: such a joint belongs to none. */
function sharesPalm(rig: PosedRig, { nodes, wrist }: FingerChain, length: number): boolean {
  const parent = rig.tree.parents[nodes[0]];
  const far = parent < 0 ? 0 : distance(positionOf(rig, parent), wrist);
  return far > SAME * length && far < PALM * length;
}

/**
 * Finds the knuckles of a hand. All fingers start in the palm, or none; the thumb always starts there, and has one joint
 * less than fingers with palm joints. So have fingers that share theirs, as Rigify's index finger and thumb.
 */
function withKnuckles(rig: PosedRig, chains: readonly FingerChain[], length: number): FingerChain[] {
  const shared = chains.map((chain) => sharesPalm(rig, chain, length));
  // A base of all fingers is no joint in the palm of some.
  const haveTheirs = shared.map((shares) => shares && shared.includes(false));
  const inPalm = chains.map((chain, k) => !haveTheirs[k] && startsInPalm(rig, chain));
  const count = inPalm.filter((own, k) => own || haveTheirs[k]).length;
  const hasPalms = chains.length >= PALM_CHAINS && inPalm.includes(true) && count >= chains.length - 1;
  const most = Math.max(...chains.map(({ joints }) => joints));
  return chains.map((chain, k) => {
    const isInPalm = hasPalms ? inPalm[k] && chain.joints === most : isShared(rig, chain, chains, length);
    return { ...chain, knuckle: isInPalm ? 1 : 0 };
  });
}

/** Tests whether a finger of more than three joints starts at the same position as another one. */
function isShared(rig: PosedRig, chain: FingerChain, chains: readonly FingerChain[], length: number): boolean {
  const first = positionOf(rig, chain.nodes[0]);
  const isSame = (other: FingerChain): boolean => distance(first, positionOf(rig, other.nodes[0])) < SAME * length;
  return chain.joints > 3 && chains.some((other) => other !== chain && isSame(other));
}

/** Keeps the chains that can be fingers: the five that are most similar in length; single joints only when there are several. */
function likely(rig: PosedRig, chains: readonly FingerChain[]): FingerChain[] {
  const long = chains.filter(({ nodes }) => nodes.length > 1);
  const some =
    long.length > 1 || (long.length === 1 && chains.length === 1) ? long : chains.length > 1 ? [...chains] : [];
  const lengths = new Map(some.map((chain) => [chain, sum(distancesOf(rig, chain))]));
  const length = (chain: FingerChain): number => lengths.get(chain) ?? 0;
  const sorted = [...some].sort((a, b) => length(b) - length(a));
  const usual = sorted.length === 0 ? 0 : length(sorted[(sorted.length - 1) >> 1]);
  const fingers = sorted.filter((chain) => length(chain) <= PROP * usual);
  const deviation = (chain: FingerChain): number => Math.abs(length(chain) - usual);
  return fingers.sort((a, b) => deviation(a) - deviation(b)).slice(0, MAX_FINGERS);
}

/** Finds the chains of both hands that can be fingers. `length`: length of the forearm, units of the file. */
export function findFingerChains(
  rig: PosedRig,
  arms: readonly (readonly [number, number, number])[],
  length: number,
): FingerChain[][] {
  const found = arms.map(([, lower, hand]) => fromWrist(rig, chainsOf(rig, lower, hand, length), length));
  return inBoth(rig, found).map((chains) => withKnuckles(rig, likely(rig, chains), length));
}

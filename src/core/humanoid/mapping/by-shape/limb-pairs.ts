/**
 * Finds pairs of limbs: two chains that branch off from one node and have equal lengths, joint by joint. Lengths do
 * not depend on the pose, the order of children, axes or units.
 */

import { distance, pointOf } from '../../../math/triples.ts';
import type { PosedRig } from './posed-rig.ts';

/** Two chains of joints that mirror each other, from the trunk outwards. Left and right are not known yet. */
export interface LimbPair {
  /** The node that both chains branch off from. */
  readonly parent: number;
  /** Joints of each side, the same number on both. */
  readonly sides: readonly [readonly number[], readonly number[]];
  /** End markers after the last joints; null where the chains have none. */
  readonly tips: readonly [number, number] | null;
  /** Length from the first joint to the last joint or the tip, mean of both sides. */
  readonly length: number;
}

/** Maximum difference of corresponding lengths, as a fraction: actors are not symmetric, and hands hold things. */
const UNLIKE = 0.15;
/** Additional difference for joints that nearly coincide, as a fraction of the rest of the chain. */
const UNLIKE_REACH = 0.02;
/** Maximum number of children to compare, the longest chains: a trunk has few limbs. */
const BRANCHES = 12;
/** Maximum number of children with equal numbers of joints: a skirt has many panels. */
const BRANCHES_OF_KIND = 4;
/** Maximum number of joints of a limb: with shoulder, serial twists, hand and finger it rarely has more than a dozen. */
const LONGEST = 24;
/** Maximum number of pairs per node and in total, the longest ones. Arms and legs are among them, skirts need not be. */
const PAIRS_OF_NODE = 8;
/** Maximum number of pairs per node with equal numbers of joints: the panels of a skirt are all similar. */
const PAIRS_OF_KIND = 3;
const PAIRS = 24;
/** Minimum length of a limb, as a fraction of the longest pair; fingers and hair are shorter. */
const SHORTEST = 0.08;

/** Tests whether two nodes are at similar distances from their parents. */
function haveSimilarLengths({ lengths, reach }: PosedRig, a: number, b: number): boolean {
  const most = Math.max(lengths[a], lengths[b]);
  return Math.abs(lengths[a] - lengths[b]) <= UNLIKE * most + UNLIKE_REACH * Math.max(reach[a], reach[b], most);
}

/** Lists the children with the longest chains, and of those with equal numbers of joints only the longest ones. */
function longestChildren(rig: PosedRig, node: number): readonly number[] {
  const all = rig.joints[node];
  if (all.length <= BRANCHES) return all;
  const far = (child: number): number => rig.lengths[child] + rig.reach[child];
  const counts = new Map<number, number>();
  const different = [...all]
    .sort((a, b) => far(b) - far(a) || rig.sizes[b] - rig.sizes[a])
    .filter((child) => {
      const count = (counts.get(rig.sizes[child]) ?? 0) + 1;
      counts.set(rig.sizes[child], count);
      return count <= BRANCHES_OF_KIND;
    });
  return different.slice(0, BRANCHES);
}

/** Returns the length that the chains of two similar nodes have in common. */
function commonLength({ lengths, reach }: PosedRig, a: number, b: number): number {
  return Math.min(lengths[a] + reach[a], lengths[b] + reach[b]);
}

/** Follows two chains down while they are similar; at branches it takes the children with the longest chains. */
function followPair(rig: PosedRig, parent: number, first: number, second: number): LimbPair {
  const sides: [number[], number[]] = [[first], [second]];
  let length = 0;
  let [a, b] = [first, second];
  while (sides[0].length < LONGEST) {
    let [nextA, nextB, best] = [-1, -1, -1];
    for (const c of longestChildren(rig, a)) {
      for (const d of longestChildren(rig, b)) {
        // Coincident palms differ by the number of nodes below them.
        const value = commonLength(rig, c, d) * (1 + 1e-3 * Math.min(rig.sizes[c], rig.sizes[d]));
        if (value <= best || !haveSimilarLengths(rig, c, d)) continue;
        [nextA, nextB, best] = [c, d, value];
      }
    }
    if (nextA < 0 || endsBefore(rig, [a, b])) break;
    length += (rig.lengths[nextA] + rig.lengths[nextB]) / 2;
    [a, b] = [nextA, nextB];
    sides[0].push(a);
    sides[1].push(b);
  }
  const tips = endsBefore(rig, [a, b]) ? tipsOf(rig, a, b) : null;
  if (tips !== null) length += (rig.lengths[tips[0]] + rig.lengths[tips[1]]) / 2;
  return { parent, sides, tips, length };
}

/** Finds the end markers of two joints: the furthest ones that are similar. */
function tipsOf(rig: PosedRig, a: number, b: number): [number, number] | null {
  let tips: [number, number] | null = null;
  let far = 0;
  for (const c of rig.ends[a].slice(0, BRANCHES)) {
    for (const d of rig.ends[b].slice(0, BRANCHES)) {
      if (rig.lengths[c] <= far || !haveSimilarLengths(rig, c, d)) continue;
      tips = [c, d];
      far = rig.lengths[c];
    }
  }
  return tips;
}

/** An end marker that is further away than a twist joint by this factor is the end of the chain. */
const BEYOND = 1.02;

/** Tests whether both chains end with their end markers: beside them there are only twist joints, which are nearer. */
function endsBefore(rig: PosedRig, last: readonly [number, number]): boolean {
  const tips = tipsOf(rig, last[0], last[1]);
  if (tips === null) return false;
  return last.every((node, side) => {
    return rig.joints[node].every(
      (child) => rig.sizes[child] === 1 && rig.lengths[tips[side]] > BEYOND * rig.lengths[child],
    );
  });
}

/** Finds the pairs of limbs of a rig. A limb has at least three joints, or two and an end marker (its foot or hand is parented to another node). */
export function limbPairs(rig: PosedRig): LimbPair[] {
  const all: LimbPair[] = [];
  for (let parent = 0; parent < rig.joints.length; parent++) {
    if (rig.joints[parent].length < 2) continue;
    const children = longestChildren(rig, parent);
    const pairs: LimbPair[] = [];
    for (let i = 0; i < children.length; i++) {
      for (let j = i + 1; j < children.length; j++) {
        const [a, b] = [children[i], children[j]];
        if (rig.reach[a] === 0 || rig.reach[b] === 0 || !haveSimilarLengths(rig, a, b)) continue;
        const pair = followPair(rig, parent, a, b);
        const joints = pair.sides[0].length + (pair.tips === null ? 0 : 1);
        if (joints >= 3 && areApart(rig, pair)) pairs.push(pair);
      }
    }
    all.push(...differentPairs(rig, pairs).slice(0, PAIRS_OF_NODE));
  }
  all.sort((a, b) => b.length - a.length);
  const least = SHORTEST * (all[0]?.length ?? 0);
  return all.filter(({ length }) => length > least).slice(0, PAIRS);
}

/** Sorts pairs by length, and leaves out further pairs with the same numbers of joints. */
function differentPairs({ sizes }: PosedRig, pairs: LimbPair[]): LimbPair[] {
  const counts = new Map<string, number>();
  return pairs
    .sort((a, b) => b.length - a.length)
    .filter(({ sides: [a, b] }) => {
      const kind = `${a.length} ${Math.min(sizes[a[0]], sizes[b[0]])} ${Math.max(sizes[a[0]], sizes[b[0]])}`;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= PAIRS_OF_KIND;
    });
}

function areApart(rig: PosedRig, { sides, length }: LimbPair): boolean {
  return sides[0].some((node, k) => {
    const far = distance(pointOf(rig.positions, node), pointOf(rig.positions, sides[1][k]));
    return far > UNLIKE_REACH * length;
  });
}

/** Lists the last joints and end markers of pairs. */
export function endsOfPairs(pairs: readonly LimbPair[]): number[] {
  return pairs.flatMap(({ sides, tips }) => [...sides.flatMap((side) => side.slice(-2)), ...(tips ?? [])]);
}

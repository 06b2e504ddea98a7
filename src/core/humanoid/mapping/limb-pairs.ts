/**
 * Limbs come in pairs: two chains that leave one node and have the same lengths, joint by joint. Lengths do not depend on the
 * pose, the order of children, axes or units.
 */
import type { BodyTree } from './body-tree.ts';
import { distance, pointOf } from './points.ts';

/** Two chains of joints that mirror each other, from the trunk outwards. Which one is left is not known yet. */
export interface LimbPair {
  /** The node that both leave. */
  readonly parent: number;
  /** Joints of one side and of the other, as many on both. */
  readonly sides: readonly [readonly number[], readonly number[]];
  /** Where both chains end in markers that are no joints, those; else null. */
  readonly tips: readonly [number, number] | null;
  /** Way from the first joint to the last, or to the tip; the mean of both sides. */
  readonly length: number;
}

/** Lengths of the two sides may differ by this share: actors are not symmetric, and hands hold things. */
const UNLIKE = 0.15;
/** And by this share of all that follows, for joints that nearly coincide. */
const UNLIKE_REACH = 0.02;
/** Children of one node that are looked at, those that reach furthest: a trunk has few limbs. */
const BRANCHES = 12;
/** Joints of one limb: with shoulder, twists in a row, hand and finger it has hardly more than a dozen. */
const LONGEST = 24;
/** Pairs that are looked at, of one node and in all, the longest: arms and legs are among them in every body, skirts need not be. */
const PAIRS_OF_NODE = 6;
const PAIRS = 16;
/** A limb is no shorter than this share of the longest pair: fingers and hair are. */
const SHORTEST = 0.15;

/** Whether two nodes are as far from their parents. */
function alike({ lengths, reach }: BodyTree, a: number, b: number): boolean {
  const most = Math.max(lengths[a], lengths[b]);
  return Math.abs(lengths[a] - lengths[b]) <= UNLIKE * most + UNLIKE_REACH * Math.max(reach[a], reach[b], most);
}

/** The children that reach furthest, as many as are looked at. */
function branches(body: BodyTree, node: number): readonly number[] {
  const all = body.joints[node];
  if (all.length <= BRANCHES) return all;
  const far = (child: number): number => body.lengths[child] + body.reach[child];
  return [...all].sort((a, b) => far(b) - far(a) || body.sizes[b] - body.sizes[a]).slice(0, BRANCHES);
}

/** How far two chains go on together below two nodes that are alike. */
function common({ lengths, reach }: BodyTree, a: number, b: number): number {
  return Math.min(lengths[a] + reach[a], lengths[b] + reach[b]);
}

/** Follows two chains down as long as they are alike; of several ways the one that goes furthest. */
function follow(body: BodyTree, parent: number, first: number, second: number): LimbPair {
  const sides: [number[], number[]] = [[first], [second]];
  let length = 0;
  let [a, b] = [first, second];
  while (sides[0].length < LONGEST) {
    let [nextA, nextB, best] = [-1, -1, -1];
    for (const c of branches(body, a)) {
      for (const d of branches(body, b)) {
        // Palms that coincide are told apart by what hangs on them.
        const value = common(body, c, d) * (1 + 1e-3 * Math.min(body.sizes[c], body.sizes[d]));
        if (value <= best || !alike(body, c, d)) continue;
        [nextA, nextB, best] = [c, d, value];
      }
    }
    if (nextA < 0) break;
    length += (body.lengths[nextA] + body.lengths[nextB]) / 2;
    [a, b] = [nextA, nextB];
    sides[0].push(a);
    sides[1].push(b);
  }
  const tips = tipsOf(body, a, b);
  if (tips !== null) length += (body.lengths[tips[0]] + body.lengths[tips[1]]) / 2;
  return { parent, sides, tips, length };
}

/** The end markers of two joints without joints below them, the furthest that are alike. */
function tipsOf(body: BodyTree, a: number, b: number): [number, number] | null {
  if (body.joints[a].length > 0 || body.joints[b].length > 0) return null;
  let tips: [number, number] | null = null;
  let far = 0;
  for (const c of body.ends[a].slice(0, BRANCHES)) {
    for (const d of body.ends[b].slice(0, BRANCHES)) {
      if (body.lengths[c] <= far || !alike(body, c, d)) continue;
      tips = [c, d];
      far = body.lengths[c];
    }
  }
  return tips;
}

/**
 * The pairs of limbs of a body, longest first. A limb has three joints, or two and an end marker (its foot or hand hangs
 * somewhere else).
 */
export function limbPairs(body: BodyTree): LimbPair[] {
  const all: LimbPair[] = [];
  for (let parent = 0; parent < body.joints.length; parent++) {
    if (body.joints[parent].length < 2) continue;
    const children = branches(body, parent);
    const pairs: LimbPair[] = [];
    for (let i = 0; i < children.length; i++) {
      for (let j = i + 1; j < children.length; j++) {
        const [a, b] = [children[i], children[j]];
        if (body.reach[a] === 0 || body.reach[b] === 0 || !alike(body, a, b)) continue;
        const pair = follow(body, parent, a, b);
        const joints = pair.sides[0].length + (pair.tips === null ? 0 : 1);
        if (joints >= 3 && areApart(body, pair)) pairs.push(pair);
      }
    }
    all.push(...pairs.sort((a, b) => b.length - a.length).slice(0, PAIRS_OF_NODE));
  }
  all.sort((a, b) => b.length - a.length);
  const least = SHORTEST * (all[0]?.length ?? 0);
  return all.filter(({ length }) => length > least).slice(0, PAIRS);
}

/** Whether the two chains of a pair are not in one place. */
function areApart(body: BodyTree, { sides, length }: LimbPair): boolean {
  return sides[0].some((node, k) => {
    const far = distance(pointOf(body.positions, node), pointOf(body.positions, sides[1][k]));
    return far > UNLIKE_REACH * length;
  });
}

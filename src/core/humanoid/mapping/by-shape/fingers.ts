/** Finds fingers by shape: chains that fan out from a hand, identified by their order across it. */

import { isDescendant } from '../node-tree.ts';
import { cosine, distance, dot, minus, norm, perpendicular, plus, times, unit, type Vec } from '../vectors.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

/** Joints of a finger from the palm outwards, three at most. */
export type Finger = readonly number[];

/** The fingers of one hand. */
export interface HandFit {
  /** The thumb; null where the hand has none. */
  readonly thumb: Finger | null;
  /**
   * The other fingers in the order of their knuckles. The first is the index finger if a thumb or the front shows the
   * order.
   */
  readonly others: readonly Finger[];
  /** Whether the order of the other fingers is known. */
  readonly isOrdered: boolean;
  /** Direction from the wrist to the thumb, across the hand; null without a thumb. */
  readonly thumbDirection: Vec | null;
}

/** Maximum number of joints of a finger, with metacarpal and end joint. */
const LONGEST = 8;
/** Maximum number of chains per hand. */
const MAX_CHAINS = 16;
/** Chains that start further from the hand than this do not belong to it (twist joints), in forearm lengths. */
const NEAR_HAND = 0.35;
/** Maximum distance of coincident joints, in forearm lengths. */
const SAME = 0.02;
/**
 * A first joint this near to the wrist is in the palm: as a fraction of the distance to the last joint, and in
 * forearm lengths. Knuckles have 0.37 to 0.5 and 0.3 (short-fingered toys 0.29 and 0.27), metacarpals 0.2 to 0.32 and
 * 0.12 to 0.19.
 */
const METACARPAL = 0.33;
const METACARPAL_BY_ARM = 0.22;
/** Maximum difference of the lengths of a finger on both hands, as a fraction. */
const UNLIKE = 0.25;
/** Minimum difference of a thumb from the other fingers. Thumbs reach 2 and more, other fingers at most 0.6. */
const THUMB = 1;
/** An angle that counts 1 in that difference, radians. */
const THUMB_ANGLE = Math.PI / 4;
/** Weight of a base that is nearer to the wrist than the knuckles. */
const THUMB_BASE = 1.5;
const MAX_FINGERS = 5;

interface Chain {
  readonly nodes: readonly number[];
  readonly wrist: Vec;
  /** Length of the forearm, units of the file. */
  readonly arm: number;
}

/**
 * Lists the joints that fingers may start with: children of the hand, of coincident palms, and chains that start
 * beside it.
 */
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
function chainsOf(rig: PosedRig, lower: number, hand: number, length: number): Chain[] {
  const wrist = positionOf(rig, hand);
  const chains: Chain[] = [];
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
    chains.push({ nodes, wrist, arm: length });
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

/** Returns the length from the wrist along a chain to its last joint. */
function chainLength(rig: PosedRig, { nodes, wrist }: Chain): number {
  return nodes.slice(1).reduce((sum, node) => sum + rig.lengths[node], distance(wrist, positionOf(rig, nodes[0])));
}

/** Keeps the chains that both hands have, by number of joints and length. A prop in one hand is not a finger. */
function inBoth(rig: PosedRig, chains: readonly Chain[], others: readonly Chain[]): Chain[] {
  return chains.filter((chain) => {
    const way = chainLength(rig, chain);
    return others.some((other) => {
      const otherWay = chainLength(rig, other);
      return other.nodes.length === chain.nodes.length && Math.abs(way - otherWay) <= UNLIKE * Math.max(way, otherWay);
    });
  });
}

/** Removes the joints in the palm: joints at the wrist, joints that several chains start with, metacarpals. */
function fromKnuckles(rig: PosedRig, chains: readonly Chain[], length: number): Chain[] {
  const isSame = (a: Vec, b: Vec): boolean => distance(a, b) < SAME * length;
  return chains.map((chain) => {
    const { wrist } = chain;
    let nodes = chain.nodes;
    if (nodes.length > 1 && isSame(positionOf(rig, nodes[0]), wrist)) nodes = nodes.slice(1);
    const isShared = chains.some((other) => {
      return other !== chain && isSame(positionOf(rig, other.nodes[0]), positionOf(rig, chain.nodes[0]));
    });
    if (nodes.length > 3 && isShared) nodes = nodes.slice(1);
    return { ...chain, nodes };
  });
}

/** Returns the index of the knuckle in the chain of a finger. */
function knuckleOf(rig: PosedRig, chain: Chain): number {
  const far = distance(chain.wrist, positionOf(rig, chain.nodes[0]));
  const isInPalm = far < METACARPAL * chainLength(rig, chain) && far < METACARPAL_BY_ARM * chain.arm;
  return chain.nodes.length > 3 && isInPalm ? 1 : 0;
}

const tipOf = (rig: PosedRig, { nodes }: Chain): Vec => {
  const last = nodes[nodes.length - 1];
  return positionOf(rig, rig.ends[last][0] ?? last);
};

const mean = (points: readonly Vec[]): Vec => times(points.reduce(plus, [0, 0, 0] as Vec), 1 / points.length);
/** Returns the angle between two directions, radians; 0 when one has zero length. */
const angle = (a: Vec, b: Vec): number =>
  norm(a) * norm(b) > 0 ? Math.acos(Math.min(1, Math.max(-1, cosine(a, b)))) : 0;

/** Returns how much a chain differs from the others in the way thumbs do. */
function thumbness(rig: PosedRig, chain: Chain, others: readonly Chain[]): number {
  const { wrist } = chain;
  const knuckles = others.map((other) => positionOf(rig, other.nodes[knuckleOf(rig, other)]));
  const ahead = minus(mean(knuckles), wrist);
  const base = minus(positionOf(rig, chain.nodes[0]), wrist);
  const directions = others.map((other, k) => minus(tipOf(rig, other), knuckles[k]));
  const direction = minus(tipOf(rig, chain), positionOf(rig, chain.nodes[0]));
  const dists = knuckles.map((knuckle) => distance(knuckle, wrist)).sort((a, b) => a - b);
  const usual = dists[dists.length >> 1];
  return (
    angle(base, ahead) / THUMB_ANGLE +
    angle(direction, mean(directions)) / THUMB_ANGLE +
    (usual > 0 ? THUMB_BASE * (1 - norm(base) / usual) : 0)
  );
}

function findThumb(rig: PosedRig, chains: readonly Chain[]): Chain | null {
  if (chains.length < 2) return null;
  let best: Chain | null = null;
  let most = THUMB;
  for (const chain of chains) {
    const value = thumbness(
      rig,
      chain,
      chains.filter((other) => other !== chain),
    );
    if (value <= most) continue;
    most = value;
    best = chain;
  }
  return best;
}

/** Sorts fingers across the hand, starting at the thumb or the front; null where neither shows the order. */
function inOrder(rig: PosedRig, chains: readonly Chain[], towards: Vec | null): Chain[] | null {
  const knuckles = chains.map((chain) => positionOf(rig, chain.nodes[knuckleOf(rig, chain)]));
  let line: Vec = [0, 0, 0];
  for (const a of knuckles) for (const b of knuckles) if (distance(a, b) > norm(line)) line = minus(a, b);
  if (chains.length < 2) return [...chains];
  if (towards === null || norm(line) === 0 || dot(line, towards) === 0) return null;
  const sign = Math.sign(dot(line, towards));
  const order = chains.map((_, k) => k).sort((a, b) => sign * (dot(knuckles[b], line) - dot(knuckles[a], line)));
  return order.map((k) => chains[k]);
}

/** Identifies the fingers of one hand. `front` orders them without a thumb; null when unknown. */
function fitHand(rig: PosedRig, chains: readonly Chain[], front: Vec | null): HandFit {
  const thumb = findThumb(rig, chains);
  const fingers = chains.filter((chain) => chain !== thumb);
  const wrist = chains[0].wrist;
  const axis = unit(minus(mean(fingers.map((chain) => positionOf(rig, chain.nodes[knuckleOf(rig, chain)]))), wrist));
  const thumbDirection =
    thumb === null ? null : perpendicular(minus(mean(thumb.nodes.map((node) => positionOf(rig, node))), wrist), axis);
  const ordered = inOrder(rig, fingers, thumbDirection ?? front);
  const others = (ordered ?? fingers).map((chain) => chain.nodes.slice(knuckleOf(rig, chain)));
  // With four joints from the knuckle on, the last is an end joint, and thumbs have one as well.
  const ends = Math.max(0, ...others.map((nodes) => nodes.length - 3));
  const thumbJoints = thumb === null ? null : thumb.nodes.slice(0, Math.min(3, Math.max(1, thumb.nodes.length - ends)));
  return {
    thumb: thumbJoints,
    others: others.map((nodes) => nodes.slice(0, 3)),
    isOrdered: ordered !== null,
    thumbDirection,
  };
}

/** Keeps the chains that can be fingers: the five longest; single joints only when there are several. */
function likely(rig: PosedRig, chains: readonly Chain[]): Chain[] {
  const long = chains.filter(({ nodes }) => nodes.length > 1);
  const some =
    long.length > 1 || (long.length === 1 && chains.length === 1) ? long : chains.length > 1 ? [...chains] : [];
  return some.sort((a, b) => chainLength(rig, b) - chainLength(rig, a)).slice(0, MAX_FINGERS);
}

/**
 * Finds the fingers of both hands.
 *
 * @param rig The posed rig.
 * @param arms Joints of both arms: upper arm, lower arm, hand.
 * @param length Length of the forearm, units of the file.
 * @param front Unit direction to the front, for hands without a thumb; null when unknown.
 * @returns The fingers per arm; null for a hand without fingers.
 */
export function fitHands(
  rig: PosedRig,
  arms: readonly (readonly [number, number, number])[],
  length: number,
  front: Vec | null,
): readonly (HandFit | null)[] {
  const found = arms.map(([, lower, hand]) => fromKnuckles(rig, chainsOf(rig, lower, hand, length), length));
  return found.map((chains, side) => {
    const fingers = likely(rig, inBoth(rig, chains, found[1 - side]));
    return fingers.length === 0 ? null : fitHand(rig, fingers, front);
  });
}

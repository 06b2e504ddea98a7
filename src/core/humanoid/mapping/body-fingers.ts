/** Fingers by shape: the chains that fan out from a hand, told apart by their order across it. */
import { type BodyTree, place } from './body-tree.ts';
import { isBelow } from './node-tree.ts';
import { across, cosine, distance, dot, minus, norm, plus, times, unit, type Vec } from './points.ts';

/** The joints of a finger from the palm outwards, three at most. */
export type Finger = readonly number[];

/** The fingers of one hand. */
export interface HandFit {
  /** Null where the hand has none. */
  readonly thumb: Finger | null;
  /** In the order of the knuckles; the first is the index where a thumb or the front tells. */
  readonly others: readonly Finger[];
  /** Whether the order of the others is known. */
  readonly isOrdered: boolean;
  /** From the wrist to the thumb, across the hand; null without a thumb. */
  readonly thumbLine: Vec | null;
}

/** Joints of a finger at most, metacarpal and ends included. */
const LONGEST = 8;
/** Chains of one hand that are looked at. */
const MOST_CHAINS = 16;
/** What starts further from the hand than this, by the length of the fore-arm, is none of it (twist joints). */
const NEAR_HAND = 0.35;
/** Joints in one place, by the length of the fore-arm. */
const SAME = 0.02;
/**
 * A first joint this near to the wrist, by the way from there to the last joint and by the length of the fore-arm, is in the palm.
 * Knuckles are at 0.37 to 0.5 and at 0.3 (0.29 and 0.27 in short-fingered toys), metacarpals at 0.2 to 0.32 and at 0.12 to 0.19.
 */
const METACARPAL = 0.33;
const METACARPAL_BY_ARM = 0.22;
/** Fingers of both hands are as long, but for this share. */
const UNLIKE = 0.25;
/** How much a chain must be unlike the other fingers to be a thumb; thumbs come to 2 and more, other fingers to 0.6. */
const THUMB = 1;
/** An angle, radians, that counts one in that. */
const THUMB_ANGLE = Math.PI / 4;
/** A base nearer to the wrist than the knuckles counts this much. */
const THUMB_BASE = 1.5;
const MOST_FINGERS = 5;

interface Chain {
  readonly nodes: readonly number[];
  readonly wrist: Vec;
  /** Length of the fore-arm. */
  readonly arm: number;
}

/** The joints that fingers may start with: those of the hand, of palms in its place, and chains that start beside it. */
function startsOf(body: BodyTree, lower: number, hand: number, length: number): number[] {
  const wrist = place(body, hand);
  const starts = [...body.joints[hand]];
  for (const sibling of body.joints[body.tree.parents[hand]] ?? []) {
    if (sibling === hand || !isBelow(body.tree, hand, lower)) continue;
    const far = distance(place(body, sibling), wrist);
    if (far < SAME * length) starts.push(...body.joints[sibling]);
    else if (far < NEAR_HAND * length && body.sizes[sibling] > 1) starts.push(sibling);
  }
  return starts;
}

/** The chains of a hand; joints that several chains leave are no part of any. */
function chainsOf(body: BodyTree, lower: number, hand: number, length: number): Chain[] {
  const wrist = place(body, hand);
  const chains: Chain[] = [];
  const waiting = startsOf(body, lower, hand, length);
  for (let start = waiting.pop(); start !== undefined && chains.length < MOST_CHAINS; start = waiting.pop()) {
    const below = body.joints[start].filter((node) => body.sizes[node] > 1);
    if (below.length > 1) {
      waiting.push(...below);
      continue;
    }
    const nodes = [start];
    for (let node = start; nodes.length < LONGEST; ) {
      const next = furthest(body, node);
      if (next < 0) break;
      nodes.push(next);
      node = next;
    }
    chains.push({ nodes, wrist, arm: length });
  }
  return chains;
}

function furthest(body: BodyTree, node: number): number {
  let best = -1;
  for (const child of body.joints[node]) {
    if (best < 0 || body.lengths[child] + body.reach[child] > body.lengths[best] + body.reach[best]) best = child;
  }
  return best;
}

/** Way from the wrist along a chain to its last joint. */
function wayOf(body: BodyTree, { nodes, wrist }: Chain): number {
  return nodes.slice(1).reduce((sum, node) => sum + body.lengths[node], distance(wrist, place(body, nodes[0])));
}

/** Chains that both hands have: as many joints, as long. Props in one hand are no fingers. */
function inBoth(body: BodyTree, chains: readonly Chain[], others: readonly Chain[]): Chain[] {
  return chains.filter((chain) => {
    const way = wayOf(body, chain);
    return others.some((other) => {
      const otherWay = wayOf(body, other);
      return other.nodes.length === chain.nodes.length && Math.abs(way - otherWay) <= UNLIKE * Math.max(way, otherWay);
    });
  });
}

/** Takes off what is in the palm: joints on the wrist, joints that several chains start with, metacarpals. */
function fromKnuckles(body: BodyTree, chains: readonly Chain[], length: number): Chain[] {
  const isSame = (a: Vec, b: Vec): boolean => distance(a, b) < SAME * length;
  return chains.map((chain) => {
    const { wrist } = chain;
    let nodes = chain.nodes;
    if (nodes.length > 1 && isSame(place(body, nodes[0]), wrist)) nodes = nodes.slice(1);
    const isShared = chains.some((other) => {
      return other !== chain && isSame(place(body, other.nodes[0]), place(body, chain.nodes[0]));
    });
    if (nodes.length > 3 && isShared) nodes = nodes.slice(1);
    return { ...chain, nodes };
  });
}

/** Where the knuckle of a finger other than the thumb is in its chain. */
function knuckleOf(body: BodyTree, chain: Chain): number {
  const far = distance(chain.wrist, place(body, chain.nodes[0]));
  const isInPalm = far < METACARPAL * wayOf(body, chain) && far < METACARPAL_BY_ARM * chain.arm;
  return chain.nodes.length > 3 && isInPalm ? 1 : 0;
}

const tipOf = (body: BodyTree, { nodes }: Chain): Vec => {
  const last = nodes[nodes.length - 1];
  return place(body, body.ends[last][0] ?? last);
};

const mean = (points: readonly Vec[]): Vec => times(points.reduce(plus, [0, 0, 0] as Vec), 1 / points.length);
/** The angle between two directions; 0 when one has no length. */
const angle = (a: Vec, b: Vec): number =>
  norm(a) * norm(b) > 0 ? Math.acos(Math.min(1, Math.max(-1, cosine(a, b)))) : 0;

/** How much a chain is unlike the others in the way thumbs are. */
function thumbness(body: BodyTree, chain: Chain, others: readonly Chain[]): number {
  const { wrist } = chain;
  const knuckles = others.map((other) => place(body, other.nodes[knuckleOf(body, other)]));
  const ahead = minus(mean(knuckles), wrist);
  const base = minus(place(body, chain.nodes[0]), wrist);
  const directions = others.map((other, k) => minus(tipOf(body, other), knuckles[k]));
  const direction = minus(tipOf(body, chain), place(body, chain.nodes[0]));
  const dists = knuckles.map((knuckle) => distance(knuckle, wrist)).sort((a, b) => a - b);
  const usual = dists[dists.length >> 1];
  return (
    angle(base, ahead) / THUMB_ANGLE +
    angle(direction, mean(directions)) / THUMB_ANGLE +
    (usual > 0 ? THUMB_BASE * (1 - norm(base) / usual) : 0)
  );
}

function findThumb(body: BodyTree, chains: readonly Chain[]): Chain | null {
  if (chains.length < 2) return null;
  let best: Chain | null = null;
  let most = THUMB;
  for (const chain of chains) {
    const value = thumbness(
      body,
      chain,
      chains.filter((other) => other !== chain),
    );
    if (value <= most) continue;
    most = value;
    best = chain;
  }
  return best;
}

/** Sorts fingers across the hand, from the thumb (or the front) on. Null where nothing tells the direction. */
function inOrder(body: BodyTree, chains: readonly Chain[], towards: Vec | null): Chain[] | null {
  const knuckles = chains.map((chain) => place(body, chain.nodes[knuckleOf(body, chain)]));
  let line: Vec = [0, 0, 0];
  for (const a of knuckles) for (const b of knuckles) if (distance(a, b) > norm(line)) line = minus(a, b);
  if (chains.length < 2) return [...chains];
  if (towards === null || norm(line) === 0 || dot(line, towards) === 0) return null;
  const sign = Math.sign(dot(line, towards));
  const order = chains.map((_, k) => k).sort((a, b) => sign * (dot(knuckles[b], line) - dot(knuckles[a], line)));
  return order.map((k) => chains[k]);
}

/** The fingers of one hand. `front` orders them where there is no thumb; null when it is not known. */
function fitHand(body: BodyTree, chains: readonly Chain[], front: Vec | null): HandFit {
  const thumb = findThumb(body, chains);
  const fingers = chains.filter((chain) => chain !== thumb);
  const wrist = chains[0].wrist;
  const axis = unit(minus(mean(fingers.map((chain) => place(body, chain.nodes[knuckleOf(body, chain)]))), wrist));
  const thumbLine =
    thumb === null ? null : across(minus(mean(thumb.nodes.map((node) => place(body, node))), wrist), axis);
  const ordered = inOrder(body, fingers, thumbLine ?? front);
  const others = (ordered ?? fingers).map((chain) => chain.nodes.slice(knuckleOf(body, chain)));
  // Four joints from the knuckle on: the last is an end joint, and thumbs have one as well.
  const ends = Math.max(0, ...others.map((nodes) => nodes.length - 3));
  const thumbJoints = thumb === null ? null : thumb.nodes.slice(0, Math.min(3, Math.max(1, thumb.nodes.length - ends)));
  return {
    thumb: thumbJoints,
    others: others.map((nodes) => nodes.slice(0, 3)),
    isOrdered: ordered !== null,
    thumbLine,
  };
}

/** Chains that can be fingers: five at most, the longest; of single joints only those that are several. */
function likely(body: BodyTree, chains: readonly Chain[]): Chain[] {
  const long = chains.filter(({ nodes }) => nodes.length > 1);
  const some =
    long.length > 1 || (long.length === 1 && chains.length === 1) ? long : chains.length > 1 ? [...chains] : [];
  return some.sort((a, b) => wayOf(body, b) - wayOf(body, a)).slice(0, MOST_FINGERS);
}

/** The fingers of both hands of a body, in the order of its arms; null for a hand without. */
export function fitHands(
  body: BodyTree,
  arms: readonly (readonly [number, number, number])[],
  length: number,
  front: Vec | null,
): readonly (HandFit | null)[] {
  const found = arms.map(([, lower, hand]) => fromKnuckles(body, chainsOf(body, lower, hand, length), length));
  return found.map((chains, side) => {
    const fingers = likely(body, inBoth(body, chains, found[1 - side]));
    return fingers.length === 0 ? null : fitHand(body, fingers, front);
  });
}

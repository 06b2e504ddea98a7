/** Finds fingers by shape: chains that fan out from a hand, identified by their order across it. */

import { cosine, distance, dot, minus, norm, perpendicular, plus, times, unit } from '../../../math/triples.ts';
import type { Vec3 } from '../../../math/vec3.ts';
import { type FingerChain, findFingerChains } from './finger-chains.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';

export interface HandFit {
  /** The thumb; null where the hand has none. */
  readonly thumb: readonly number[] | null;
  /** The other fingers in the order of their knuckles. The first is the index finger if a thumb or the front shows the order. */
  readonly others: readonly (readonly number[])[];
  /** Whether the order of the other fingers is known. */
  readonly isOrdered: boolean;
  /** Direction from the wrist to the thumb, across the hand; null without a thumb. */
  readonly thumbDirection: Vec3 | null;
}

/** Minimum difference of a thumb from the other fingers. Thumbs reach 2 and more, other fingers at most 0.6. */
const THUMB = 1;
/** An angle that counts 1 in that difference, radians. */
const THUMB_ANGLE = Math.PI / 4;
/** Weight of a base that is nearer to the wrist than the knuckles. */
const THUMB_BASE = 1.5;

const knuckleAt = (rig: PosedRig, { nodes, knuckle }: FingerChain): Vec3 => positionOf(rig, nodes[knuckle]);

const tipOf = (rig: PosedRig, { nodes }: FingerChain): Vec3 => {
  const last = nodes[nodes.length - 1];
  return positionOf(rig, rig.ends[last][0] ?? last);
};

const mean = (points: readonly Vec3[]): Vec3 => times(points.reduce(plus, [0, 0, 0] as Vec3), 1 / points.length);
/** Returns the angle between two directions, radians; 0 when one has zero length. */
const angle = (a: Vec3, b: Vec3): number =>
  norm(a) * norm(b) > 0 ? Math.acos(Math.min(1, Math.max(-1, cosine(a, b)))) : 0;

/** Returns how much a chain differs from the others in the way thumbs do. */
function thumbness(rig: PosedRig, chain: FingerChain, others: readonly FingerChain[]): number {
  const { wrist } = chain;
  const knuckles = others.map((other) => knuckleAt(rig, other));
  const ahead = minus(mean(knuckles), wrist);
  const base = minus(knuckleAt(rig, chain), wrist);
  const directions = others.map((other, k) => minus(tipOf(rig, other), knuckles[k]));
  const direction = minus(tipOf(rig, chain), knuckleAt(rig, chain));
  const dists = knuckles.map((knuckle) => distance(knuckle, wrist)).sort((a, b) => a - b);
  const usual = dists[dists.length >> 1];
  return (
    angle(base, ahead) / THUMB_ANGLE +
    angle(direction, mean(directions)) / THUMB_ANGLE +
    (usual > 0 ? THUMB_BASE * (1 - norm(base) / usual) : 0)
  );
}

function findThumb(rig: PosedRig, chains: readonly FingerChain[]): FingerChain | null {
  if (chains.length < 2) return null;
  let best: FingerChain | null = null;
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
function inOrder(rig: PosedRig, chains: readonly FingerChain[], towards: Vec3 | null): FingerChain[] | null {
  const knuckles = chains.map((chain) => knuckleAt(rig, chain));
  let line: Vec3 = [0, 0, 0];
  for (const a of knuckles) for (const b of knuckles) if (distance(a, b) > norm(line)) line = minus(a, b);
  if (chains.length < 2) return [...chains];
  if (towards === null || norm(line) === 0 || dot(line, towards) === 0) return null;
  const sign = Math.sign(dot(line, towards));
  const order = chains.map((_, k) => k).sort((a, b) => sign * (dot(knuckles[b], line) - dot(knuckles[a], line)));
  return order.map((k) => chains[k]);
}

/** Identifies the fingers of one hand. `front` orders them without a thumb; null when unknown. */
function fitHand(rig: PosedRig, chains: readonly FingerChain[], front: Vec3 | null): HandFit {
  const thumb = findThumb(rig, chains);
  const fingers = chains.filter((chain) => chain !== thumb);
  const wrist = chains[0].wrist;
  const axis = unit(minus(mean(fingers.map((chain) => knuckleAt(rig, chain))), wrist));
  const thumbDirection =
    thumb === null ? null : perpendicular(minus(mean(thumb.nodes.map((node) => positionOf(rig, node))), wrist), axis);
  const ordered = inOrder(rig, fingers, thumbDirection ?? front);
  // With four joints from the knuckle on in all fingers, the last is an end joint, and thumbs have one as well.
  const ends = Math.max(0, Math.min(...fingers.map(({ joints, knuckle }) => joints - knuckle - 3)));
  const thumbJoints =
    thumb?.nodes.slice(thumb.knuckle, thumb.knuckle + Math.max(1, thumb.joints - thumb.knuckle - ends)) ?? null;
  const others = (ordered ?? fingers).map(({ nodes, knuckle }) => nodes.slice(knuckle, knuckle + 3));
  return {
    thumb: thumbJoints?.slice(0, 3) ?? null,
    others,
    isOrdered: ordered !== null,
    thumbDirection,
  };
}

/**
 * Finds the fingers of both hands. `length`: length of the forearm, units of the file. `front`: unit direction to the front, for hands without a
 * thumb; null when unknown. Returns the fingers per arm; null for a hand without fingers.
 */
export function fitHands(
  rig: PosedRig,
  arms: readonly (readonly [number, number, number])[],
  length: number,
  front: Vec3 | null,
): readonly (HandFit | null)[] {
  return findFingerChains(rig, arms, length).map((fingers) =>
    fingers.length === 0 ? null : fitHand(rig, fingers, front),
  );
}

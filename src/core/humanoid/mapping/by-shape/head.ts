/** Finds neck and head by shape: the chain that leads upwards between the arms. */
import { clamp01 } from '../../../math/floats.ts';
import { dot, minus, norm, perpendicular, times } from '../../../math/triples.ts';
import { branchFit, endsFit, isJaw, isPaired, isStill, neckFit, type Shoulders } from './neck.ts';
import { type PosedRig, positionOf } from './posed-rig.ts';
import { gaussian, isBetter } from './score-rules.ts';

export interface HeadFit {
  /** Nodes between the spine and the neck. */
  readonly below: readonly number[];
  /** Node of the neck; −1 where the head is a child of the trunk. */
  readonly neck: number;
  readonly head: number;
  /** How well it fits, 0…1. */
  readonly score: number;
}

/** Expected height of the head joint above the shoulders, in trunk lengths: 0.2 to 0.4 for adults, 0.7 for a robot. */
const HEAD_HEIGHT = 0.3;
/** Standard deviation of the logarithm of that height. */
const HEAD_WIDTH = 0.9;
/** Minimum height of a head above the shoulders, in trunk lengths. */
const LOWEST_HEAD = 0.04;
/** A joint of the chain that is lower than this, relative to the shoulders, belongs to the spine. */
const LOWEST_NECK = -0.15;
/**
 * Standard deviations of the distance of heads from the trunk axis, in trunk lengths: to the front or back, where a bent
 * neck reaches 0.6, and to the side.
 */
const HEAD_OFF = 0.4;
const HEAD_ASIDE = 0.1;
/** Maximum number of joints from the trunk to the head, and of joints that are tried. */
const LONGEST = 12;
const MAX_TRIED = 120;
/** Maximum number of children that are tried, those with the most joints. */
const BRANCHES = 6;
/** Factor for a neck that branches off below the arms. */
const BELOW_TOP = 0.5;
/** Factor for a head without a neck. */
const NO_NECK = 0.8;
/** Factor for one of a pair of joints on both sides of the middle: an eye, an ear. */
const PAIRED = 0.05;
/** Factor for a small chain that leaves its parent to the front. */
const LIKE_JAW = 0.35;
/** Factor for a joint that a motion never rotates, while it rotates the joint before it. */
const NOT_ROTATED = 0.5;
/** Returns the height of a node above the shoulders, in trunk lengths. */
function height(rig: PosedRig, node: number, { middle, up, trunk }: Shoulders): number {
  return dot(minus(positionOf(rig, node), middle), up) / trunk;
}

interface Candidate {
  /** Joints from the trunk to the candidate. */
  readonly chain: readonly number[];
  /** Product of the scores of the branches before it. */
  readonly branches: number;
}

/** Scores a joint as the head; null when it is not above the shoulders. */
function headFit(
  rig: PosedRig,
  { chain, branches }: Candidate,
  shoulders: Shoulders,
  ends: readonly [least: number, most: number],
): HeadFit | null {
  const at = chain.length - 1;
  const head = chain[at];
  const up = height(rig, head, shoulders);
  if (!(up >= LOWEST_HEAD)) return null;
  const { middle, side, trunk } = shoulders;
  const off = times(perpendicular(minus(positionOf(rig, head), middle), shoulders.up), 1 / trunk);
  const aside = dot(off, side);
  const before = chain.slice(0, at);
  const start = before.findIndex((node) => height(rig, node, shoulders) > LOWEST_NECK);
  const neck = start < 0 ? -1 : before[start];
  const score =
    branches *
    gaussian(Math.log(up / HEAD_HEIGHT), HEAD_WIDTH) *
    gaussian(norm(off), HEAD_OFF) *
    gaussian(aside, HEAD_ASIDE) *
    (neck < 0 ? NO_NECK : neckFit(rig, before.slice(start), head)) *
    (isPaired(rig, head, shoulders) ? PAIRED : 1) *
    (before.length > 0 && isJaw(rig, head, shoulders) ? LIKE_JAW : 1) *
    (isStill(rig, head) ? NOT_ROTATED : 1) *
    endsFit(rig, head, neck < 0, ends, shoulders);
  return { below: start < 0 ? [] : before.slice(0, start), neck, head, score };
}

function largestChildren(rig: PosedRig, node: number): readonly number[] {
  const all = rig.joints[node];
  return all.length <= BRANCHES ? all : [...all].sort((a, b) => rig.sizes[b] - rig.sizes[a]).slice(0, BRANCHES);
}

/** Finds the best head among the joints that branch off from the trunk. Returns the best head; null without one. */
export function findHead(
  rig: PosedRig,
  trunk: readonly number[],
  never: (node: number) => boolean,
  shoulders: Shoulders,
  ends: readonly [least: number, most: number],
): HeadFit | null {
  let best: HeadFit | null = null;
  const waiting: Candidate[] = trunk.flatMap((from, k) =>
    rig.joints[from]
      .filter((node) => !never(node))
      .map((node) => ({ chain: [node], branches: k === 0 ? 1 : BELOW_TOP })),
  );
  for (let k = 0; k < waiting.length && k < MAX_TRIED; k++) {
    const candidate = waiting[k];
    const { chain, branches } = candidate;
    const found = headFit(rig, candidate, shoulders, ends);
    if (found !== null && isBetter(found.score, best?.score ?? 0)) best = found;
    if (chain.length === LONGEST || branches < (best?.score ?? 0)) continue;
    const node = chain[chain.length - 1];
    for (const next of largestChildren(rig, node)) {
      waiting.push({ chain: [...chain, next], branches: branches * branchFit(rig, node, next, shoulders) });
    }
  }
  return best;
}

/** A trunk that ends this high above the shoulders ends in the neck if there is no other neck, in trunk lengths. */
const NECK_HEIGHT = 0.1;

/** Tests whether the node that the arms branch off from is the neck: it is above them, and the head follows directly (Biped). */
export function isNeckBetweenArms(
  rig: PosedRig,
  top: number,
  { neck }: Pick<HeadFit, 'neck'>,
  shoulders: Shoulders,
): boolean {
  return neck < 0 && clamp01(height(rig, top, shoulders)) > NECK_HEIGHT;
}

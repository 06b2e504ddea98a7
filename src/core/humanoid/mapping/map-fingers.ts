/** Fingers by the words of their names: which finger, then joint by joint down its chain. */

import { childRanges } from '../../skeleton/topology.ts';
import { BONE, type BoneName } from '../bones.ts';
import { isBelow, isWithin } from './node-tree.ts';
import type { Rig } from './rig.ts';
import type { Side } from './words.ts';

const FINGERS = ['thumb', 'index', 'middle', 'ring', 'little'] as const;
type Finger = (typeof FINGERS)[number];

const JOINTS: Readonly<Record<Finger, readonly string[]>> = {
  thumb: ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'],
  index: ['IndexProximal', 'IndexIntermediate', 'IndexDistal'],
  middle: ['MiddleProximal', 'MiddleIntermediate', 'MiddleDistal'],
  ring: ['RingProximal', 'RingIntermediate', 'RingDistal'],
  little: ['LittleProximal', 'LittleIntermediate', 'LittleDistal'],
};

/** What is known of the arm that the fingers hang on; −1 where absent. */
export interface Arm {
  readonly hand: number;
  readonly lowerArm: number;
}

/** Nodes of one hand by finger; `finger` holds those that say finger without saying which. */
type FingerNodes = Record<Finger | 'finger', number[]>;

/**
 * Splits the finger nodes of a hand by finger. A joint inside another finger's chain belongs to that finger
 * (`Index/Mid/Tip`).
 */
function gather(rig: Rig, side: Side, { hand, lowerArm }: Arm): FingerNodes {
  const out: FingerNodes = { thumb: [], index: [], middle: [], ring: [], little: [], finger: [] };
  const top = lowerArm >= 0 ? lowerArm : hand;
  const chain = new Map<number, Finger | 'finger'>();
  for (const [node, reading] of rig.readings.entries()) {
    const isOfSide = reading.side === side || (reading.side === '' && hand >= 0 && isBelow(rig.tree, node, hand));
    if (!isOfSide || reading.helper || rig.quality[node] < -0.4) continue;
    if (top >= 0 && !isWithin(rig.tree, node, top)) continue;
    const parentFinger = chain.get(rig.tree.parents[node]);
    const own = reading.part !== null && reading.part in out ? (reading.part as Finger | 'finger') : undefined;
    const isTip = own === undefined && reading.tip && reading.part === null;
    const finger = parentFinger !== undefined && parentFinger !== 'finger' ? (own || isTip) && parentFinger : own;
    if (finger === undefined || finger === false) {
      if (isTip && parentFinger === 'finger') chain.set(node, 'finger');
      continue;
    }
    chain.set(node, finger);
    out[finger].push(node);
  }
  return out;
}

/**
 * Gives fingers that are only numbered (0…4, 1…5, 00 10 20 …) their names, in the order of the numbers where they leave
 * the hand. A finger that has its name already keeps it.
 */
function nameNumbered(rig: Rig, nodes: FingerNodes): void {
  const set = new Set(nodes.finger);
  const roots = nodes.finger.filter(
    (node) => !set.has(rig.tree.parents[node]) && rig.readings[node].numbers.length > 0,
  );
  const numberOf = (node: number): number => Number(rig.readings[node].numbers[0]);
  const numbers = [...new Set(roots.map(numberOf))].sort((a, b) => a - b);
  const free = FINGERS.filter((finger) => nodes[finger].length === 0);
  if (numbers.length < 2) return;
  for (const [i, number] of numbers.entries()) {
    const finger = free[i];
    if (finger === undefined) return;
    const tops = roots.filter((root) => numberOf(root) === number);
    nodes[finger] = nodes.finger.filter((node) => tops.some((top) => isWithin(rig.tree, node, top)));
  }
}

/**
 * One joint after the other down the tree from the highest, three at most, without metacarpals (thumb apart) and bare
 * tips.
 */
function chainOf(rig: Rig, nodes: readonly number[], isThumb: boolean, hasChild: (node: number) => boolean): number[] {
  const { tree, readings } = rig;
  const usable = nodes.filter((node) => {
    return (isThumb || !readings[node].metacarpal) && (!readings[node].tip || hasChild(node));
  });
  usable.sort((a, b) => tree.depths[a] - tree.depths[b] || a - b);
  const chain: number[] = [];
  for (const node of usable) {
    const last = chain.at(-1);
    if (last === undefined || isBelow(tree, node, last)) chain.push(node);
  }
  // Four joints counted from 0: the first is in the palm.
  if (!isThumb && chain.length >= 4 && /^0+$/.test(readings[chain[0]].numbers.at(-1) ?? '')) chain.shift();
  return chain.slice(0, 3);
}

/** Finds the fingers of both hands; calls `found` for every joint. */
export function findFingers(
  rig: Rig,
  armOf: (side: 'left' | 'right') => Arm,
  found: (bone: number, node: number) => void,
): void {
  const { starts } = childRanges(rig.tree.parents);
  const hasChild = (node: number): boolean => starts[node + 1] > starts[node];
  for (const side of ['left', 'right'] as const) {
    const nodes = gather(rig, side, armOf(side));
    nameNumbered(rig, nodes);
    for (const finger of FINGERS) {
      for (const [joint, node] of chainOf(rig, nodes[finger], finger === 'thumb', hasChild).entries()) {
        found(BONE[`${side}${JOINTS[finger][joint]}` as BoneName], node);
      }
    }
  }
}

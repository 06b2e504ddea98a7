/** Finds fingers by the words of their names: first which finger, then its joints along the chain. */
import { childRanges } from '../../../skeleton/topology.ts';
import { BONE, type BoneName, FINGER_SEGMENTS, FINGERS, type Finger, SIDES, THUMB_SEGMENTS } from '../../bones.ts';
import { isDescendant, isInSubtree } from '../node-tree.ts';
import { type PossibleBones, possibleBones } from '../possible-bones.ts';
import type { NamedRig } from './named-rig.ts';
import type { Side } from './read-names.ts';

type Digit = 'thumb' | Lowercase<Finger>;
const DIGITS: readonly Digit[] = ['thumb', ...FINGERS.map((finger) => finger.toLowerCase() as Lowercase<Finger>)];

/** Names of the bones of a digit without their side, from the wrist outwards. */
const DIGIT_BONES = new Map<Digit, readonly string[]>([
  ['thumb', THUMB_SEGMENTS.map((segment) => `Thumb${segment}`)],
  ...FINGERS.map((finger): [Digit, readonly string[]] => [
    finger.toLowerCase() as Lowercase<Finger>,
    FINGER_SEGMENTS.map((segment) => finger + segment),
  ]),
]);

/** The arm that a hand belongs to. */
interface Arm {
  /** Node of the hand, −1 where absent. */
  readonly hand: number;
  /** Node of the lower arm, −1 where absent. */
  readonly lowerArm: number;
}

/** Nodes of one hand by finger; `finger` has the nodes whose names do not identify the finger. */
type FingerNodes = Record<Digit | 'finger', number[]>;

/** Sorts the finger nodes of a hand by finger. A joint within the chain of another finger belongs to that finger (`Index/Mid/Tip`). */
function gather(rig: NamedRig, { parents, usable }: PossibleBones, side: Side, { hand, lowerArm }: Arm): FingerNodes {
  const out: FingerNodes = { thumb: [], index: [], middle: [], ring: [], little: [], finger: [] };
  const top = lowerArm >= 0 ? lowerArm : hand;
  const chain = new Map<number, Digit | 'finger'>();
  for (const [node, reading] of rig.readings.entries()) {
    const isOfSide = reading.side === side || (reading.side === '' && hand >= 0 && isDescendant(rig.tree, node, hand));
    if (!isOfSide || reading.helper || rig.quality[node] < -0.4 || usable[node] === 0) continue;
    if (top >= 0 && !isInSubtree(rig.tree, node, top)) continue;
    const parentFinger = chain.get(parents[node]);
    const own = reading.part !== null && reading.part in out ? (reading.part as Digit | 'finger') : undefined;
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

/** Assigns numbered fingers (0…4, 1…5, 00 10 20 …) to the fingers without a name, in the order of the numbers at the hand. */
function nameNumbered(rig: NamedRig, { parents }: PossibleBones, nodes: FingerNodes): void {
  const set = new Set(nodes.finger);
  const roots = nodes.finger.filter((node) => !set.has(parents[node]) && rig.readings[node].numbers.length > 0);
  const numberOf = (node: number): number => Number(rig.readings[node].numbers[0]);
  const numbers = [...new Set(roots.map(numberOf))].sort((a, b) => a - b);
  const free = DIGITS.filter((finger) => nodes[finger].length === 0);
  if (numbers.length < 2) return;
  for (const [i, number] of numbers.entries()) {
    const finger = free[i];
    if (finger === undefined) return;
    const tops = roots.filter((root) => numberOf(root) === number);
    nodes[finger] = nodes.finger.filter((node) => tops.some((top) => isInSubtree(rig.tree, node, top)));
  }
}

/** Collects the joints of a finger from the top down, three at most, without metacarpals (except for the thumb) and without end markers. */
function chainOf(
  rig: NamedRig,
  nodes: readonly number[],
  isThumb: boolean,
  hasChild: (node: number) => boolean,
): number[] {
  const { tree, readings } = rig;
  const usable = nodes.filter((node) => {
    return (isThumb || !readings[node].metacarpal) && (!readings[node].tip || hasChild(node));
  });
  usable.sort((a, b) => tree.depths[a] - tree.depths[b] || a - b);
  const chain: number[] = [];
  for (const node of usable) {
    const last = chain.at(-1);
    if (last === undefined || isDescendant(tree, node, last)) chain.push(node);
  }
  // With four joints counted from 0, the first is in the palm.
  if (!isThumb && chain.length >= 4 && /^0+$/.test(readings[chain[0]].numbers.at(-1) ?? '')) chain.shift();
  return chain.slice(0, 3);
}

/** Finds the fingers of both hands. `found` receives each joint: index of its bone, and its node. */
export function findFingers(
  rig: NamedRig,
  armOf: (side: 'left' | 'right') => Arm,
  found: (bone: number, node: number) => void,
): void {
  const { starts } = childRanges(rig.tree.parents);
  const possible = possibleBones(rig.skeleton);
  const hasChild = (node: number): boolean => starts[node + 1] > starts[node];
  for (const side of SIDES) {
    const nodes = gather(rig, possible, side, armOf(side));
    nameNumbered(rig, possible, nodes);
    for (const finger of DIGITS) {
      for (const [joint, node] of chainOf(rig, nodes[finger], finger === 'thumb', hasChild).entries()) {
        found(BONE[`${side}${DIGIT_BONES.get(finger)?.[joint]}` as BoneName], node);
      }
    }
  }
}

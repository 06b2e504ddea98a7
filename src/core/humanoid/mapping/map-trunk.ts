/**
 * Hips, spine and neck by the tree: the hips are where legs and upper body meet, the spine is what lies between there
 * and the place where the arms branch off. Words choose among what the tree allows.
 */
import { BONE, type BoneName } from '../bones.ts';
import { isWithin, lowestAbove } from './node-tree.ts';
import type { Rig } from './rig.ts';

/** Hips and spine of a rig. */
export interface Trunk {
  /** −1 where they cannot be told. */
  readonly hips: number;
  /** Whether a word or the tree alone names the hips. */
  readonly hipsNamed: boolean;
  /** From the hips upwards, without them: the nodes that are spine bones. */
  readonly spine: readonly number[];
  /** Whether words name the spine bones. */
  readonly spineNamed: boolean;
  /** The node that the arms branch off from; −1 without arms and head. */
  readonly top: number;
}

/** Ranked sets of bones that tell where a limb starts. */
const LEG_TOPS: readonly (readonly BoneName[])[] = [
  ['leftUpperLeg', 'rightUpperLeg'],
  ['leftLowerLeg', 'rightLowerLeg'],
];
const ARM_TOPS: readonly (readonly BoneName[])[] = [
  ['leftShoulder', 'rightShoulder'],
  ['leftUpperArm', 'rightUpperArm'],
  ['leftLowerArm', 'rightLowerArm'],
];

/** The first node of each side that is there. */
function limbTops(nodes: ArrayLike<number>, ranked: typeof ARM_TOPS): number[] {
  const tops: number[] = [];
  for (const side of [0, 1] as const) {
    const bone = ranked.find((pair) => nodes[BONE[pair[side]]] >= 0);
    if (bone !== undefined) tops.push(nodes[BONE[bone[side]]]);
  }
  return tops;
}

function upperBody(rig: Rig, nodes: ArrayLike<number>): number {
  const arms = limbTops(nodes, ARM_TOPS);
  const head = nodes[BONE.neck] >= 0 ? nodes[BONE.neck] : nodes[BONE.head];
  const tops = arms.length >= 2 || head < 0 ? arms : [...arms, head];
  if (tops.length === 0) return -1;
  let top = tops.length === 1 ? rig.tree.parents[tops[0]] : lowestAbove(rig.tree, tops);
  // Clavicles below the neck (Biped): the spine ends below it.
  while (top >= 0 && isNeckOrHead(rig, top)) top = rig.tree.parents[top];
  return top;
}

function isNeckOrHead(rig: Rig, node: number): boolean {
  const { part, side } = rig.readings[node];
  return side === '' && (part === 'neck' || part === 'head');
}

/** Whether a node is called hips; sided ones (`pelvis.L`) are not. */
function isHipsWord(rig: Rig, node: number): boolean {
  const { part, side, helper, tip } = rig.readings[node];
  return part === 'hips' && side === '' && !helper && !tip;
}

function isSpineWord(rig: Rig, node: number): boolean {
  const { part, side, helper, tip } = rig.readings[node];
  return part === 'spine' && side === '' && !helper && !tip;
}

/**
 * Finds hips and spine from the limbs, neck and head of a map. Hips that the map has are kept where legs and arms hang
 * below them. `never` has 1 for nodes that are no spine bones whatever they are called.
 */
export function findTrunk(rig: Rig, nodes: ArrayLike<number>, never: Uint8Array): Trunk {
  const { tree } = rig;
  const legs = limbTops(nodes, LEG_TOPS);
  const top = upperBody(rig, nodes);
  const meeting = legs.length === 0 || top < 0 ? -1 : lowestAbove(tree, [...legs, top]);
  const { hips, hipsNamed } = findHips(rig, nodes[BONE.hips], meeting, top, legs.length > 0);
  const path: number[] = [];
  if (hips >= 0 && top >= 0 && isWithin(tree, top, hips)) {
    for (let node = top; node !== hips; node = tree.parents[node]) path.push(node);
  }
  path.reverse();
  const named = path.filter((node) => isSpineWord(rig, node) && never[node] === 0);
  const unnamed = path.filter((node) => !rig.readings[node].helper && rig.quality[node] >= 0 && never[node] === 0);
  const spine = named.length > 0 ? withoutLayers(rig, named) : unnamed;
  return { hips, hipsNamed, spine, spineNamed: named.length > 0, top };
}

function findHips(
  rig: Rig,
  mapped: number,
  meeting: number,
  top: number,
  hasLegs: boolean,
): { hips: number; hipsNamed: boolean } {
  const { tree } = rig;
  if (meeting >= 0) {
    if (mapped >= 0 && isWithin(tree, meeting, mapped)) return { hips: mapped, hipsNamed: true };
    for (let node = meeting; node >= 0; node = tree.parents[node]) {
      if (isHipsWord(rig, node)) return { hips: node, hipsNamed: true };
    }
    // Armatures and scene roots are no bones: limbs that meet only there are not one body.
    if (rig.quality[meeting] >= 0 && isJointLike(rig, meeting)) return { hips: meeting, hipsNamed: false };
  }
  if (mapped >= 0) return { hips: mapped, hipsNamed: true };
  if (!hasLegs) {
    for (let node = top; node >= 0; node = tree.parents[node]) {
      if (isHipsWord(rig, node)) return { hips: node, hipsNamed: true };
    }
  }
  return { hips: meeting, hipsNamed: false };
}

/** A joint of a skin; in a rig without skins any node. */
function isJointLike({ skeleton }: Rig, node: number): boolean {
  return skeleton.joints[node] === 1 || !skeleton.joints.includes(1);
}

/**
 * Spine bones without the copies that control rigs stack on them: one a number, and the better layer where there are
 * two.
 */
function withoutLayers(rig: Rig, nodes: readonly number[]): number[] {
  const strength = (node: number): number => rig.readings[node].strength + rig.quality[node];
  const full = nodes.filter((node) => strength(node) >= 1);
  if (full.length > 0) return full;
  const numbers = new Set<string>();
  return nodes.filter((node) => {
    const number = rig.readings[node].numbers.join('.');
    if (number === '') return true;
    if (numbers.has(number)) return false;
    numbers.add(number);
    return true;
  });
}

/** The spine, chest and upperChest of a spine: the first, the last where arms branch off, and one in the middle. */
export function distributeSpine(spine: readonly number[]): [spine: number, chest: number, upperChest: number] {
  const count = spine.length;
  if (count === 0) return [-1, -1, -1];
  if (count === 1) return [spine[0], -1, -1];
  if (count === 2) return [spine[0], spine[1], -1];
  return [spine[0], spine[Math.floor((count - 1) / 2)], spine[count - 1]];
}

/** The first node called neck between the arms and the head; −1 without. */
export function findNeck(rig: Rig, top: number, head: number): number {
  let neck = -1;
  if (head < 0) return neck;
  for (let node = rig.tree.parents[head]; node >= 0 && node !== top; node = rig.tree.parents[node]) {
    const { part, side, helper, tip } = rig.readings[node];
    if (part === 'neck' && side === '' && !helper && !tip) neck = node;
  }
  return neck;
}

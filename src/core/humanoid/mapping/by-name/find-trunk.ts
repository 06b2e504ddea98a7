/**
 * Finds hips, spine and neck by the hierarchy: the hips are where the legs and the trunk meet, and the spine leads
 * from there to the joint where the arms branch off. Words choose among the nodes that the hierarchy allows.
 */
import { BONE, type BoneName } from '../../bones.ts';
import { isInSubtree, lowestCommonAncestor } from '../node-tree.ts';
import { isGroupOf, isJointLike, type NamedRig } from './named-rig.ts';

export interface Trunk {
  /** Node of the hips, −1 where they cannot be found. */
  readonly hips: number;
  /** True when a word names the hips, false when only the hierarchy shows them. */
  readonly hipsNamed: boolean;
  /** Nodes of the spine bones from the hips upwards, without the hips. */
  readonly spine: readonly number[];
  /** True when words name the spine bones. */
  readonly spineNamed: boolean;
  /** Node that the arms branch off from; −1 without arms and head. */
  readonly top: number;
}

/** Pairs of bones that show where a limb starts, best first. */
const LEG_TOPS: readonly (readonly BoneName[])[] = [
  ['leftUpperLeg', 'rightUpperLeg'],
  ['leftLowerLeg', 'rightLowerLeg'],
];
const ARM_TOPS: readonly (readonly BoneName[])[] = [
  ['leftShoulder', 'rightShoulder'],
  ['leftUpperArm', 'rightUpperArm'],
  ['leftLowerArm', 'rightLowerArm'],
];

/** Finds the first present node of each side. */
function limbTops(nodes: ArrayLike<number>, ranked: typeof ARM_TOPS): number[] {
  const tops: number[] = [];
  for (const side of [0, 1] as const) {
    const bone = ranked.find((pair) => nodes[BONE[pair[side]]] >= 0);
    if (bone !== undefined) tops.push(nodes[BONE[bone[side]]]);
  }
  return tops;
}

function armBranch(rig: NamedRig, nodes: ArrayLike<number>): number {
  const arms = limbTops(nodes, ARM_TOPS);
  const head = nodes[BONE.neck] >= 0 ? nodes[BONE.neck] : nodes[BONE.head];
  const tops = arms.length >= 2 || head < 0 ? arms : [...arms, head];
  if (tops.length === 0) return -1;
  let top = tops.length === 1 ? rig.tree.parents[tops[0]] : lowestCommonAncestor(rig.tree, tops);
  // Biped rigs have the clavicles below the neck: the spine ends before it.
  while (top >= 0 && isNeckOrHead(rig, top)) top = rig.tree.parents[top];
  return top;
}

function isNeckOrHead(rig: NamedRig, node: number): boolean {
  const { part, side } = rig.readings[node];
  return side === '' && (part === 'neck' || part === 'head');
}

/** Tests whether a node is named as the hips; nodes with a side (`pelvis.L`) are not. */
function isHipsWord(rig: NamedRig, node: number): boolean {
  const { part, side, helper, tip } = rig.readings[node];
  return part === 'hips' && side === '' && !helper && !tip;
}

function isSpineWord(rig: NamedRig, node: number): boolean {
  const { part, side, helper, tip } = rig.readings[node];
  return part === 'spine' && side === '' && !helper && !tip;
}

/** Words for the upper part of the trunk. A joint between it and the hips is the spine, whatever its name is. */
const CHEST: ReadonlySet<string> = new Set([
  'chest',
  'upperchest',
  'torso',
  'thorax',
  'ribcage',
  'sternum',
  'upper',
  '胸',
]);

/**
 * Finds the spine bones on the way from the hips to the arms: nodes with a word for the spine, and the joints without a meaning below the
 * first of them if that is the chest (`Hips`, `Ab`, `Chest`).
 */
function namedSpine(rig: NamedRig, path: readonly number[], isUsable: (node: number) => boolean): number[] {
  const words = path.filter((node) => isSpineWord(rig, node) && isUsable(node));
  const named = words.filter((node, k) => k === words.length - 1 || !isGroupOf(rig, node, words[k + 1]));
  if (named.length === 0) return [];
  const full = withoutLayers(rig, named);
  if (!rig.names.words[full[0]].some((word) => CHEST.has(word))) return full;
  const below = path.slice(0, path.indexOf(full[0])).filter((node) => {
    const { part, helper, tip } = rig.readings[node];
    return part === null && !helper && !tip && rig.quality[node] >= 0 && isJointLike(rig, node) && isUsable(node);
  });
  return [...below, ...full];
}

/** Finds hips and spine from the limbs, the neck and the head of a map. The mapped hips are kept if legs and arms are below them. */
export function findTrunk(rig: NamedRig, nodes: ArrayLike<number>, never: Uint8Array): Trunk {
  const { tree } = rig;
  const legs = limbTops(nodes, LEG_TOPS);
  const top = armBranch(rig, nodes);
  const meeting = legs.length === 0 || top < 0 ? -1 : lowestCommonAncestor(tree, [...legs, top]);
  const { hips, hipsNamed } = findHips(rig, nodes[BONE.hips], meeting, top, legs);
  const path: number[] = [];
  // The spine may start beside the hips, where both are below an armature.
  const start = hips >= 0 && top >= 0 && isInSubtree(tree, top, hips) ? hips : hips >= 0 ? meeting : -1;
  for (let node = top; start >= 0 && node !== start; node = tree.parents[node]) path.push(node);
  path.reverse();
  const named = namedSpine(rig, path, (node) => never[node] === 0);
  const unnamed = path.filter((node) => !rig.readings[node].helper && rig.quality[node] >= 0 && never[node] === 0);
  const spine = named.length > 0 ? named : unnamed;
  return { hips, hipsNamed, spine, spineNamed: named.length > 0, top };
}

function findHips(
  rig: NamedRig,
  mapped: number,
  meeting: number,
  top: number,
  legs: readonly number[],
): { hips: number; hipsNamed: boolean } {
  const { tree } = rig;
  if (meeting >= 0) {
    if (mapped >= 0 && isInSubtree(tree, meeting, mapped)) {
      // Of nodes with one name above each other, the upper one is an armature or a group. Programs number equal names: `Hips_1`, `Hips.001`.
      const unnumbered = (node: number): string => rig.names.keys[node].replace(/\d+$/, '');
      let hips = meeting;
      while (hips !== mapped && unnumbered(hips) !== unnumbered(mapped)) hips = tree.parents[hips];
      return { hips, hipsNamed: true };
    }
    for (let node = meeting; node >= 0; node = tree.parents[node]) {
      if (isHipsWord(rig, node)) return { hips: node, hipsNamed: true };
    }
    // Armatures and scene roots are not bones: limbs that only meet there do not belong to one humanoid.
    if (rig.quality[meeting] >= 0 && isJointLike(rig, meeting)) return { hips: meeting, hipsNamed: false };
    // A humanoid whose legs and spine are separate below an armature has hips above its legs.
    for (let node = lowestCommonAncestor(tree, legs); node >= 0 && node !== meeting; node = tree.parents[node]) {
      if (mapped < 0 && isHipsWord(rig, node)) return { hips: node, hipsNamed: true };
    }
  }
  if (mapped >= 0) return { hips: mapped, hipsNamed: true };
  if (legs.length === 0) {
    for (let node = top; node >= 0; node = tree.parents[node]) {
      if (isHipsWord(rig, node)) return { hips: node, hipsNamed: true };
    }
  }
  return { hips: meeting, hipsNamed: false };
}

/** Removes the copies of spine bones that control rigs stack: keeps one node per number, and the better layer of two. */
function withoutLayers(rig: NamedRig, nodes: readonly number[]): number[] {
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

export function findNeck(rig: NamedRig, top: number, head: number): number {
  let neck = -1;
  if (head < 0) return neck;
  for (let node = rig.tree.parents[head]; node >= 0 && node !== top; node = rig.tree.parents[node]) {
    const { part, side, helper, tip } = rig.readings[node];
    if (part === 'neck' && side === '' && !helper && !tip) neck = node;
  }
  return neck;
}

/** Finds arms and legs by the words of their names. Which joint a word means depends on the other joints of the limb. */
import { BONE, type BoneName, SIDES } from '../../bones.ts';
import { isDescendant } from '../node-tree.ts';
import type { AnatomyPart } from './lexicon.ts';
import type { NamedRig } from './named-rig.ts';
import type { Side } from './read-names.ts';

/** How well a part fits each joint of a limb, from the trunk outwards. */
type Roles = readonly [number, number, number, number];

/** Joints: shoulder, upperArm, lowerArm, hand. */
const ARM: Readonly<Partial<Record<AnatomyPart, Roles>>> = {
  clavicle: [1, 0, 0, 0],
  // The clavicle (Mixamo) or the upper arm (classic BVH, SMPL): an upper arm is followed by an elbow.
  shoulder: [0.7, 0.6, 0, 0],
  shldr: [0.5, 0.9, 0, 0],
  upperArm: [0, 1, 0, 0],
  arm: [0, 0.7, 0.35, 0.25],
  lowerArm: [0, 0, 1, 0],
  elbow: [0, 0, 0.95, 0],
  wrist: [0, 0, 0, 0.9],
  // A hand after a wrist is preferred: its world rotation includes the motion of both.
  hand: [0, 0, 0, 0.95],
  palm: [0, 0, 0, 0.5],
};

/** Joints: upperLeg, lowerLeg, foot, toes. */
const LEG: Readonly<Partial<Record<AnatomyPart, Roles>>> = {
  upperLeg: [1, 0, 0, 0],
  hip: [0.8, 0, 0, 0],
  // The calf (Mixamo) or the thigh (Cats, SOMA): a thigh is followed by a knee.
  leg: [0.6, 0.65, 0.25, 0],
  lowerLeg: [0, 1, 0, 0],
  knee: [0, 0.95, 0, 0],
  ankle: [0, 0, 0.95, 0],
  // After an ankle, the foot is the ball of the foot (SMPL).
  foot: [0, 0, 0.9, 0.3],
  toes: [0, 0, 0, 1],
};

/** Weight of each joint; required bones count double. */
const ARM_WEIGHTS: Roles = [1, 2, 2, 2];
const LEG_WEIGHTS: Roles = [2, 2, 2, 1];

/** Score of a joint that is not below the joint before it. */
const NOT_BELOW = -1.2;
/** Number of nodes tried per joint, the strongest ones. Leaves room for serial twist joints and a few props. */
const TRIED = 8;

const WEAKEST = 0.2;

interface Option {
  readonly node: number;
  /** Weighted strength; 0 for the node −1, an absent joint. */
  readonly value: number;
  readonly strength: number;
}

function optionsFor(rig: NamedRig, side: Side, joint: number, roles: typeof ARM, weight: number): Option[] {
  const options: Option[] = [];
  for (const [node, reading] of rig.readings.entries()) {
    if (reading.part === null || reading.side !== side || reading.helper || reading.tip) continue;
    const role = roles[reading.part]?.[joint] ?? 0;
    const strength = role * (reading.strength + rig.quality[node]);
    if (strength > WEAKEST) options.push({ node, value: weight * strength, strength });
  }
  // The first of serial joints with the same name is the bone; the others are its twist joints.
  options.sort((a, b) => b.value - a.value || rig.tree.depths[a.node] - rig.tree.depths[b.node] || a.node - b.node);
  options.length = Math.min(options.length, TRIED);
  options.push({ node: -1, value: 0, strength: 0 });
  return options;
}

/** With more toes side by side than this, the toes are single toes and none of them is the ball of the foot. */
const MAX_TOES = 2;

/** Tests whether a node is one of many toes of a foot. */
function isSingleToe(rig: NamedRig, side: Side, node: number): boolean {
  const { readings, tree } = rig;
  let count = 0;
  for (const [other, reading] of readings.entries()) {
    if (reading.part !== 'toes' || reading.side !== side || reading.helper) continue;
    if (tree.depths[other] === tree.depths[node]) count++;
  }
  return count > MAX_TOES;
}

/** The four joints of a limb. */
interface Limb {
  /** Nodes from the trunk outwards, −1 where absent. */
  readonly nodes: readonly number[];
  /** Strength of the word of each joint, 0…1. */
  readonly strengths: readonly number[];
}

/** Tries all combinations of the four joints and keeps the best: strong words, each joint below the one before. */
function solveLimb(rig: NamedRig, side: Side, roles: typeof ARM, weights: Roles): Limb {
  const joints = weights.map((weight, joint) => optionsFor(rig, side, joint, roles, weight));
  let best = 0;
  let found: readonly Option[] = [];
  const follow = (above: number, node: number): number => {
    if (above < 0 || node < 0) return 0;
    return isDescendant(rig.tree, node, above) ? 0 : NOT_BELOW;
  };
  for (const a of joints[0]) {
    for (const b of joints[1]) {
      if (b.node >= 0 && b.node === a.node) continue;
      const ab = a.value + b.value + follow(a.node, b.node);
      const aboveC = b.node >= 0 ? b.node : a.node;
      for (const c of joints[2]) {
        if (c.node >= 0 && (c.node === a.node || c.node === b.node)) continue;
        const abc = ab + c.value + follow(aboveC, c.node);
        const aboveD = c.node >= 0 ? c.node : aboveC;
        for (const d of joints[3]) {
          if (d.node >= 0 && (d.node === a.node || d.node === b.node || d.node === c.node)) continue;
          const value = abc + d.value + follow(aboveD, d.node);
          if (value <= best) continue;
          best = value;
          found = [a, b, c, d];
        }
      }
    }
  }
  return { nodes: [0, 1, 2, 3].map((k) => found[k]?.node ?? -1), strengths: found.map(({ strength }) => strength) };
}

const LIMBS: readonly { readonly bones: readonly string[]; readonly roles: typeof ARM; readonly weights: Roles }[] = [
  { bones: ['Shoulder', 'UpperArm', 'LowerArm', 'Hand'], roles: ARM, weights: ARM_WEIGHTS },
  { bones: ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'], roles: LEG, weights: LEG_WEIGHTS },
];

/** Finds the arms and legs of a rig. `found` receives each joint: index of its bone, its node, and the strength of its word, 0…1. */
export function findLimbs(rig: NamedRig, found: (bone: number, node: number, strength: number) => void): void {
  for (const side of SIDES) {
    for (const { bones, roles, weights } of LIMBS) {
      const { nodes, strengths } = solveLimb(rig, side, roles, weights);
      for (const [joint, name] of bones.entries()) {
        if (nodes[joint] < 0 || (name === 'Toes' && isSingleToe(rig, side, nodes[joint]))) continue;
        found(BONE[`${side}${name}` as BoneName], nodes[joint], strengths[joint]);
      }
    }
  }
}

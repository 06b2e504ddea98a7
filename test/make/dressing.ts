/**
 * Dresses humanoids at random as characters of games and of VRM are dressed: hair, ears, tails, skirts, capes, wings, sleeves, props, big
 * heads, short legs, palms between hand and fingers, one arm posed, no mesh. The bones stay what they are.
 */
import type { Clip } from '../../src/core/animation/clip.ts';
import { BONE, type BoneName } from '../../src/core/humanoid/bones.ts';
import type { Skeleton } from '../../src/core/skeleton/skeleton.ts';
import { between, makeRandom, pick, type Random } from '../../src/demo/random.ts';
import { aboutAxis, inverse, minus, plus, product, type Quaternion, rotated, times, type Vector } from '../reference/plain.ts';
import {
  addNode,
  isBelow,
  positionIn,
  type RebuiltRig,
  type RigNode,
  type RigTree,
  rebuild,
  reparent,
  stretch,
  swing,
  treeOf,
  updateMatrices,
} from './rig-tree.ts';

/** Directions and lengths of a humanoid in the pose in which it is dressed, model space. */
interface Frame {
  readonly left: Vector;
  readonly up: Vector;
  readonly front: Vector;
  /** Hip joints to shoulder joints, shoulder to wrist, hip joint to ankle; units of the file. */
  readonly trunk: number;
  readonly arm: number;
  readonly leg: number;
}

/** A humanoid that is being dressed. */
interface Wearer {
  readonly tree: RigTree;
  readonly random: Random;
  readonly bone: (name: BoneName) => RigNode | null;
  frame: Frame;
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const norm = (a: Vector): number => Math.sqrt(dot(a, a));
const unit = (a: Vector): Vector => times(a, 1 / norm(a));
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function frameOf(bone: Wearer['bone']): Frame {
  const at = (name: BoneName): Vector => positionIn(bone(name) as RigNode);
  const middle = (part: string): Vector => times(plus(at(`left${part}` as BoneName), at(`right${part}` as BoneName)), 0.5);
  const rise = minus(middle('UpperArm'), middle('UpperLeg'));
  const up = unit(rise);
  const across = plus(minus(at('leftUpperArm'), at('rightUpperArm')), minus(at('leftUpperLeg'), at('rightUpperLeg')));
  const left = unit(minus(across, times(up, dot(across, up))));
  const chain = (a: BoneName, b: BoneName, c: BoneName): number => norm(minus(at(a), at(b))) + norm(minus(at(b), at(c)));
  return {
    left,
    up,
    front: cross(left, up),
    trunk: norm(rise),
    arm: chain('leftUpperArm', 'leftLowerArm', 'leftHand'),
    leg: chain('leftUpperLeg', 'leftLowerLeg', 'leftFoot'),
  };
}

/** Adds a chain that starts at `from` and bends evenly from one direction to another; directions are left, up, front. */
function addChain(
  { tree, random, frame }: Wearer,
  parent: RigNode,
  from: Vector,
  [first, last]: readonly [Vector, Vector],
  length: number,
  joints: number,
): RigNode[] {
  const world = (v: Vector): Vector =>
    plus(plus(times(frame.left, v[0]), times(frame.up, v[1])), times(frame.front, v[2]));
  const start = plus(positionIn(parent), world(from));
  const nodes = [addNode(tree, parent, start)];
  let at = start;
  for (let k = 1; k < joints; k++) {
    const t = joints > 2 ? (k - 1) / (joints - 2) : 0;
    const direction = unit(world(plus(times(first, 1 - t), times(last, t))));
    at = plus(at, times(direction, length / Math.max(1, joints - 1)));
    nodes.push(addNode(tree, nodes[k - 1], at));
  }
  if (tree.clip !== null && random() < 0.6) {
    const axis = unit([random() - 0.5, random() - 0.5, random() - 0.4]);
    for (const node of nodes) swing(node, tree.clip, axis, between(random, 0, 0.25));
  }
  return nodes;
}

const mirrored = (v: Vector): Vector => [-v[0], v[1], v[2]];
const count = (random: Random, low: number, high: number): number => low + Math.floor(random() * (high - low + 1));

/** Adds a chain on both sides, nearly equal. */
function addPair(
  wearer: Wearer,
  parents: readonly [RigNode, RigNode],
  from: Vector,
  [first, last]: readonly [Vector, Vector],
  length: number,
  joints: number,
): [RigNode[], RigNode[]] {
  const unequal = wearer.random() < 0.3 ? between(wearer.random, 0.85, 1.15) : 1;
  return [
    addChain(wearer, parents[0], from, [first, last], length, joints),
    addChain(wearer, parents[1], mirrored(from), [mirrored(first), mirrored(last)], length * unequal, joints),
  ];
}

/** The bone where arms and neck meet. */
function chestOf({ bone }: Wearer): RigNode {
  return (bone('upperChest') ?? bone('chest') ?? bone('spine')) as RigNode;
}

type Dress = (wearer: Wearer) => void;

const hair: Dress = (wearer) => {
  const { random, frame } = wearer;
  const head = wearer.bone('head') as RigNode;
  const radius = between(random, 0.12, 0.4) * frame.trunk;
  const longest = between(random, 0.2, 2.6) * frame.trunk;
  const pairs = count(random, 0, 8);
  for (let k = 0; k < pairs; k++) {
    const angle = between(random, 0.15, 0.95) * Math.PI;
    const from: Vector = [radius * Math.sin(angle), radius * between(random, 0.3, 1.5), radius * Math.cos(angle)];
    const out: Vector = [Math.sin(angle), between(random, -0.5, 1), Math.cos(angle)];
    const hanging: Vector = [0.15 * Math.sin(angle), -1, 0.15 * Math.cos(angle)];
    addPair(wearer, [head, head], from, [out, hanging], longest * between(random, 0.3, 1), count(random, 2, 7));
  }
  for (let k = count(random, pairs === 0 ? 1 : 0, 4); k > 0; k--) {
    const back = random() < 0.7 ? -1 : 1;
    const from: Vector = [between(random, -0.02, 0.02) * radius, radius * between(random, 0.5, 1.3), back * radius];
    addChain(wearer, head, from, [[0, 0.3, back], [0, -1, 0.1 * back]], longest * between(random, 0.3, 1), count(random, 2, 7));
  }
};

const ears: Dress = (wearer) => {
  const { random, frame } = wearer;
  const head = wearer.bone('head') as RigNode;
  const from: Vector = [between(random, 0.05, 0.3) * frame.trunk, between(random, 0.1, 0.6) * frame.trunk, 0];
  const isHanging = random() < 0.25;
  const out: Vector = [between(random, 0.1, 1), 1, between(random, -0.3, 0.3)];
  const end: Vector = isHanging ? [0.2, -1, 0] : [between(random, 0, 0.6), 1, 0];
  addPair(wearer, [head, head], from, [out, end], between(random, 0.1, 1.4) * frame.trunk, count(random, 1, 5));
};

const tail: Dress = (wearer) => {
  const { random, frame, bone } = wearer;
  const parent = (random() < 0.8 ? bone('hips') : bone('spine')) as RigNode;
  const tails = pick(random, [1, 1, 1, 1, 2, 9]);
  const length = between(random, 0.3, 2.4) * frame.leg;
  for (let k = 0; k < tails; k++) {
    const aside = tails === 1 ? 0 : (k - (tails - 1) / 2) / tails;
    const first: Vector = [aside, between(random, -1, 0.4), -1];
    const last: Vector = [aside, between(random, -1, 1), -0.7];
    const from: Vector = [0.1 * aside * frame.trunk, between(random, -0.1, 0.1) * frame.trunk, -0.15 * frame.trunk];
    addChain(wearer, parent, from, [first, last], length, count(random, 2, 10));
  }
};

const skirt: Dress = (wearer) => {
  const { random, frame, bone } = wearer;
  const isOnLegs = random() < 0.15;
  const hips = pick(random, [bone('hips'), bone('hips'), bone('spine')]) as RigNode;
  const pairs = count(random, 1, 6);
  const length = between(random, 0.2, 1.15) * frame.leg;
  const joints = count(random, 2, 7);
  const width = between(random, 0.15, 0.35) * frame.trunk;
  for (let k = 0; k < pairs; k++) {
    const angle = ((k + 0.5) / pairs) * Math.PI;
    const out: Vector = [Math.sin(angle), 0, Math.cos(angle)];
    const from: Vector = plus(times(out, width), [0, between(random, -0.1, 0.1) * frame.trunk, 0]);
    const down: Vector = plus(times(out, between(random, 0, 0.5)), [0, -1, 0]);
    const on = isOnLegs ? ([bone('leftUpperLeg'), bone('rightUpperLeg')] as [RigNode, RigNode]) : ([hips, hips] as [RigNode, RigNode]);
    addPair(wearer, on, from, [down, plus(times(out, 0.1), [0, -1, 0])], length, joints);
  }
  for (const z of [1, -1]) {
    if (random() < 0.6) addChain(wearer, hips, [0, 0, z * width], [[0, -1, 0.3 * z], [0, -1, 0.1 * z]], length, joints);
  }
};

const cape: Dress = (wearer) => {
  const { random, frame, bone } = wearer;
  const chest = pick(random, [chestOf(wearer), bone('neck') ?? chestOf(wearer)]);
  const columns = count(random, 1, 7);
  const length = between(random, 0.6, 2.4) * frame.trunk;
  const joints = count(random, 2, 8);
  for (let k = 0; k < columns; k++) {
    const x = columns === 1 ? 0 : (k / (columns - 1) - 0.5) * 0.6;
    const from: Vector = [x * frame.trunk, between(random, -0.05, 0.2) * frame.trunk, -0.2 * frame.trunk];
    addChain(wearer, chest, from, [[x, -1, -0.6], [0.3 * x, -1, -0.1]], length, joints);
  }
};

const wings: Dress = (wearer) => {
  const { random, frame } = wearer;
  const chest = chestOf(wearer);
  const from: Vector = [between(random, 0.03, 0.25) * frame.trunk, between(random, -0.3, 0.1) * frame.trunk, -0.2 * frame.trunk];
  const first: Vector = [between(random, 0.3, 1), between(random, -0.3, 1), between(random, -1, -0.1)];
  const last: Vector = [1, between(random, -1, 0.3), between(random, -0.6, 0)];
  const joints = count(random, 2, 7);
  const length = between(random, 0.5, 2.4) * frame.arm;
  const sides = addPair(wearer, [chest, chest], from, [first, last], length, joints);
  if (random() < 0.5) return;
  for (let k = 1; k < joints; k++) {
    const on: [RigNode, RigNode] = [sides[0][k], sides[1][k]];
    addPair(wearer, on, [0, 0, 0], [[0.5, -1, 0], [0.2, -1, 0]], (length * between(random, 0.2, 0.6)) / 1.5, count(random, 1, 3));
  }
};

const prop: Dress = (wearer) => {
  const { random, frame, bone } = wearer;
  const hand = bone(pick(random, ['leftHand', 'rightHand'] as const)) as RigNode;
  const direction = unit([random() - 0.5, random() - 0.5, random() - 0.5]);
  const length = between(random, 0.3, 2.2) * frame.arm;
  const from = times([random() - 0.5, random() - 0.5, random() - 0.5], 0.15 * frame.arm);
  addChain(wearer, hand, from, [direction, direction], length, count(random, 1, 4));
  if (random() < 0.3) addChain(wearer, hand, from, [times(direction, -1), times(direction, -1)], length, count(random, 2, 3));
};

const onBack: Dress = (wearer) => {
  const { random, frame, bone } = wearer;
  const parent = pick(random, [chestOf(wearer), bone('hips') as RigNode]);
  for (let k = count(random, 1, 3); k > 0; k--) {
    const from = times([random() - 0.5, random() - 0.5, -0.6], 0.5 * frame.trunk);
    const direction: Vector = [random() - 0.5, random() - 0.5, -0.3];
    addChain(wearer, parent, from, [direction, direction], between(random, 0.1, 1.8) * frame.trunk, count(random, 1, 4));
  }
};

const sleeves: Dress = (wearer) => {
  const { random, frame, bone } = wearer;
  const part = pick(random, ['LowerArm', 'UpperArm'] as const);
  const on: [RigNode, RigNode] = [bone(`left${part}`) as RigNode, bone(`right${part}`) as RigNode];
  const length = between(random, 0.1, 0.9) * frame.arm;
  const joints = count(random, 1, 4);
  for (let k = count(random, 1, 3); k > 0; k--) {
    const from = times([random(), random() - 0.5, random() - 0.5], 0.1 * frame.arm);
    addPair(wearer, on, from, [[0.3, -1, 0], [0, -1, 0]], length, joints);
  }
};

const breasts: Dress = (wearer) => {
  const { random, frame } = wearer;
  const chest = chestOf(wearer);
  const from: Vector = [0.15 * frame.trunk, -0.2 * frame.trunk, 0.1 * frame.trunk];
  addPair(wearer, [chest, chest], from, [[0.2, 0, 1], [0.2, 0, 1]], between(random, 0.1, 0.25) * frame.trunk, count(random, 1, 3));
};

const faceRig: Dress = (wearer) => {
  const { random, frame } = wearer;
  const head = wearer.bone('head') as RigNode;
  const size = between(random, 0.2, 0.5) * frame.trunk;
  for (let k = count(random, 2, 10); k > 0; k--) {
    const from: Vector = [between(random, 0.05, 0.4) * size, between(random, -0.1, 0.8) * size, between(random, 0.2, 0.5) * size];
    addPair(wearer, [head, head], from, [[0, 0, 1], [0, 0, 1]], 0.1 * size, count(random, 1, 2));
  }
  if (random() < 0.5) addChain(wearer, head, [0, -0.05 * size, 0.2 * size], [[0, -0.4, 1], [0, -0.2, 1]], 0.3 * size, count(random, 1, 4));
};

const beard: Dress = (wearer) => {
  const { random, frame } = wearer;
  const head = wearer.bone('head') as RigNode;
  addChain(wearer, head, [0, 0, 0.2 * frame.trunk], [[0, -0.5, 1], [0, -1, 0.1]], between(random, 0.2, 1.2) * frame.trunk, count(random, 2, 5));
};

const pads: Dress = (wearer) => {
  const { random, frame, bone } = wearer;
  const part = pick(random, ['UpperArm', 'LowerLeg', 'UpperLeg', 'Foot'] as const);
  const on: [RigNode, RigNode] = [bone(`left${part}`) as RigNode, bone(`right${part}`) as RigNode];
  addPair(wearer, on, [0.1 * frame.trunk, 0.05 * frame.trunk, 0], [[1, 0, 0], [1, 0, 0]], between(random, 0.05, 0.3) * frame.trunk, count(random, 1, 2));
};

const bigHead: Dress = (wearer) => {
  const { tree, random, frame } = wearer;
  const head = wearer.bone('head') as RigNode;
  const factor = between(random, 1.5, 4);
  stretch(head, between(random, 1, 1.5));
  for (const node of tree.nodes) if (isBelow(node, head)) stretch(node, factor);
  updateMatrices(tree);
  if (random() < 0.5) addChain(wearer, head, [0, between(random, 0.8, 1.6) * frame.trunk, 0], [[0, 1, 0], [0, 1, 0]], 0, 1);
};

const shortLegs: Dress = ({ tree, random, bone, frame }) => {
  // Not shorter than half of the trunk.
  const factor = Math.min(1, Math.max(between(random, 0.35, 0.8), (0.5 * frame.trunk) / frame.leg));
  const pairs = (['left', 'right'] as const).map((side) => [bone(`${side}UpperLeg`), bone(`${side}Foot`)] as [RigNode, RigNode]);
  if (pairs.some(([thigh, foot]) => !isBelow(foot, thigh))) return;
  for (const [thigh, foot] of pairs) {
    for (const node of tree.nodes) if (isBelow(node, thigh) && !isBelow(node, foot)) stretch(node, factor);
  }
  updateMatrices(tree);
};

/** Rotates the local transforms of a node so that it rotates by `q` in the pose of the matrices. */
function rotateNode(node: RigNode, q: Quaternion, isInBind: boolean): void {
  const above = node.parent === null ? [0, 0, 0, 1] : rotationOf(node.parent.matrix);
  const local = product(inverse(above), q, above);
  for (const pose of isInBind ? [node.rest, node.bind] : [node.rest]) {
    if (pose !== null) pose.set(product(local, Array.from(pose.subarray(3, 7))), 3);
  }
}

/** Rotation of a matrix with uniform scale. */
function rotationOf(m: Float64Array): Quaternion {
  const [x, y, z] = [0, 4, 8].map((o) => unit([m[o], m[o + 1], m[o + 2]]));
  const w = Math.sqrt(Math.max(0, 1 + x[0] + y[1] + z[2])) / 2;
  if (w > 1e-3) return [(y[2] - z[1]) / (4 * w), (z[0] - x[2]) / (4 * w), (x[1] - y[0]) / (4 * w), w];
  const a = [x[0], y[1], z[2]].map((d) => Math.sqrt(Math.max(0, (1 + d) / 2)));
  const k = a.indexOf(Math.max(...a));
  const columns = [x, y, z];
  const q = [0, 0, 0, 0];
  for (let c = 0; c < 3; c++) q[c] = c === k ? a[k] : (columns[k][c] + columns[c][k]) / (4 * a[k]);
  return q;
}

const onePosedArm: Dress = (wearer) => {
  const { tree, random, bone, frame } = wearer;
  const side = pick(random, ['left', 'right'] as const);
  const [upper, lower, hand] = (['UpperArm', 'LowerArm', 'Hand'] as const).map((part) => bone(`${side}${part}`) as RigNode);
  const isInBind = random() < 0.3;
  const out = times(frame.left, side === 'left' ? 1 : -1);
  // The arm points outward or to the front, up to 60° up or down; the elbow bends to the front, up, or inward.
  const yaw = between(random, -0.2, 1.5);
  const pitch = between(random, -1.2, 1);
  const goal = unit(
    plus(plus(times(out, Math.cos(yaw) * Math.cos(pitch)), times(frame.front, Math.sin(yaw) * Math.cos(pitch))), times(frame.up, Math.sin(pitch))),
  );
  const now = unit(minus(positionIn(lower), positionIn(upper)));
  const axis = cross(now, goal);
  if (norm(axis) < 1e-3) return;
  rotateNode(upper, aboutAxis(axis, Math.atan2(norm(axis), dot(now, goal))), isInBind);
  const fore = unit(minus(positionIn(hand), positionIn(lower)));
  const bend = unit(plus(times(frame.front, 1), times(frame.up, between(random, -0.3, 1))));
  const hinge = cross(fore, bend);
  if (norm(hinge) > 0.2) rotateNode(lower, aboutAxis(hinge, between(random, 0, 1.6)), isInBind);
  updateMatrices(tree);
};

/** Inserts palm bones between hands and fingers: one per hand, or one per finger. */
const palms: Dress = (wearer) => {
  const { tree, random, bone } = wearer;
  const isOne = random() < 0.5;
  const hasThumb = random() < 0.3;
  const part = isOne ? between(random, 0.1, 0.6) : between(random, 0.08, 0.3);
  for (const side of ['left', 'right'] as const) {
    const hand = bone(`${side}Hand`) as RigNode;
    const fingers = (['Index', 'Middle', 'Ring', 'Little'] as const).flatMap((name) => bone(`${side}${name}Proximal`) ?? []);
    const thumb = bone(`${side}ThumbMetacarpal`);
    const moved = [...fingers, ...(hasThumb && isOne && thumb !== null ? [thumb] : [])].filter(({ parent }) => parent === hand);
    if (moved.length < 2) continue;
    const at = (node: RigNode): Vector => plus(positionIn(hand), times(minus(positionIn(node), positionIn(hand)), part));
    const shared = isOne ? addNode(tree, hand, times(fingers.map(at).reduce(plus), 1 / fingers.length)) : null;
    for (const finger of moved) reparent(finger, shared ?? addNode(tree, hand, at(finger)));
  }
  updateMatrices(tree);
};

const noMesh: Dress = ({ tree }) => {
  // Meshes are leaves beside joints; leaves without them are ends.
  const isMesh = (node: RigNode): boolean =>
    node.old >= 0 && !node.isJoint && !tree.nodes.some(({ parent }) => parent === node) &&
    tree.nodes.some((other) => other.parent === node.parent && other.isJoint);
  const meshes = new Set(tree.nodes.filter(isMesh));
  tree.nodes.splice(0, tree.nodes.length, ...tree.nodes.filter((node) => !meshes.has(node)));
  for (const node of tree.nodes) {
    node.isJoint = false;
    node.bind = null;
  }
};

/** Everything that a humanoid can be dressed with, in the order in which it is put on. */
export const DRESSINGS: Readonly<Record<string, Dress>> = {
  palms,
  'short legs': shortLegs,
  'big head': bigHead,
  'posed arm': onePosedArm,
  hair,
  ears,
  tail,
  skirt,
  cape,
  wings,
  prop,
  'on back': onBack,
  sleeves,
  breasts,
  'face rig': faceRig,
  beard,
  pads,
  'no mesh': noMesh,
};

/** A dressed rig, and what it wears. */
export interface Dressed extends RebuiltRig {
  readonly kinds: readonly string[];
}

/**
 * Dresses a humanoid at random, the same for the same seed; removes its names and shuffles its nodes.
 *
 * @param skeleton The skeleton.
 * @param clip A clip of it, or null.
 * @param nodes Node per bone, −1 where absent.
 * @param seed Seed of all choices.
 * @param chosen The kinds to choose from.
 */
export function dress(
  skeleton: Skeleton,
  clip: Clip | null,
  nodes: ArrayLike<number>,
  seed: number,
  chosen: readonly string[] = Object.keys(DRESSINGS),
): Dressed {
  const random = makeRandom(seed);
  const tree = treeOf(skeleton, clip);
  const all = [...tree.nodes];
  const bone = (name: BoneName): RigNode | null => all[nodes[BONE[name]]] ?? null;
  const wearer: Wearer = { tree, random, bone, frame: frameOf(bone) };
  const chance = between(random, 1, 5) / chosen.length;
  // A motion file has no mesh to lose.
  const isBound = skeleton.bind !== null;
  const kinds = chosen.filter((kind) => random() < chance && (isBound || kind !== 'no mesh'));
  for (const kind of kinds) {
    DRESSINGS[kind](wearer);
    wearer.frame = frameOf(bone);
  }
  return { ...rebuild(tree, random), kinds };
}

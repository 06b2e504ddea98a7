/** Rigs with more joints than bones: joints between the bones, twist joints in and beside the limbs, any other joints. */
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import { between, pick, type Random, randomRotation } from '../../../src/demo/random.ts';
import { IDENTITY, read, times } from '../reference/plain.ts';
import { insertNode } from './change-rig.ts';
import { randomVector } from './random-rig.ts';

const NAMES = ['', 'twist', 'Forearm_Roll', 'spine_x', 'helper', 'IK', 'hand', 'DEF-part'];

function named(humanoid: Humanoid, node: number, name: string, isJoint: boolean): Humanoid {
  const { skeleton } = humanoid;
  const names = skeleton.names.map((old, n) => (n === node ? name : old));
  const joints = skeleton.joints.map((old, n) => (n === node ? Number(isJoint) : old));
  return { ...humanoid, skeleton: { ...skeleton, names, joints } };
}

/** Inserts one to three joints between the node of a bone and its parent. */
function chainAbove(random: Random, humanoid: Humanoid, bone: number): Humanoid {
  let longer = humanoid;
  for (let count = 1 + Math.floor(3 * random()); count > 0; count--) {
    const node = longer.map.nodes[bone];
    const translation = times(read(longer.skeleton.rest, 10 * node, 3), pick(random, [0, 1, between(random, 0, 1)]));
    const rotation = pick(random, [IDENTITY, randomRotation(random)]);
    longer = insertNode(longer, node, { translation, rotation, scale: pick(random, [1, 1, 2]) }).humanoid;
    longer = named(longer, node, pick(random, NAMES), random() < 0.9);
  }
  return longer;
}

/** A rig that joints are appended to. */
interface GrowingRig {
  readonly names: string[];
  readonly parents: number[];
  readonly rest: number[];
  readonly joints: number[];
  readonly children: number[][];
}

function growingRig({ names, parents, rest, joints }: Skeleton): GrowingRig {
  const children: number[][] = names.map(() => []);
  parents.forEach((parent, node) => {
    if (parent >= 0) children[parent].push(node);
  });
  return {
    names: [...names],
    parents: Array.from(parents),
    rest: Array.from(rest),
    joints: Array.from(joints),
    children,
  };
}

/** Appends a joint below a node (−1: a root), between the node and one of its children or anywhere. */
function appendJoint(random: Random, { names, parents, rest, joints, children }: GrowingRig, parent: number): void {
  const below = parent < 0 ? parents.flatMap((above, node) => (above < 0 ? [node] : [])) : children[parent];
  const size = Math.hypot(...read(rest, 10 * Math.max(0, parent), 3)) || 1;
  const translation =
    below.length > 0 && random() < 0.8
      ? times(read(rest, 10 * pick(random, below), 3), pick(random, [0, 1, between(random, 0, 1)]))
      : randomVector(random, size);
  names.push(pick(random, NAMES));
  rest.push(...translation, ...randomRotation(random), 1, 1, 1);
  if (parent >= 0) children[parent].push(parents.length);
  parents.push(parent);
  joints.push(1);
  children.push([]);
}

/** Adds random joints between and beside the bones. The new rest pose is also the base pose. */
export function withHelpers(random: Random, humanoid: Humanoid): Humanoid {
  let helped: Humanoid = { ...humanoid, basePose: null };
  const share = pick(random, [0.2, 0.6]);
  for (let bone = 0; bone < humanoid.map.nodes.length; bone++) {
    if (humanoid.map.nodes[bone] >= 0 && random() < share) helped = chainAbove(random, helped, bone);
  }
  const rig = growingRig(helped.skeleton);
  const count = rig.names.length;
  for (let node = -1; node < count; node++) if (random() < share / 2) appendJoint(random, rig, node);
  // Nested joints too.
  for (let node = count; node < rig.names.length && node < 2 * count; node++) {
    if (random() < 0.3) appendJoint(random, rig, node);
  }
  let joints = Uint8Array.from(rig.joints);
  if (random() < 0.3) joints = joints.map(() => 1);
  if (random() < 0.2) joints = joints.map(() => 0);
  const [parents, rest] = [Int32Array.from(rig.parents), Float64Array.from(rig.rest)];
  return { ...helped, skeleton: { ...helped.skeleton, names: rig.names, parents, rest, joints } };
}

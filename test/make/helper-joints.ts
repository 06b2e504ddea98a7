/** Rigs with more joints than bones: chains with joints between the bones, twist joints in and beside the limbs, joints without a place. */
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import { between, pick, type Random, randomRotation } from '../../src/demo/random.ts';
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

/** One to three joints between the node of a bone and its parent, somewhere on the way. */
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

/** A joint below a node, on the way to one of its children or anywhere. */
function jointBelow(random: Random, humanoid: Humanoid, parent: number): Humanoid {
  const { skeleton } = humanoid;
  const children = skeleton.names.flatMap((_, node) => (skeleton.parents[node] === parent ? [node] : []));
  const size = Math.hypot(...read(skeleton.rest, 10 * Math.max(0, parent), 3)) || 1;
  const place =
    children.length > 0 && random() < 0.8
      ? times(read(skeleton.rest, 10 * pick(random, children), 3), pick(random, [0, 1, between(random, 0, 1)]))
      : randomVector(random, size);
  return {
    ...humanoid,
    skeleton: {
      ...skeleton,
      names: [...skeleton.names, pick(random, NAMES)],
      parents: Int32Array.from([...skeleton.parents, parent]),
      rest: Float64Array.from([...skeleton.rest, ...place, ...randomRotation(random), 1, 1, 1]),
      joints: Uint8Array.from([...skeleton.joints, 1]),
    },
    shape: null,
  };
}

/** The same body with random joints between and beside its bones. Its rest becomes the shape of its reference pose. */
export function withHelpers(random: Random, humanoid: Humanoid): Humanoid {
  let helped: Humanoid = { ...humanoid, shape: null };
  const share = pick(random, [0.2, 0.6]);
  for (let bone = 0; bone < humanoid.map.nodes.length; bone++) {
    if (humanoid.map.nodes[bone] >= 0 && random() < share) helped = chainAbove(random, helped, bone);
  }
  const count = helped.skeleton.names.length;
  for (let node = -1; node < count; node++) if (random() < share / 2) helped = jointBelow(random, helped, node);
  // Nested ones too.
  for (let node = count; node < helped.skeleton.names.length && node < 2 * count; node++) {
    if (random() < 0.3) helped = jointBelow(random, helped, node);
  }
  if (random() < 0.3)
    helped = { ...helped, skeleton: { ...helped.skeleton, joints: helped.skeleton.joints.map(() => 1) } };
  if (random() < 0.2)
    helped = { ...helped, skeleton: { ...helped.skeleton, joints: helped.skeleton.joints.map(() => 0) } };
  return helped;
}

/** The same body stored in another way: changes of a rig that come with the same change of its poses and clips. */
import type { Clip, Track } from '../../src/core/animation/clip.ts';
import { BONE_COUNT } from '../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../src/core/humanoid/humanoid.ts';
import type { Random } from '../../src/demo/random.ts';
import {
  inverse,
  minus,
  plus,
  product,
  type Quaternion,
  read,
  times,
  turned,
  type Vector,
} from '../reference/plain.ts';

/** A rig stored in another way, and how its poses (10 floats a node) and clips follow. */
export interface Change {
  readonly humanoid: Humanoid;
  readonly pose: (local: Float64Array) => Float64Array;
}

/** Other local axes in every node: W(n) → W(n) · G(n). Only for uniform scales. */
export function regauge(humanoid: Humanoid, gauges: readonly Quaternion[]): Change & { clip: (clip: Clip) => Clip } {
  const { skeleton, reference, map } = humanoid;
  const above = (node: number): Quaternion =>
    skeleton.parents[node] < 0 ? [0, 0, 0, 1] : gauges[skeleton.parents[node]];
  const vector = (node: number, v: Vector): Vector => turned(inverse(above(node)), v);
  const rotation = (node: number, q: Quaternion): Quaternion => product(inverse(above(node)), q, gauges[node]);
  const pose = (local: ArrayLike<number>): Float64Array => {
    const out = Float64Array.from(local);
    for (let node = 0; node < skeleton.parents.length; node++) {
      out.set(vector(node, read(local, 10 * node, 3)), 10 * node);
      out.set(rotation(node, read(local, 10 * node + 3, 4)), 10 * node + 3);
    }
    return out;
  };
  const track = (old: Track): Track => {
    if (old.path === 'scale') return old;
    const [width, map] = old.path === 'rotation' ? [4, rotation] : [3, vector];
    const values = Float64Array.from(old.values);
    for (let i = 0; i < values.length; i += width) values.set(map(old.target, read(old.values, i, width)), i);
    return { ...old, values };
  };
  const rotations = Float64Array.from(reference.rotations);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] >= 0) rotations.set(product(read(rotations, 4 * bone, 4), gauges[map.nodes[bone]]), 4 * bone);
  }
  return {
    humanoid: {
      ...humanoid,
      skeleton: { ...skeleton, rest: pose(skeleton.rest) },
      shape: humanoid.shape && pose(humanoid.shape),
      reference: { ...reference, rotations },
    },
    pose,
    clip: (clip) => ({ ...clip, tracks: clip.tracks.map(track) }),
  };
}

/** Ten floats of a node. */
export interface Placing {
  readonly translation: Vector;
  readonly rotation: Quaternion;
  readonly scale: number;
}

function floats({ translation, rotation, scale }: Placing): number[] {
  return [...translation, ...rotation, scale, scale, scale];
}

/** A new root above all roots; the frame and the unit take out what it does, so that the body stands where it stood, but for the translation. */
export function underArmature(humanoid: Humanoid, placing: Placing): Change {
  const { skeleton, reference, map } = humanoid;
  const frame = product(Array.from(humanoid.frame), inverse(placing.rotation));
  const metersPerUnit = humanoid.metersPerUnit / placing.scale;
  const shift = times(turned(frame, placing.translation), metersPerUnit);
  const positions = Float64Array.from(reference.positions);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (map.nodes[bone] >= 0) positions.set(plus(read(positions, 3 * bone, 3), shift), 3 * bone);
  }
  const pose = (local: ArrayLike<number>): Float64Array =>
    Float64Array.from([...floats(placing), ...Array.from(local)]);
  return {
    humanoid: {
      ...humanoid,
      skeleton: {
        ...skeleton,
        names: ['armature', ...skeleton.names],
        parents: Int32Array.from([-1, ...Array.from(skeleton.parents, (parent) => parent + 1)]),
        rest: pose(skeleton.rest),
        joints: Uint8Array.from([0, ...skeleton.joints]),
      },
      shape: humanoid.shape && pose(humanoid.shape),
      map: { ...map, nodes: map.nodes.map((node) => (node < 0 ? -1 : node + 1)) },
      reference: { ...reference, positions },
      frame: Float64Array.from(frame),
      metersPerUnit,
      ground: humanoid.ground + shift[1],
    },
    pose,
  };
}

/**
 * A new node between a node and its parent. The node's own local values make up for it, so that the world is what it was.
 * `placing` is that of the rest pose; poses may have another one.
 */
export function insertNode(
  humanoid: Humanoid,
  at: number,
  placing: Placing,
): Omit<Change, 'pose'> & { pose: (local: ArrayLike<number>, placing: Placing) => Float64Array } {
  const { skeleton, map } = humanoid;
  const shifted = (node: number): number => (node < at ? node : node + 1);
  const pose = (local: ArrayLike<number>, { translation, rotation, scale }: Placing): Float64Array => {
    const back = inverse(rotation);
    const own = Array.from(local);
    const offset = times(turned(back, minus(own.slice(10 * at, 10 * at + 3), translation)), 1 / scale);
    const rest = [...offset, ...product(back, own.slice(10 * at + 3, 10 * at + 7))];
    const sizes = own.slice(10 * at + 7, 10 * at + 10).map((size) => size / scale);
    own.splice(10 * at, 10, ...floats({ translation, rotation, scale }), ...rest, ...sizes);
    return Float64Array.from(own);
  };
  const parents = Array.from(skeleton.parents, (parent) => (parent < 0 ? -1 : shifted(parent)));
  parents.splice(at, 1, parents[at], at);
  return {
    humanoid: {
      ...humanoid,
      skeleton: {
        ...skeleton,
        names: [...skeleton.names.slice(0, at), 'between', ...skeleton.names.slice(at)],
        parents: Int32Array.from(parents),
        rest: pose(skeleton.rest, placing),
        joints: Uint8Array.from([...skeleton.joints.subarray(0, at), 0, ...skeleton.joints.subarray(at)]),
      },
      shape: humanoid.shape && pose(humanoid.shape, placing),
      map: { ...map, nodes: map.nodes.map((node) => (node < 0 ? -1 : shifted(node))) },
    },
    pose,
  };
}

/** The nodes in another order, parents first. `place` says where every node has gone. */
export function permute(random: Random, humanoid: Humanoid): Change & { place: Int32Array } {
  const { skeleton, map } = humanoid;
  const count = skeleton.parents.length;
  const place = new Int32Array(count).fill(-1);
  const order: number[] = [];
  const left = Array.from({ length: count }, (_, node) => node);
  while (left.length > 0) {
    const ready = left.filter((node) => skeleton.parents[node] < 0 || place[skeleton.parents[node]] >= 0);
    const next = ready[Math.floor(random() * ready.length)];
    place[next] = order.length;
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  const pose = (local: ArrayLike<number>): Float64Array =>
    Float64Array.from(order.flatMap((node) => read(local, 10 * node, 10)));
  return {
    humanoid: {
      ...humanoid,
      skeleton: {
        ...skeleton,
        names: order.map((node) => skeleton.names[node]),
        parents: Int32Array.from(order, (node) => (skeleton.parents[node] < 0 ? -1 : place[skeleton.parents[node]])),
        rest: pose(skeleton.rest),
        joints: Uint8Array.from(order, (node) => skeleton.joints[node]),
      },
      shape: humanoid.shape && pose(humanoid.shape),
      map: { ...map, nodes: map.nodes.map((node) => (node < 0 ? -1 : place[node])) },
    },
    pose,
    place,
  };
}

/** The body `factor` times as large: every length of it. */
export function resized(humanoid: Humanoid, factor: number): Change {
  const pose = (local: ArrayLike<number>): Float64Array =>
    Float64Array.from(local, (value, k) => (k % 10 < 3 ? value * factor : value));
  const { skeleton, reference } = humanoid;
  return {
    humanoid: {
      ...humanoid,
      skeleton: { ...skeleton, rest: pose(skeleton.rest) },
      shape: humanoid.shape && pose(humanoid.shape),
      reference: { ...reference, positions: reference.positions.map((x) => x * factor) },
      ground: humanoid.ground * factor,
      hipsHeight: humanoid.hipsHeight * factor,
      height: humanoid.height * factor,
    },
    pose,
  };
}

/** The same nodes, some of them no longer known as bones. */
export function without(humanoid: Humanoid, bones: readonly number[]): Humanoid {
  const nodes = humanoid.map.nodes.map((node, bone) => (bones.includes(bone) ? -1 : node));
  return { ...humanoid, map: { ...humanoid.map, nodes } };
}

/** The same nodes with another rest pose, which is also the one that the reference pose was taken from. */
export function resting(humanoid: Humanoid, rest: Float64Array): Humanoid {
  return { ...humanoid, skeleton: { ...humanoid.skeleton, rest }, shape: null };
}

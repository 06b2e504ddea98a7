/** Changes of how a character is stored, with the same change of its poses and clips. */
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { BONE_COUNT } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { pick, type Random } from '../../../src/demo/random.ts';
import {
  inverse,
  minus,
  plus,
  product,
  type Quaternion,
  read,
  rotated,
  times,
  type Vector,
} from '../reference/plain.ts';

/** A changed rig, and the function that changes its poses (10 floats per node). */
export interface Change {
  readonly humanoid: Humanoid;
  readonly pose: (local: Float64Array) => Float64Array;
}

/** Changes the local axes of every node: W(n) → W(n) · G(n). Only for uniform scales. */
export function regauge(humanoid: Humanoid, gauges: readonly Quaternion[]): Change & { clip: (clip: Clip) => Clip } {
  const { skeleton, reference, map } = humanoid;
  const above = (node: number): Quaternion =>
    skeleton.parents[node] < 0 ? [0, 0, 0, 1] : gauges[skeleton.parents[node]];
  const vector = (node: number, v: Vector): Vector => rotated(inverse(above(node)), v);
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
      basePose: humanoid.basePose && pose(humanoid.basePose),
      reference: { ...reference, rotations },
    },
    pose,
    clip: (clip) => ({ ...clip, tracks: clip.tracks.map(track) }),
  };
}

/** Transform of a node. */
export interface Placing {
  readonly translation: Vector;
  readonly rotation: Quaternion;
  readonly scale: number;
}

function floats({ translation, rotation, scale }: Placing): number[] {
  return [...translation, ...rotation, scale, scale, scale];
}

/** Inserts a root above all roots; frame and unit cancel its rotation and scale, so that only its translation moves the character. */
export function underArmature(humanoid: Humanoid, placing: Placing): Change {
  const { skeleton, reference, map } = humanoid;
  const frame = product(Array.from(humanoid.frame), inverse(placing.rotation));
  const metersPerUnit = humanoid.metersPerUnit / placing.scale;
  const shift = times(rotated(frame, placing.translation), metersPerUnit);
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
      basePose: humanoid.basePose && pose(humanoid.basePose),
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
 * Inserts a node between a node and its parent. The local values of the node compensate for it, so that the world pose is unchanged.
 * `placing` is its rest transform; poses can have another one.
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
    const start = 10 * at;
    const old = Float64Array.from(local);
    const out = new Float64Array(old.length + 10);
    out.set(old.subarray(0, start));
    out.set(floats({ translation, rotation, scale }), start);
    out.set(times(rotated(back, minus(read(old, start, 3), translation)), 1 / scale), start + 10);
    out.set(product(back, read(old, start + 3, 4)), start + 13);
    for (let c = 7; c < 10; c++) out[start + 10 + c] = old[start + c] / scale;
    out.set(old.subarray(start + 10), start + 20);
    return out;
  };
  const old = skeleton.parents.map((parent) => (parent < 0 ? -1 : shifted(parent)));
  const parents = new Int32Array(old.length + 1);
  parents.set(old.subarray(0, at + 1));
  parents.set(old.subarray(at), at + 1);
  parents[at + 1] = at;
  const joints = new Uint8Array(old.length + 1);
  joints.set(skeleton.joints.subarray(0, at));
  joints.set(skeleton.joints.subarray(at), at + 1);
  return {
    humanoid: {
      ...humanoid,
      skeleton: {
        ...skeleton,
        names: [...skeleton.names.slice(0, at), 'between', ...skeleton.names.slice(at)],
        parents,
        rest: pose(skeleton.rest, placing),
        joints,
      },
      basePose: humanoid.basePose && pose(humanoid.basePose, placing),
      map: { ...map, nodes: map.nodes.map((node) => (node < 0 ? -1 : shifted(node))) },
    },
    pose,
  };
}

/** Reorders the nodes, parents first. `place` is the new index of every node. */
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
      basePose: humanoid.basePose && pose(humanoid.basePose),
      map: { ...map, nodes: map.nodes.map((node) => (node < 0 ? -1 : place[node])) },
    },
    pose,
    place,
  };
}

/** Multiplies every length of a character by `factor`. */
export function resized(humanoid: Humanoid, factor: number): Change {
  const pose = (local: ArrayLike<number>): Float64Array =>
    Float64Array.from(local, (value, k) => (k % 10 < 3 ? value * factor : value));
  const { skeleton, reference } = humanoid;
  return {
    humanoid: {
      ...humanoid,
      skeleton: { ...skeleton, rest: pose(skeleton.rest) },
      basePose: humanoid.basePose && pose(humanoid.basePose),
      reference: { ...reference, positions: reference.positions.map((x) => x * factor) },
      ground: humanoid.ground * factor,
      hipsHeight: humanoid.hipsHeight * factor,
      height: humanoid.height * factor,
    },
    pose,
  };
}

/** Removes bones from the map; their nodes stay. */
export function without(humanoid: Humanoid, bones: readonly number[]): Humanoid {
  const nodes = humanoid.map.nodes.map((node, bone) => (bones.includes(bone) ? -1 : node));
  return { ...humanoid, map: { ...humanoid.map, nodes } };
}

/** Replaces the rest pose; the character then has no other base pose. */
export function resting(humanoid: Humanoid, rest: Float64Array): Humanoid {
  return { ...humanoid, skeleton: { ...humanoid.skeleton, rest }, basePose: null };
}

/** Signs of the scale of every node: of roots, of joints or of both negative on up to three axes. */
export function randomSigns(random: Random, { skeleton }: Humanoid): Vector[] {
  const [ofRoots, ofJoints] = pick(random, [
    [1, 0],
    [0, 0.3],
    [0.5, 0.3],
  ]);
  const sign = (): number => (random() < 0.5 ? -1 : 1);
  return Array.from(skeleton.parents, (parent) => {
    return random() < (parent < 0 ? ofRoots : ofJoints) ? [sign(), sign(), sign()] : [1, 1, 1];
  });
}

/**
 * Gives nodes negative scales, and the nodes below the opposite local transforms, so that all joints stay where they are: M(n) → M(n) · E(n), with E(n) the
 * product of the signs of the scales down to n.
 */
export function reflect(
  humanoid: Humanoid,
  signs: readonly Vector[],
): Change & { clip: (clip: Clip) => Clip; matrix: (node: number, axis: number) => number } {
  const { skeleton, basePose } = humanoid;
  const { parents } = skeleton;
  const down: Vector[] = [];
  const aboveOf = (node: number): Vector => (parents[node] < 0 ? [1, 1, 1] : down[parents[node]]);
  for (let node = 0; node < parents.length; node++) down.push(aboveOf(node).map((sign, c) => sign * signs[node][c]));
  const vector = (node: number, v: Vector): Vector => v.map((x, c) => x * aboveOf(node)[c]);
  // The axis of a rotation is a pseudovector.
  const rotation = (node: number, [x, y, z, w]: Quaternion): Quaternion => {
    const [a, b, c] = aboveOf(node);
    return [a * b * c * a * x, a * b * c * b * y, a * b * c * c * z, w];
  };
  const scale = (node: number, v: Vector): Vector => v.map((x, c) => x * signs[node][c]);
  const pose = (local: ArrayLike<number>): Float64Array => {
    const out = Float64Array.from(local);
    for (let node = 0; node < parents.length; node++) {
      out.set(vector(node, read(local, 10 * node, 3)), 10 * node);
      out.set(rotation(node, read(local, 10 * node + 3, 4)), 10 * node + 3);
      out.set(scale(node, read(local, 10 * node + 7, 3)), 10 * node + 7);
    }
    return out;
  };
  const track = (old: Track): Track => {
    const width = old.path === 'rotation' ? 4 : 3;
    const map = { translation: vector, rotation, scale }[old.path];
    const values = Float64Array.from(old.values);
    for (let i = 0; i < values.length; i += width) values.set(map(old.target, read(old.values, i, width)), i);
    return { ...old, values };
  };
  const bind = skeleton.bind?.map((x, k) => (k % 16 < 12 ? x * down[Math.floor(k / 16)][(k % 16) >> 2] : x)) ?? null;
  return {
    humanoid: {
      ...humanoid,
      skeleton: { ...skeleton, rest: pose(skeleton.rest), bind },
      basePose: basePose && pose(basePose),
    },
    pose,
    clip: (clip) => ({ ...clip, tracks: clip.tracks.map(track) }),
    matrix: (node, axis) => down[node][axis],
  };
}

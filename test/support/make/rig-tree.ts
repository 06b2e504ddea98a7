/** Skeletons as trees of objects, which can be changed node by node, and back. */
import type { Clip, Track } from '../../../src/core/animation/clip.ts';
import { sampleClip } from '../../../src/core/animation/sample.ts';
import * as mat4 from '../../../src/core/math/mat4.ts';
import { bindPose, localToModelMatrices } from '../../../src/core/skeleton/pose.ts';
import type { Skeleton } from '../../../src/core/skeleton/skeleton.ts';
import type { Random } from '../../../src/demo/random.ts';
import type { Quaternion, Vector } from '../reference/plain.ts';

/** A node of a rig that can be changed. */
export interface RigNode {
  /** Index in the original skeleton; −1 for a new node. */
  readonly old: number;
  parent: RigNode | null;
  /** Local transforms, 10 floats each. `bind` is null in a rig without a bind pose. */
  readonly rest: Float64Array;
  bind: Float64Array | null;
  isJoint: boolean;
  tracks: Omit<Track, 'target'>[];
  /** Model matrix in the pose in which the rig is changed, 16 floats. */
  readonly matrix: Float64Array;
}

/** A rig as a list of nodes in any order. */
export interface RigTree {
  readonly nodes: RigNode[];
  /** Number of nodes of the original skeleton. */
  readonly count: number;
  readonly clip: Clip | null;
}

/** The changed rig, and where its nodes are now. */
export interface RebuiltRig {
  readonly skeleton: Skeleton;
  readonly clip: Clip | null;
  /** New index of every original node; −1 for removed nodes. */
  readonly place: Int32Array;
}

/**
 * Creates a tree. The pose of `matrix` is the bind pose; without one the first frame of the clip, because the zero pose of a motion file
 * may be anything; without both the rest pose.
 */
export function treeOf(skeleton: Skeleton, clip: Clip | null): RigTree {
  const { parents, rest, joints } = skeleton;
  const bind = bindPose(skeleton);
  const pose = Float64Array.from(bind ?? rest);
  if (bind === null && clip !== null) sampleClip(clip, clip.tracks[0]?.times[0] ?? 0, pose);
  const matrices = new Float64Array(16 * parents.length);
  localToModelMatrices(matrices, parents, pose);
  const nodes: RigNode[] = [];
  for (let old = 0; old < parents.length; old++) {
    nodes.push({
      old,
      parent: parents[old] < 0 ? null : nodes[parents[old]],
      rest: Float64Array.from(rest.slice(10 * old, 10 * old + 10)),
      bind: bind === null ? null : bind.slice(10 * old, 10 * old + 10),
      isJoint: joints[old] === 1,
      tracks: (clip?.tracks ?? []).filter(({ target }) => target === old),
      matrix: matrices.slice(16 * old, 16 * old + 16),
    });
  }
  return { nodes, count: parents.length, clip };
}

/** Position of a node in the pose in which the rig is changed. */
export const positionIn = ({ matrix }: RigNode): Vector => [matrix[12], matrix[13], matrix[14]];

/** Adds a node at a position of model space, without a rotation relative to its parent. */
export function addNode(tree: RigTree, parent: RigNode, position: Vector): RigNode {
  const local = new Float64Array(10);
  local.set([0, 0, 0, 1, 1, 1, 1], 3);
  const inverse = new Float64Array(16);
  if (!mat4.invertAffine(inverse, 0, parent.matrix, 0)) throw new Error('A joint has no extent.');
  mat4.transformPoint(local, 0, inverse, 0, Float64Array.from(position), 0);
  const matrix = new Float64Array(16);
  mat4.compose(matrix, 0, local, 0);
  mat4.multiply(matrix, 0, parent.matrix, 0, matrix, 0);
  const isBound = tree.nodes.some(({ bind }) => bind !== null);
  const node: RigNode = {
    old: -1,
    parent,
    rest: local,
    bind: isBound ? Float64Array.from(local) : null,
    isJoint: parent.isJoint || tree.nodes.some(({ isJoint }) => isJoint),
    tracks: [],
    matrix,
  };
  tree.nodes.push(node);
  return node;
}

/** Makes a node the child of a new parent without moving it. The new parent must not rotate relative to the old one. */
export function reparent(node: RigNode, parent: RigNode): void {
  node.parent = parent;
  for (const local of [node.rest, node.bind])
    for (let c = 0; c < 3; c++) if (local !== null) local[c] -= parent.rest[c];
  node.tracks = node.tracks.map((track) =>
    track.path !== 'translation'
      ? track
      : { ...track, values: Float64Array.from(track.values, (value, k) => value - parent.rest[k % 3]) },
  );
}

/** Tests whether a node is below another one. */
export function isBelow(node: RigNode, top: RigNode): boolean {
  for (let above = node.parent; above !== null; above = above.parent) if (above === top) return true;
  return false;
}

/** Moves a node `factor` times as far away from its parent, in all poses. */
export function stretch(node: RigNode, factor: number): void {
  for (const local of [node.rest, node.bind]) for (let c = 0; c < 3; c++) if (local !== null) local[c] *= factor;
  node.tracks = node.tracks.map((track) =>
    track.path === 'translation'
      ? { ...track, values: Float64Array.from(track.values, (value) => value * factor) }
      : track,
  );
}

/** Computes the matrices again after a change of the local transforms that `matrix` comes from. */
export function updateMatrices({ nodes, clip }: RigTree): void {
  const done = new Set<RigNode>();
  const update = (node: RigNode): void => {
    if (done.has(node)) return;
    done.add(node);
    if (node.parent !== null) update(node.parent);
    const local = Float64Array.from(node.bind ?? node.rest);
    if (node.bind === null && clip !== null) {
      const tracks = node.tracks.map((track) => ({ ...track, target: 0 }));
      if (tracks.length > 0) sampleClip({ ...clip, tracks }, clip.tracks[0].times[0] ?? 0, local);
    }
    mat4.compose(node.matrix, 0, local, 0);
    if (node.parent !== null) mat4.multiply(node.matrix, 0, node.parent.matrix, 0, node.matrix, 0);
  };
  nodes.forEach(update);
}

/** Gives a node a small swing in the clip, as cloth and hair have. */
export function swing(node: RigNode, clip: Clip, axis: Vector, radians: number): void {
  const times = clip.tracks.reduce<ArrayLike<number>>(
    (most, track) => (track.times.length > most.length ? track.times : most),
    [],
  );
  if (times.length < 2) return;
  const rotation = (angle: number): Quaternion => [...axis.map((x) => x * Math.sin(angle / 2)), Math.cos(angle / 2)];
  node.tracks.push({
    path: 'rotation',
    interpolation: 'LINEAR',
    times: Float64Array.of(times[0], times[times.length >> 1], times[times.length - 1]),
    values: Float64Array.from([-radians, radians, -radians].flatMap((angle) => [...rotation(angle)])),
  } as Omit<Track, 'target'>);
}

/** Converts a tree to a skeleton without names; the order of the nodes is random, parents first. */
export function rebuild({ nodes, count, clip }: RigTree, random: Random): RebuiltRig {
  const below = new Map<RigNode | null, RigNode[]>();
  for (const node of nodes) below.set(node.parent, [...(below.get(node.parent) ?? []), node]);
  const ready = [...(below.get(null) ?? [])];
  const order: RigNode[] = [];
  while (ready.length > 0) {
    const [node] = ready.splice(Math.floor(random() * ready.length), 1);
    order.push(node);
    ready.push(...(below.get(node) ?? []));
  }
  const index = new Map(order.map((node, k) => [node, k]));
  const place = new Int32Array(count).fill(-1);
  for (const [k, { old }] of order.entries()) if (old >= 0) place[old] = k;
  const parents = Int32Array.from(order, ({ parent }) => (parent === null ? -1 : (index.get(parent) as number)));
  const collect = (of: (node: RigNode) => Float64Array): Float64Array => {
    const all = new Float64Array(10 * order.length);
    for (const [k, node] of order.entries()) all.set(of(node), 10 * k);
    return all;
  };
  const rest = collect((node) => node.rest);
  const isBound = order.some(({ bind }) => bind !== null);
  const bind = isBound ? new Float64Array(16 * order.length) : null;
  if (bind !== null) {
    const local = collect((node) => node.bind ?? node.rest);
    localToModelMatrices(bind, parents, local);
  }
  const tracks = order.flatMap((node, target) => node.tracks.map((track) => ({ ...track, target }) as Track));
  return {
    skeleton: {
      name: 'dressed',
      names: order.map(() => ''),
      parents,
      rest,
      bind,
      joints: Uint8Array.from(order, ({ isJoint }) => (isJoint ? 1 : 0)),
    },
    clip: clip === null ? null : { ...clip, tracks },
    place,
  };
}

/** Samples the tracks of a few nodes, and the model transforms above them. */
import { type Clip, TRACK_PATHS, type Track } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { sampleTrack } from '../animation/sample.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';

/** A node with all nodes above it, and the tracks of them all. */
export interface NodeChain {
  /** Nodes from the root down to the node itself. */
  readonly nodes: readonly number[];
  readonly tracks: readonly Track[];
  /** Local pose of the whole skeleton, 10 floats per node; only these nodes are sampled. */
  readonly local: Float64Array;
  /** Model matrix of the node after {@link sampleChain}. */
  readonly matrix: Float64Array;
  /** Model rotation of the node, xyzw, after {@link sampleChain}. */
  readonly rotation: Float64Array;
}

export function createNodeChain({ parents, rest }: Skeleton, clip: Clip, node: number): NodeChain {
  const nodes: number[] = [];
  for (let at = node; at >= 0; at = parents[at]) nodes.unshift(at);
  return {
    nodes,
    tracks: clip.tracks.filter(({ target }) => nodes.includes(target)),
    local: Float64Array.from(rest),
    matrix: new Float64Array(MATRIX_STRIDE),
    rotation: new Float64Array(4),
  };
}

export function sampleChain({ nodes, tracks, local, matrix, rotation }: NodeChain, time: number): void {
  for (const track of tracks) sampleTrack(track, time, local, POSE_STRIDE * track.target + PATH_OFFSET[track.path]);
  mat4.identity(matrix, 0);
  quat.identity(rotation, 0);
  for (const node of nodes) {
    mat4.multiplyTransform(matrix, 0, matrix, 0, local, POSE_STRIDE * node);
    quat.multiply(rotation, 0, rotation, 0, local, POSE_STRIDE * node + PATH_OFFSET.rotation);
  }
  quat.normalize(rotation, 0, rotation, 0);
}

/** Tells which nodes move with a character: those that a clip moves, its bones, and the nodes above them. */
export function nodesWithTracks({ skeleton, map }: Humanoid, clip: Clip): Uint8Array {
  const { parents } = skeleton;
  const found = new Uint8Array(parents.length);
  for (const { target } of clip.tracks) found[target] = 1;
  for (const node of map.nodes) if (node >= 0) found[node] = 1;
  for (let node = parents.length - 1; node >= 0; node--) {
    if (found[node] === 1 && parents[node] >= 0) found[parents[node]] = 1;
  }
  return found;
}

export function movesNode({ tracks }: Clip, node: number, paths: readonly Track['path'][] = TRACK_PATHS): boolean {
  return tracks.some((track) => track.target === node && paths.includes(track.path) && !isConstantTrack(track));
}

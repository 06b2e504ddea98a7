/** Measures what LINEAR keys change about world rotations, where errors along a chain of joints add up. */
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import type { Track } from './clip.ts';
import { sampleTrack } from './sample.ts';

/** Times that are compared per key of the longest LINEAR track. */
const CHECKS_PER_KEY = 2;
const LEAST_CHECKS = 64;
const MOST_CHECKS = 20_000;
/** Fractional part of the golden ratio: its multiples are spread evenly, and none is at a fraction where a halved interval has a key. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A node that differs itself, or passes the difference of a node above it on to one below it. */
interface ComparedNode {
  readonly node: number;
  /** Position of the parent in the list; −1 where no node above differs. */
  readonly above: number;
  /** Its rotation track; null where it keeps its rest rotation. */
  readonly track: Track | null;
}

/** World rotations of a clip that LINEAR tracks are compared with. */
export interface WorldRotations {
  /**
   * Nodes from the first replaced track of a chain to the last, parents before children.
   *
   * @internal
   */
  readonly nodes: readonly ComparedNode[];
  /**
   * Seconds, ascending.
   *
   * @internal
   */
  readonly times: Float64Array;
  /**
   * Rotations relative to the node above the chain, which is the same on both sides: xyzw per time and node.
   *
   * @internal
   */
  readonly rotations: Float64Array;
}

function comparedNodes({ parents }: Skeleton, tracks: readonly Track[], replaced: ReadonlySet<number>): ComparedNode[] {
  const rotations = new Map(tracks.filter(({ path }) => path === 'rotation').map((track) => [track.target, track]));
  const leads = new Uint8Array(parents.length);
  for (let node = parents.length - 1; node >= 0; node--) {
    if (replaced.has(node)) leads[node] = 1;
    if (parents[node] >= 0) leads[parents[node]] |= leads[node];
  }
  const at = new Int32Array(parents.length).fill(-1);
  const nodes: ComparedNode[] = [];
  for (let node = 0; node < parents.length; node++) {
    const above = parents[node] < 0 ? -1 : at[parents[node]];
    if (leads[node] === 0 || (above < 0 && !replaced.has(node))) continue;
    at[node] = nodes.length;
    nodes.push({ node, above, track: rotations.get(node) ?? null });
  }
  return nodes;
}

/**
 * Samples the world rotations that replaced tracks change.
 *
 * @param skeleton the animated skeleton.
 * @param tracks all tracks of a clip.
 * @param replaced nodes whose rotation tracks are replaced; at least one.
 * @param keys number of keys of the longest LINEAR track.
 * @returns the rotations, at times that are spread evenly.
 */
export function sampleWorldRotations(
  skeleton: Skeleton,
  tracks: readonly Track[],
  replaced: ReadonlySet<number>,
  keys: number,
): WorldRotations {
  const nodes = comparedNodes(skeleton, tracks, replaced);
  const end = Math.max(...nodes.map(({ track }) => track?.times.at(-1) ?? 0));
  const checks = Math.min(MOST_CHECKS, Math.max(LEAST_CHECKS, CHECKS_PER_KEY * keys));
  const times = Float64Array.from({ length: checks }, (_, check) => (((check + 1) * GOLDEN) % 1) * end).sort();
  const rotations = new Float64Array(4 * nodes.length * checks);
  const cursors = new Int32Array(nodes.length);
  for (let check = 0; check < checks; check++) {
    const first = 4 * nodes.length * check;
    for (let k = 0; k < nodes.length; k++) {
      const { node, above, track } = nodes[k];
      const o = first + 4 * k;
      if (track !== null) cursors[k] = sampleTrack(track, times[check], rotations, o, cursors[k]);
      else quat.copy(rotations, o, skeleton.rest, node * POSE_STRIDE + PATH_OFFSET.rotation);
      if (above >= 0) quat.multiply(rotations, o, rotations, first + 4 * above, rotations, o);
      quat.normalize(rotations, o, rotations, o);
    }
  }
  return { nodes, times, rotations };
}

const difference = new Float64Array(4);
const inverse = new Float64Array(4);

/**
 * Measures the greatest difference in world rotation of every node, and of the nodes below it. Small rotation vectors along a chain are added: a sum of 0.01° has
 * an error of a millionth of that.
 *
 * @param skeleton the animated skeleton.
 * @param world rotations of the clip, from {@link sampleWorldRotations}.
 * @param linear LINEAR rotation tracks that replace those of its nodes, by node.
 * @returns per node, radians; 0 for nodes that these tracks do not move.
 */
export function worldErrorBelow(
  { parents }: Skeleton,
  { nodes, times, rotations }: WorldRotations,
  linear: ReadonlyMap<number, Track>,
): Float64Array {
  const replacements = nodes.map(({ node }) => linear.get(node));
  const cursors = new Int32Array(nodes.length);
  const errors = new Float64Array(3 * nodes.length);
  const worst = new Float64Array(parents.length);
  for (let check = 0; check < times.length; check++) {
    const first = 4 * nodes.length * check;
    for (let k = 0; k < nodes.length; k++) {
      const { node, above } = nodes[k];
      const track = replacements[k];
      if (above < 0) vec3.set(errors, 3 * k, 0, 0, 0);
      else vec3.copy(errors, 3 * k, errors, 3 * above);
      if (track === undefined) continue;
      cursors[k] = sampleTrack(track, times[check], difference, 0, cursors[k]);
      if (above >= 0) quat.multiply(difference, 0, rotations, first + 4 * above, difference, 0);
      quat.conjugate(inverse, 0, rotations, first + 4 * k);
      quat.multiply(difference, 0, difference, 0, inverse, 0);
      vec3.addScaled(errors, 3 * k, errors, 3 * k, difference, 0, difference[3] < 0 ? -2 : 2);
      worst[node] = Math.max(worst[node], vec3.length(errors, 3 * k));
    }
  }
  for (let node = parents.length - 1; node >= 0; node--) {
    if (parents[node] >= 0) worst[parents[node]] = Math.max(worst[parents[node]], worst[node]);
  }
  return worst;
}

/**
 * How far a change of keys may move the joints of a skeleton. The measure is the tip: what is at the end of a long chain may be further
 * off, in meters, than what is near the hips, and a joint that carries a long chain must be turned more exactly than a finger.
 */
import * as vec3 from '../math/vec3.ts';
import { localToModelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { childRanges } from '../skeleton/topology.ts';
import { PATH_WIDTH, type Track } from './clip.ts';
import { thinKeys } from './thin-keys.ts';

/** Lengths in model space, units of the file; one entry a node. */
export interface TipTolerance {
  /** 1 for nodes that move when the tracks move them or a node above. */
  readonly affected: Uint8Array;
  /** What the place of the node may be off. */
  readonly joint: Float64Array;
  /** What the points at {@link reach} along the three axes of the node may be off: the tip, and two beside it so that twist counts. */
  readonly tip: Float64Array;
  /** Distance of those points from the node, in the node's own space. */
  readonly reach: Float64Array;
  /** The same distance in model space, in the rest pose. */
  readonly modelReach: Float64Array;
  /** What a track of the node may be off, when no other one is: radians, a local length, and a part of the scale. */
  readonly turn: Float64Array;
  readonly move: Float64Array;
  readonly stretch: Float64Array;
  /** Model-space length of a unit of the node's parent space, in the rest pose. */
  readonly parentScale: Float64Array;
}

interface Lengths {
  /** Of the bone that ends at the node. */
  readonly bone: Float64Array;
  /** Of the bone that begins at it: to the farthest child; behind a leaf as long as its own bone. */
  readonly reach: Float64Array;
  /** Of a unit of its own space. */
  readonly scale: Float64Array;
}

function restLengths({ parents, rest }: Skeleton): Lengths {
  const count = parents.length;
  const matrices = new Float64Array(MATRIX_STRIDE * count);
  localToModelMatrices(matrices, parents, Float64Array.from(rest));
  const bone = new Float64Array(count);
  const reach = new Float64Array(count);
  const scale = new Float64Array(count);
  let extent = 0;
  for (let node = 0; node < count; node++) {
    const at = MATRIX_STRIDE * node;
    for (let column = 0; column < 3; column++) {
      scale[node] = Math.max(scale[node], vec3.length(matrices, at + 4 * column));
    }
    const parent = parents[node];
    if (parent < 0) continue;
    bone[node] = vec3.distance(matrices, at + 12, matrices, MATRIX_STRIDE * parent + 12);
    reach[parent] = Math.max(reach[parent], bone[node]);
    extent = Math.max(extent, bone[node]);
  }
  for (let node = 0; node < count; node++) {
    if (reach[node] > 0) continue;
    const above = parents[node] < 0 ? extent || 1 : reach[parents[node]];
    reach[node] = bone[node] > 0 ? bone[node] : above;
  }
  return { bone, reach, scale };
}

/**
 * The node from which chains are measured, of every tree that moves: its first node that moves; where the nodes below it go on moving
 * from place to place before the motion branches, the last that does. That passes over root bones, down to the hips.
 */
function motionRoots(parents: Int32Array, moving: Uint8Array, traveling: Uint8Array): number[] {
  const below = moving.slice();
  for (let node = parents.length - 1; node >= 0; node--)
    if (below[node] === 1 && parents[node] >= 0) below[parents[node]] = 1;
  const { starts, children } = childRanges(parents);
  const roots: number[] = [];
  for (let top = 0; top < parents.length; top++) {
    if (parents[top] >= 0 || below[top] === 0) continue;
    let found = -1;
    for (let node = top; node >= 0; ) {
      if (found < 0 ? moving[node] === 1 : traveling[node] === 1) found = node;
      const next = children.subarray(starts[node], starts[node + 1]).filter((child) => below[child] === 1);
      if (next.length !== 1) {
        // Motion that branches before anything moves is measured from the branch.
        if (found < 0) found = node;
        break;
      }
      node = next[0];
    }
    roots.push(found);
  }
  return roots;
}

/** Length of the chain from the motion root to every node; negative on the way up from it, and less where that branches. */
function chainLengths(parents: Int32Array, bone: Float64Array, roots: readonly number[]): Float64Array {
  const chain = new Float64Array(parents.length);
  const isSet = new Uint8Array(parents.length);
  for (const root of roots) {
    isSet[root] = 1;
    for (let node = root; parents[node] >= 0; node = parents[node]) {
      chain[parents[node]] = chain[node] - bone[node];
      isSet[parents[node]] = 1;
    }
  }
  for (let node = 0; node < parents.length; node++) {
    if (isSet[node] === 0 && parents[node] >= 0) chain[node] = chain[parents[node]] + bone[node];
  }
  return chain;
}

/** Radians, or part of the length, up to which keys differ by rounding only: baked tracks that hold still are not quite constant. */
const STILL = 1e-5;

function isStill(track: Track): boolean {
  let size = 1;
  if (track.path !== 'rotation') for (const value of track.values) size = Math.max(size, Math.abs(value));
  const kept = thinKeys(track, PATH_WIDTH[track.path], track.path === 'rotation', STILL * size);
  return kept.every((is, key) => is === 0 || key === 0);
}

/**
 * What may be off by `slope` (the tangent of an angle) times the length of the chain from the root of motion; near the root, and above
 * it, times the length of the root's own bone at least. `tracks`: those that are not constant; what
 * moves by rounding only is none of the motion that chains are measured from.
 */
export function tipTolerance(skeleton: Skeleton, tracks: readonly Track[], slope: number): TipTolerance {
  const { parents } = skeleton;
  const count = parents.length;
  const { bone, reach: modelReach, scale } = restLengths(skeleton);
  const affected = new Uint8Array(count);
  const moving = new Uint8Array(count);
  const traveling = new Uint8Array(count);
  for (const track of tracks) {
    affected[track.target] = 1;
    if (isStill(track)) continue;
    moving[track.target] = 1;
    if (track.path === 'translation') traveling[track.target] = 1;
  }
  const roots = motionRoots(parents, moving, traveling);
  const chain = chainLengths(parents, bone, roots);
  /** The least length that counts, by tree. */
  const least = new Float64Array(count);
  for (const root of roots) {
    let top = root;
    while (parents[top] >= 0) top = parents[top];
    least[top] = modelReach[root];
  }
  const farthest = new Float64Array(count);
  for (let node = 0; node < count; node++) {
    farthest[node] = chain[node] + modelReach[node];
    if (parents[node] < 0) continue;
    least[node] = least[parents[node]];
    if (affected[parents[node]] === 1) affected[node] = 1;
  }
  for (let node = count - 1; node >= 0; node--) {
    if (parents[node] >= 0) farthest[parents[node]] = Math.max(farthest[parents[node]], farthest[node]);
  }
  const each = (value: (node: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, n) => value(n));
  const joint = each((n) => slope * Math.max(chain[n], least[n]));
  const parentScale = each((n) => (parents[n] < 0 ? 1 : scale[parents[n]]));
  // All that hangs on a node turns with it: the farthest tip has the least tolerance for its distance.
  const turn = each((n) => (slope * Math.max(farthest[n], least[n])) / (farthest[n] - chain[n]));
  return {
    affected,
    joint,
    tip: each((n) => slope * Math.max(chain[n] + modelReach[n], least[n])),
    reach: each((n) => (scale[n] > 0 ? modelReach[n] / scale[n] : 0)),
    modelReach,
    turn,
    move: each((n) => (parentScale[n] > 0 ? joint[n] / parentScale[n] : Number.POSITIVE_INFINITY)),
    stretch: each((n) => turn[n] * Math.max(...[7, 8, 9].map((c) => Math.abs(skeleton.rest[10 * n + c])))),
    parentScale,
  };
}

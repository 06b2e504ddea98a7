/**
 * Tolerances for key reduction. Position tolerances grow with the length of the chain from the hips: a hand may be further off than a
 * thigh. Rotation tolerances shrink with the length of the chain below a joint: a shoulder must be more exact than a finger.
 */
import * as vec3 from '../math/vec3.ts';
import { modelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { childRanges } from '../skeleton/topology.ts';
import { PATH_WIDTH, type Track } from './clip.ts';
import { decimateKeys } from './decimate-keys.ts';

/** Tolerances and lengths, one entry per node; lengths are in units of the file, in model space unless stated otherwise. */
export interface JointTolerances {
  /** 1 for nodes that a track moves, directly or through an ancestor; else 0. */
  readonly affected: Uint8Array;
  readonly position: Float64Array;
  /** Greatest position error of the points at {@link tipDistance} on the three axes of the node: its tip, and two points that show twist. */
  readonly tip: Float64Array;
  /** Distance of those points from the node, in the node's own space. */
  readonly tipDistance: Float64Array;
  /** The same distance in model space, in the rest pose. */
  readonly modelTipDistance: Float64Array;
  /** Greatest error of a rotation track when all other tracks are exact, radians. */
  readonly rotation: Float64Array;
  /** Greatest error of a translation track when all other tracks are exact, local space. */
  readonly translation: Float64Array;
  /** Greatest error of a scale track when all other tracks are exact, an absolute difference of scales. */
  readonly scale: Float64Array;
  /** Model-space length of one unit of the node's parent space, in the rest pose. */
  readonly parentScale: Float64Array;
}

/** Lengths in the rest pose, model space, one entry per node. */
interface Lengths {
  /** Length of the bone that ends at the node. */
  readonly bone: Float64Array;
  /** Distance to the farthest child; for a leaf, the length of the bone that ends at it. */
  readonly tipDistance: Float64Array;
  /** Length of one unit of the node's own space. */
  readonly scale: Float64Array;
}

function restLengths({ parents, rest }: Skeleton): Lengths {
  const count = parents.length;
  const matrices = modelMatrices(parents, Float64Array.from(rest));
  const bone = new Float64Array(count);
  const tipDistance = new Float64Array(count);
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
    tipDistance[parent] = Math.max(tipDistance[parent], bone[node]);
    extent = Math.max(extent, bone[node]);
  }
  for (let node = 0; node < count; node++) {
    if (tipDistance[node] > 0) continue;
    const above = parents[node] < 0 ? extent || 1 : tipDistance[parents[node]];
    tipDistance[node] = bone[node] > 0 ? bone[node] : above;
  }
  return { bone, tipDistance, scale };
}

/**
 * Returns the node from which chains are measured, for every animated tree: its first moving node, or the last node with a translation
 * track before the motion branches. That skips root bones down to the hips.
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
        // Where the motion branches before any node moves, chains are measured from the branch.
        if (found < 0) found = node;
        break;
      }
      node = next[0];
    }
    roots.push(found);
  }
  return roots;
}

/** Computes the length of the chain from the motion root to every node; negative above the motion root, and smaller on branches there. */
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

/** Greatest difference that is rounding, radians or relative to the largest value: baked tracks of still joints are not exactly constant. */
const STILL = 1e-5;

function isStill(track: Track): boolean {
  let size = 1;
  if (track.path !== 'rotation') for (const value of track.values) size = Math.max(size, Math.abs(value));
  const kept = decimateKeys(track, PATH_WIDTH[track.path], track.path === 'rotation', STILL * size);
  return kept.every((is, key) => is === 0 || key === 0);
}

/**
 * Computes the tolerances for an angular tolerance. A node's position may be off by `slope` times the length of the chain from the motion
 * root to it, at least by `slope` times the length of the motion root's own bone.
 */
export function jointTolerances(skeleton: Skeleton, tracks: readonly Track[], slope: number): JointTolerances {
  const { parents, rest } = skeleton;
  const count = parents.length;
  const { bone, tipDistance: modelTipDistance, scale: unitLength } = restLengths(skeleton);
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
  /** Least chain length, by tree. */
  const least = new Float64Array(count);
  for (const root of roots) {
    let top = root;
    while (parents[top] >= 0) top = parents[top];
    least[top] = modelTipDistance[root];
  }
  const farthest = new Float64Array(count);
  for (let node = 0; node < count; node++) {
    farthest[node] = chain[node] + modelTipDistance[node];
    if (parents[node] < 0) continue;
    least[node] = least[parents[node]];
    if (affected[parents[node]] === 1) affected[node] = 1;
  }
  for (let node = count - 1; node >= 0; node--) {
    if (parents[node] >= 0) farthest[parents[node]] = Math.max(farthest[parents[node]], farthest[node]);
  }
  const each = (value: (node: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, n) => value(n));
  const position = each((n) => slope * Math.max(chain[n], least[n]));
  const parentScale = each((n) => (parents[n] < 0 ? 1 : unitLength[parents[n]]));
  // All descendants rotate with a node; the farthest tip has the smallest tolerance relative to its distance.
  const rotation = each((n) => (slope * Math.max(farthest[n], least[n])) / (farthest[n] - chain[n]));
  return {
    affected,
    position,
    tip: each((n) => slope * Math.max(chain[n] + modelTipDistance[n], least[n])),
    tipDistance: each((n) => (unitLength[n] > 0 ? modelTipDistance[n] / unitLength[n] : 0)),
    modelTipDistance,
    rotation,
    translation: each((n) => (parentScale[n] > 0 ? position[n] / parentScale[n] : Number.POSITIVE_INFINITY)),
    scale: each(
      (n) => rotation[n] * Math.max(...[0, 1, 2].map((c) => Math.abs(rest[POSE_STRIDE * n + PATH_OFFSET.scale + c]))),
    ),
    parentScale,
  };
}

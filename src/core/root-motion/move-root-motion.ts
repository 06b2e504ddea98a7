import { type Clip, PATH_WIDTH, type Track, type TrackPath } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import type { ModelMotion } from '../animation/loop-clip.ts';
import { reflectClip } from '../animation/reflect-clip.ts';
import { resampleFunction, unionTimes } from '../animation/resample.ts';
import { RELATIVE_TOLERANCE, ROTATION_TOLERANCE } from '../animation/resample-tolerance.ts';
import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { straightMotion } from '../humanoid/straight-humanoid.ts';
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { type FoundRootMotion, findRootMotion } from './find-root-motion.ts';
import { type GroundMotion, isStill, modelMotionAt } from './ground-motion.ts';
import { nodeMotion } from './node-motion.ts';
import { findRootBone, groundNodes } from './root-bone.ts';
import type { RootDelivery } from './root-option.ts';
import { createNodeChain, movesNode, nodesWithTracks, sampleChain } from './sample-nodes.ts';
import { travelUnit } from './travel-unit.ts';

/** Values that differ by less, relative to the largest one or in radians, are constant. */
const CONSTANT = 1e-7;

/** The nodes that stay where they are when the nodes above them, from `top` down, are moved; with `top` −1, all that move with the character. */
function compensatedNodes(humanoid: Humanoid, clip: Clip, top: number): number[] {
  const { parents } = humanoid.skeleton;
  const onGround = new Set(groundNodes(humanoid));
  const hips = humanoid.map.nodes[BONE.hips];
  const above: number[] = [];
  for (let node = parents[hips]; node >= 0; node = parents[node]) above.unshift(node);
  // A node above the hips that moves like hips, as in Biped, moves instead of them.
  const carried = above.find((node) => !onGround.has(node) && movesNode(clip, node, ['translation'])) ?? hips;
  const path = [...above, hips];
  const chain = new Set(path.slice(Math.max(0, path.indexOf(top)), path.indexOf(carried)));
  const moves = nodesWithTracks(humanoid, clip);
  return Array.from(parents.keys()).filter((node) => {
    if (node === carried) return true;
    const isBelow = chain.has(parents[node]) || (top < 0 && parents[node] < 0);
    return isBelow && !chain.has(node) && moves[node] === 1;
  });
}

/** Replaces almost constant values by one key; no track where this is the value of the rest pose. */
function settled(track: Track, rest: Floats): Track[] {
  const { values, path, target } = track;
  const width = PATH_WIDTH[path];
  let size = 0;
  for (let k = 0; k < values.length; k++) size = Math.max(size, Math.abs(values[k]));
  const differs = (to: Floats, at: number): boolean => {
    for (let k = 0; k < values.length; k += width) {
      if (
        path === 'rotation'
          ? quat.angleBetween(values, k, to, at) > CONSTANT
          : vec3.distance(values, k, to, at) > CONSTANT * size
      )
        return true;
    }
    return false;
  };
  if (differs(values, 0)) return [track];
  if (!differs(rest, POSE_STRIDE * target + PATH_OFFSET[path])) return [];
  return [{ target, path, interpolation: 'STEP', times: new Float32Array([0]), values: values.slice(0, width) }];
}

const inverse = new Float64Array(MATRIX_STRIDE);
const toParent = new Float64Array(4);
const value = new Float64Array(4);

/** Moves a node by a motion in model space; the nodes above it stay where they are. */
function movedTracks(humanoid: Humanoid, clip: Clip, node: number, motion: GroundMotion, isInverse: boolean): Track[] {
  const { skeleton } = humanoid;
  const above = createNodeChain(skeleton, clip, skeleton.parents[node]);
  const own = createNodeChain(skeleton, clip, node);
  const change: ModelMotion = { rotation: new Float64Array(4), translation: new Float64Array(3) };
  const trackOf = (path: TrackPath): Track | undefined =>
    clip.tracks.find((track) => track.target === node && track.path === path);
  const evaluateAt = (path: TrackPath) => (time: number, out: Floats, o: number) => {
    sampleChain(above, time);
    sampleChain(own, time);
    modelMotionAt(change, motion, time, humanoid, isInverse);
    if (path === 'translation') {
      // A parent of scale 0 cannot move anything.
      vec3.copy(out, o, own.local, POSE_STRIDE * node);
      if (!mat4.invertAffine(inverse, 0, above.matrix, 0)) return;
      vec3.rotate(value, 0, change.rotation, 0, own.matrix, 12);
      vec3.add(value, 0, value, 0, change.translation, 0);
      mat4.transformPoint(out, o, inverse, 0, value, 0);
      return;
    }
    // R_p⁻¹ · R · R_p · q
    quat.conjugate(toParent, 0, above.rotation, 0);
    quat.multiply(value, 0, change.rotation, 0, own.rotation, 0);
    quat.multiply(value, 0, toParent, 0, value, 0);
    quat.normalize(out, o, value, 0);
  };
  const size = travelUnit(humanoid) / humanoid.metersPerUnit;
  sampleChain(above, 0);
  const unit = Math.cbrt(Math.abs(mat4.determinant(above.matrix, 0))) || 1;
  const paths: readonly TrackPath[] = motion.yaws === null ? ['translation'] : ['translation', 'rotation'];
  return paths.flatMap((path) => {
    const track = trackOf(path);
    const sources = [...above.tracks, ...(track === undefined ? [] : [track])].filter((one) => !isConstantTrack(one));
    const steps = sources.filter(({ interpolation }) => interpolation === 'STEP');
    const keys = resampleFunction({
      width: PATH_WIDTH[path],
      isRotation: path === 'rotation',
      keyTimes: unionTimes([motion.times, ...sources.map(({ times }) => times)]),
      stepTimes: unionTimes(steps.map(({ times }) => times)),
      tolerance: path === 'rotation' ? ROTATION_TOLERANCE : (RELATIVE_TOLERANCE * size) / unit,
      evaluate: evaluateAt(path),
    });
    return settled({ target: node, path, interpolation: 'LINEAR', ...keys }, skeleton.rest);
  });
}

/** Replaces the tracks of nodes that are moved. `changes` say which nodes move, and whether by the motion or by its inverse. */
function withMoved(
  humanoid: Humanoid,
  clip: Clip,
  motion: GroundMotion,
  changes: readonly { readonly node: number; readonly isInverse: boolean }[],
): Clip {
  if (isStill(motion)) return clip;
  const paths: readonly TrackPath[] = motion.yaws === null ? ['translation'] : ['translation', 'rotation'];
  const nodes = new Set(changes.map(({ node }) => node));
  const kept = clip.tracks.filter(({ target, path }) => !nodes.has(target) || !paths.includes(path));
  const moved = changes.flatMap(({ node, isInverse }) => movedTracks(humanoid, clip, node, motion, isInverse));
  return { ...clip, tracks: [...kept, ...moved] };
}

/** Moves all motion over the ground from the nodes above the hips into the hips. */
function toHips(humanoid: Humanoid, clip: Clip, { nodes }: FoundRootMotion): Clip {
  let moved = clip;
  for (const node of nodes) {
    const own = nodeMotion(humanoid, moved, node);
    if (own === null) continue;
    const others = compensatedNodes(humanoid, moved, node).map((one) => ({ node: one, isInverse: false }));
    moved = withMoved(humanoid, moved, own, [{ node, isInverse: true }, ...others]);
  }
  return moved;
}

/**
 * Turns a clip about the vertical through the origin, then moves it over the ground. `yaw`: radians, positive to the left. `x`: meters, canonical
 * frame. `z`: meters, canonical frame.
 */
export function placeClip(humanoid: Humanoid, clip: Clip, yaw: number, x: number, z: number): Clip {
  const straight = straightMotion(humanoid, clip);
  const motion: GroundMotion = {
    pivot: [0, 0],
    times: Float64Array.of(0),
    positions: Float64Array.of(x, z),
    yaws: Float64Array.of(yaw),
  };
  if (isStill(motion)) return clip;
  const nodes = compensatedNodes(straight.humanoid, straight.clip, -1).map((node) => ({ node, isInverse: false }));
  return reflectClip(withMoved(straight.humanoid, straight.clip, motion, nodes), straight.signs);
}

/** A clip whose root motion was moved. */
interface MovedRootMotion {
  /** The clip; the same object where nothing changed. */
  readonly clip: Clip;
  /** The root motion as it was. */
  readonly root: FoundRootMotion;
  /** Node that carries it now: the root bone or the hips; −1 with `in-place`. */
  readonly node: number;
}

/** Moves all that moves with the character back to where it begins. */
function withoutMotion(humanoid: Humanoid, clip: Clip, root: FoundRootMotion): Clip {
  const [first] = root.nodes;
  const isOnOne = root.nodes.length === 1 && !root.isInHips;
  const change = { node: first, isInverse: true };
  const still = isOnOne ? withMoved(humanoid, clip, root.motion, [change]) : toHips(humanoid, clip, root);
  // The hips may move on from their root bone.
  const { motion } = findRootMotion(humanoid, still);
  const changes = compensatedNodes(humanoid, still, -1).map((node) => ({ node, isInverse: true }));
  return withMoved(humanoid, still, motion, changes);
}

/**
 * Moves the root motion of a clip. With `hips` and `root-bone` the bones are where they were at all times; non-bone nodes without tracks move with the nodes
 * above them. A humanoid without a root bone keeps its root motion in the hips.
 *
 * @param clip A clip of its nodes.
 * @param to Where the root motion goes.
 * @param motion The root motion of a clip that has it in the hips; by default that of {@link findRootMotion}.
 * @returns The new clip, and where the root motion was.
 * @example
 * const game = moveRootMotion(humanoid, walk, 'root-bone').clip;
 */
export function moveRootMotion(
  humanoid: Humanoid,
  clip: Clip,
  to: RootDelivery,
  motion?: GroundMotion,
): MovedRootMotion {
  const straight = straightMotion(humanoid, clip);
  const moved = moveStraightRootMotion(straight.humanoid, straight.clip, to, motion);
  return { ...moved, clip: moved.clip === straight.clip ? clip : reflectClip(moved.clip, straight.signs) };
}

function moveStraightRootMotion(
  humanoid: Humanoid,
  clip: Clip,
  to: RootDelivery,
  motion: GroundMotion | undefined,
): MovedRootMotion {
  const root = findRootMotion(humanoid, clip);
  if (to === 'in-place') return { clip: withoutMotion(humanoid, clip, root), root, node: -1 };
  const bone = to === 'root-bone' ? findRootBone(humanoid) : null;
  if (bone === null) return { clip: toHips(humanoid, clip, root), root, node: humanoid.map.nodes[BONE.hips] };
  const isThere = root.nodes.length === 1 && root.nodes[0] === bone.node && !root.isInHips;
  if (isThere) return { clip, root, node: bone.node };
  const inHips = toHips(humanoid, clip, root);
  const others = compensatedNodes(humanoid, inHips, bone.node).map((node) => ({ node, isInverse: true }));
  const changes = [{ node: bone.node, isInverse: false }, ...others];
  return { clip: withMoved(humanoid, inHips, motion ?? root.motion, changes), root, node: bone.node };
}

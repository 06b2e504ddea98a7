import type { Clip } from '../animation/clip.ts';
import { isConstantTrack } from '../animation/is-constant-track.ts';
import { unionTimes } from '../animation/resample.ts';
import { sampleClip } from '../animation/sample.ts';
import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { straightMotion } from '../humanoid/straight-humanoid.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { type GroundMotion, moveGroundPoint, moveGroundPointBack, sampleGroundMotion } from './ground-motion.ts';
import { nodeMotion, sampleNodePath, uniformTimesOf } from './node-motion.ts';
import { groundNodes } from './root-bone.ts';
import { createNodeChain, movesNode, type NodeChain, sampleChain } from './sample-nodes.ts';
import { type HipsPath, travelPath } from './travel-path.ts';
import { travelUnit } from './travel-unit.ts';
import { yawOf } from './yaw.ts';

/** Greatest difference of the two ends of a loop: radians, and relative to the height of the hips. */
const ANGLE = 0.05;
const HEIGHT = 0.02;

/** Height of the hips, and their rotation without its heading. */
function hipsAt(humanoid: Humanoid, chain: NodeChain, time: number): { height: number; tilt: Float64Array } {
  const [tilt, rotation, twist] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  const point = new Float64Array(3);
  sampleChain(chain, time);
  vec3.scale(point, 0, chain.matrix, 12, humanoid.metersPerUnit);
  vec3.rotate(point, 0, humanoid.frame, 0, point, 0);
  quat.multiply(rotation, 0, humanoid.frame, 0, chain.rotation, 0);
  quat.conjugate(tilt, 0, humanoid.reference.rotations, 0);
  quat.multiply(rotation, 0, rotation, 0, tilt, 0);
  yawOf(twist, rotation);
  quat.conjugate(tilt, 0, twist, 0);
  quat.multiply(tilt, 0, tilt, 0, rotation, 0);
  return { height: point[1], tilt };
}

/** Tells whether a clip ends in the pose in which it starts, wherever the character is then and whichever way it faces. */
export function isPoseLoop(humanoid: Humanoid, clip: Clip): boolean {
  const { skeleton, map } = humanoid;
  if (!(clip.duration > 0)) return false;
  const [first, last] = [Float64Array.from(skeleton.rest), Float64Array.from(skeleton.rest)];
  sampleClip(clip, 0, first);
  sampleClip(clip, clip.duration, last);
  const hips = map.nodes[BONE.hips];
  for (const node of map.nodes) {
    if (node < 0 || node === hips) continue;
    const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
    if (quat.angleBetween(first, at, last, at) > ANGLE) return false;
  }
  const chain = createNodeChain(skeleton, clip, hips);
  const [a, b] = [hipsAt(humanoid, chain, 0), hipsAt(humanoid, chain, clip.duration)];
  const rises = Math.abs(a.height - b.height) > HEIGHT * travelUnit(humanoid);
  return !rises && quat.angleBetween(a.tilt, 0, b.tilt, 0) <= ANGLE;
}

/** Net distance, relative to the height of the hips, from which on hips travel away from their root bone. */
const LEAST_DISTANCE = 0.25;
/** The root motion of a clip. */
export interface FoundRootMotion {
  /** Where the clip has it: on a joint above the hips, on another node above the joints, or in the hips. */
  readonly where: 'root-bone' | 'armature' | 'hips';
  /** The nodes above the hips that have it, from the root down; empty where it is in the hips. */
  readonly nodes: readonly number[];
  /** Whether the hips have a part of it: all where there are no such nodes, or what they travel away from them. */
  readonly isInHips: boolean;
  /** What it does to the character. */
  readonly motion: GroundMotion;
}

/** Combines two motions: first the inner, then the outer one. */
function combined(outer: GroundMotion, inner: GroundMotion): GroundMotion {
  const times = unionTimes([outer.times, inner.times]);
  const positions = new Float64Array(2 * times.length);
  const yaws = new Float64Array(times.length);
  const sample = new Float64Array(3);
  for (const [k, time] of times.entries()) {
    sampleGroundMotion(sample, inner, time);
    yaws[k] = sample[2];
    positions.set(moveGroundPoint(outer, time, sample[0], sample[1]), 2 * k);
    sampleGroundMotion(sample, outer, time);
    yaws[k] += sample[2];
  }
  const isStraight = outer.yaws === null && inner.yaws === null;
  return { pivot: inner.pivot, times, positions, yaws: isStraight ? null : yaws };
}

function relativeTo(path: HipsPath, motion: GroundMotion): HipsPath {
  const positions = new Float64Array(path.positions.length);
  const yaws = path.yaws.slice();
  const sample = new Float64Array(3);
  for (const [k, time] of path.times.entries()) {
    sampleGroundMotion(sample, motion, time);
    yaws[k] -= sample[2];
    positions.set(moveGroundPointBack(motion, time, path.positions[2 * k], path.positions[2 * k + 1]), 2 * k);
  }
  return { ...path, positions, yaws };
}

/** Lists the nodes on the ground above the hips (root bones, armatures) that a clip moves. */
export function movingGroundNodes(humanoid: Humanoid, clip: Clip): readonly number[] {
  const straight = straightMotion(humanoid, clip);
  return groundNodes(humanoid).filter((node) => {
    return movesNode(clip, node) && nodeMotion(straight.humanoid, straight.clip, node) !== null;
  });
}

/**
 * Finds the root motion of a clip: what moves the character over the ground. Nodes on the ground above the hips (root bones, armatures) have it where the clip
 * moves them; it is then exactly their motion relative to the rest pose. Otherwise, and where the hips travel away from these nodes, it is the path of the hips
 * without the sway of the steps: a straight line at a constant speed for the loop of a walk.
 *
 * @param clip A clip of its nodes.
 * @returns Where the root motion is, and the motion.
 */
export function findRootMotion(humanoid: Humanoid, clip: Clip): FoundRootMotion {
  const straight = straightMotion(humanoid, clip);
  return findStraightRootMotion(straight.humanoid, straight.clip);
}

function findStraightRootMotion(humanoid: Humanoid, clip: Clip): FoundRootMotion {
  const { skeleton, map, reference } = humanoid;
  const hips = map.nodes[BONE.hips];
  const nodes = movingGroundNodes(humanoid, clip);
  const own = nodes.length === 0 ? null : nodeMotion(humanoid, clip, nodes[nodes.length - 1]);
  const times = uniformTimesOf(clip);
  const path: HipsPath = {
    times,
    ...sampleNodePath(humanoid, clip, hips, times, reference.rotations),
    isLoop: isPoseLoop(humanoid, clip),
  };
  const size = travelUnit(humanoid);
  const pivot = [reference.positions[0], reference.positions[2]] as const;
  if (own === null) {
    const motion = travelPath(path, pivot, size);
    return { where: 'hips', nodes, isInHips: true, motion: onKeys(motion, clip, humanoid) };
  }
  const where = nodes.some((node) => skeleton.joints[node] === 1) ? 'root-bone' : 'armature';
  const rest = relativeTo(path, own);
  const last = 2 * times.length - 2;
  const away = Math.hypot(rest.positions[last] - rest.positions[0], rest.positions[last + 1] - rest.positions[1]);
  if (away < LEAST_DISTANCE * size) return { where, nodes, isInHips: false, motion: own };
  return { where, nodes, isInHips: true, motion: combined(own, travelPath(rest, pivot, size)) };
}

/** Samples a motion at the keys of the hips where these are enough: then the clip keeps its keys. */
function onKeys(motion: GroundMotion, { tracks }: Clip, { skeleton, map }: Humanoid): GroundMotion {
  if (motion.yaws !== null) return motion;
  const ends = [motion.times[0], motion.times[motion.times.length - 1]];
  const chain = new Set<number>();
  for (let node = map.nodes[BONE.hips]; node >= 0; node = skeleton.parents[node]) chain.add(node);
  const moving = tracks.filter(
    (track) => chain.has(track.target) && track.path === 'translation' && !isConstantTrack(track),
  );
  if (moving.length === 0 || moving.some(({ interpolation }) => interpolation !== 'LINEAR')) return motion;
  const times = unionTimes([Float64Array.from(ends), ...moving.map((track) => track.times)]);
  const positions = new Float64Array(2 * times.length);
  const sample = new Float64Array(3);
  for (const [k, time] of times.entries()) {
    sampleGroundMotion(sample, motion, time);
    positions[2 * k] = sample[0];
    positions[2 * k + 1] = sample[1];
  }
  return { ...motion, times, positions };
}

import type { Clip } from '../animation/clip.ts';
import { sampleClip } from '../animation/sample.ts';
import { BONE } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { createNodeChain, type NodeChain, sampleChain } from './sample-nodes.ts';
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

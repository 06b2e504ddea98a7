/**
 * The pelvis: the middle of both hip joints. Rigs put the node called hips there, a little above, on the floor, at the waist or at the chest;
 * the hip joints are where the legs are in all of them.
 */
import * as vec3 from '../math/vec3.ts';
import { BONE } from './bones.ts';
import type { Humanoid } from './humanoid.ts';

const HIP_JOINTS = [BONE.leftUpperLeg, BONE.rightUpperLeg];

/** The hips of an ordinary rig are this near to the pelvis, relative to the height of the character: 0 to 5 % on most VRMs, 16 % on a chibi one. */
const NEAR = 0.2;

/** Returns the bones whose middle is the pelvis: both upper legs, or the hips of a humanoid without them. */
export function pelvisBones(nodes: ArrayLike<number>): readonly number[] {
  return HIP_JOINTS.every((bone) => nodes[bone] >= 0) ? HIP_JOINTS : [BONE.hips];
}

export function pelvisPosition(nodes: ArrayLike<number>, positions: ArrayLike<number>): Float64Array {
  const bones = pelvisBones(nodes);
  const out = new Float64Array(3);
  for (const bone of bones) vec3.addScaled(out, 0, out, 0, positions, 3 * bone, 1 / bones.length);
  return out;
}

/** Tells whether the hips joint of a humanoid is near its pelvis in the reference pose, where other programs expect it. */
export function areHipsAtPelvis({ map, reference, height }: Humanoid): boolean {
  const pelvis = pelvisPosition(map.nodes, reference.positions);
  return vec3.distance(pelvis, 0, reference.positions, 3 * BONE.hips) <= NEAR * height;
}

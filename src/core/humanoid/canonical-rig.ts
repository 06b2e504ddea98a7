/**
 * The canonical rig that humanoid clips animate: one node per bone, each with its canonical axes. A rotation track on
 * it is `q = C(p)⁻¹ · C(b) · r`, with r the rotation relative to the reference pose that EXT_skeleton_humanoid stores.
 */

import * as quat from '../math/quat.ts';
import type { Vec3 } from '../math/vec3.ts';
import * as vec3 from '../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import {
  BONE,
  BONE_COUNT,
  BONE_PARENTS,
  BONES,
  type BoneName,
  FINGER_SEGMENTS,
  FINGERS,
  presentParent,
  SIDES,
} from './bones.ts';
import { CANONICAL_FRAMES } from './canonical-frames.ts';
import type { DeclaredHumanoid } from './humanoid.ts';

/**
 * Offset of each bone from its parent bone in the T-pose of an adult with a hips height of 1. It gives the joint
 * positions of rigs that only have rotations. Center and left side; the right side mirrors them.
 */
const OFFSETS: Readonly<Record<string, Vec3>> = {
  hips: [0, 0, 0],
  spine: [0, 0.1, 0],
  chest: [0, 0.13, 0],
  upperChest: [0, 0.13, 0],
  neck: [0, 0.14, 0],
  head: [0, 0.1, 0],
  leftEye: [0.033, 0.06, 0.07],
  jaw: [0, 0.01, 0.03],
  leftShoulder: [0.03, 0.1, 0],
  leftUpperArm: [0.13, 0, 0],
  leftLowerArm: [0.29, 0, 0],
  leftHand: [0.27, 0, 0],
  leftUpperLeg: [0.1, -0.05, 0],
  leftLowerLeg: [0, -0.43, 0],
  leftFoot: [0, -0.44, 0],
  leftToes: [0, -0.06, 0.14],
  leftThumbMetacarpal: [0.03, 0, 0.03],
  leftThumbProximal: [0.035, 0, 0.035],
  leftThumbDistal: [0.025, 0, 0.025],
  leftIndexProximal: [0.1, 0, 0.02],
  leftIndexIntermediate: [0.04, 0, 0],
  leftIndexDistal: [0.025, 0, 0],
  leftMiddleProximal: [0.1, 0, 0],
  leftMiddleIntermediate: [0.045, 0, 0],
  leftMiddleDistal: [0.03, 0, 0],
  leftRingProximal: [0.1, 0, -0.02],
  leftRingIntermediate: [0.04, 0, 0],
  leftRingDistal: [0.03, 0, 0],
  leftLittleProximal: [0.09, 0, -0.04],
  leftLittleIntermediate: [0.03, 0, 0],
  leftLittleDistal: [0.02, 0, 0],
};

function offsetOf(name: BoneName): Vec3 {
  if (!name.startsWith('right')) return OFFSETS[name];
  const [x, y, z] = OFFSETS[`left${name.slice(5)}`];
  return [-x, y, z];
}

/** Position of each bone in the T-pose, hips at the origin, for a hips height of 1. */
export const T_POSE_POSITIONS: Float64Array = new Float64Array(3 * BONE_COUNT);
for (let bone = 0; bone < BONE_COUNT; bone++) {
  const parent = BONE_PARENTS[bone];
  T_POSE_POSITIONS.set(offsetOf(BONES[bone]), 3 * bone);
  if (parent >= 0) vec3.add(T_POSE_POSITIONS, 3 * bone, T_POSE_POSITIONS, 3 * bone, T_POSE_POSITIONS, 3 * parent);
}

/** Height of the pelvis (the middle of both upper legs) in a rig with a hips height of 1. */
export const PELVIS_HEIGHT: number = 1 + OFFSETS['leftUpperLeg'][1];

/** A canonical rig: the arguments of {@link describeHumanoid}, which makes it a humanoid. */
export interface CanonicalRig {
  /** One node per bone. */
  readonly skeleton: Skeleton;
  /** The bone map and the facing (+Z) of the skeleton. */
  readonly declared: DeclaredHumanoid;
}

/** The bones of the four fingers beside the thumb, left and right. */
const HANDS: readonly (readonly number[])[] = SIDES.map((side) =>
  FINGERS.flatMap((finger) => FINGER_SEGMENTS.map((segment) => BONE[`${side}${finger}${segment}` as BoneName])),
);

/**
 * Creates the canonical rig for humanoid clips that animate certain bones: one node per bone in the order of BONES,
 * named like the bone and parented to its nearest present ancestor. It rests in the T-pose with canonical axes.
 * Canonical frame, meters, ground at y = 0.
 *
 * A hand with any of the four fingers gets all of them. In a humanoid clip, a bone without a track keeps its reference
 * pose, while retargeting lets a finger that the source lacks follow its neighbor.
 *
 * @param bones Bones to create (indices of BONES), in any order; hips and upper legs, which show the pelvis, are always added.
 * @param hipsHeight Height of the hips joint above the ground, meters; null when the source is unknown, which puts the hips
 *   at the origin of a rig with a hips height of 1.
 * @example
 * ```ts
 * const rig = createCanonicalRig([BONE.spine, BONE.leftUpperArm], 0.95);
 * const { humanoid } = describeHumanoid(rig.skeleton, { declared: rig.declared, metersPerUnit: 1 });
 * ```
 */
export function createCanonicalRig(bones: Iterable<number>, hipsHeight: number | null): CanonicalRig {
  const wanted = new Set<number>([BONE.hips, BONE.leftUpperLeg, BONE.rightUpperLeg, ...bones]);
  for (const hand of HANDS) if (hand.some((bone) => wanted.has(bone))) for (const bone of hand) wanted.add(bone);
  const nodes = new Int32Array(BONE_COUNT).fill(-1);
  const names: string[] = [];
  const parents: number[] = [];
  const list = Array.from(wanted).sort((a, b) => a - b);
  const rest = new Float64Array(POSE_STRIDE * list.length);
  const scale = hipsHeight ?? 1;
  const toParent = new Float64Array(4);
  list.forEach((bone, node) => {
    const above = presentParent(bone, nodes);
    nodes[bone] = node;
    names.push(BONES[bone]);
    parents.push(above < 0 ? -1 : nodes[above]);
    const at = POSE_STRIDE * node;
    rest.fill(1, at + PATH_OFFSET.scale, at + POSE_STRIDE);
    quat.copy(rest, at + PATH_OFFSET.rotation, CANONICAL_FRAMES, 4 * bone);
    if (above < 0) {
      rest[at + 1] = hipsHeight ?? 0;
      return;
    }
    quat.conjugate(toParent, 0, CANONICAL_FRAMES, 4 * above);
    vec3.subtract(rest, at, T_POSE_POSITIONS, 3 * bone, T_POSE_POSITIONS, 3 * above);
    vec3.scale(rest, at, rest, at, scale);
    vec3.rotate(rest, at, toParent, 0, rest, at);
    quat.multiply(rest, at + PATH_OFFSET.rotation, toParent, 0, rest, at + PATH_OFFSET.rotation);
  });
  return {
    skeleton: {
      name: 'humanoid clips',
      names,
      parents: Int32Array.from(parents),
      rest,
      bind: null,
      joints: new Uint8Array(names.length),
    },
    declared: { format: 'ext', nodes, facing: '+Z' },
  };
}

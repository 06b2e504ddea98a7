/** The pose of an arm after its shoulder and elbow have been rotated. */
import { BONE } from '../../humanoid/bones.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { BONE_STRIDE, POSITION_OFFSET } from './bone-frames.ts';
import { elbowAxis } from './elbow-axis.ts';
import type { Arm, LimbPoint } from './limb-points.ts';

/** Unknowns per frame: a rotation vector of the shoulder in the axes of the trunk, and an angle of the elbow; radians. */
export const UNKNOWNS = 4;
/**
 * How much each of them resists a change, for `createTerms`. Elbows keep their bend: it is seen at once, and an arm that is stretched
 * to the side swings the hand further with every rotation of the trunk.
 */
export const RESISTANCE: readonly number[] = [1, 1, 1, 4];
/** Angles that elbows keep within, radians. */
export const STRAIGHTEST = 0;
export const MOST_BENT = 2.7;

/** An arm in one frame. Positions in canonical meters; rotations xyzw, applied in world space after plain retargeting. */
export interface ArmPose {
  /** Rotation of the trunk, whose axes the unknowns use. */
  readonly trunk: Float64Array;
  readonly shoulder: Float64Array;
  /** Elbow joint, after rotation. */
  readonly elbow: Float64Array;
  /** Rotation vector of the shoulder in the axes of the trunk, radians: the first three unknowns. */
  readonly rotation: Float64Array;
  readonly upper: Float64Array;
  /** Rotation of forearm and hand. */
  readonly lower: Float64Array;
  /** Axis of the elbow, after rotation; a positive angle bends it. */
  readonly hinge: Float64Array;
  /** Angle by which the elbow is bent before rotation, radians. */
  flexion: number;
  /** Elbow joint before rotation. */
  readonly elbowBefore: Float64Array;
  /** Position of a point, after rotation. */
  readonly point: Float64Array;
  /** World delta of the bone of a point, after rotation. */
  readonly delta: Float64Array;
}

export function createArmPose(): ArmPose {
  const [trunk, upper, lower, delta] = Array.from({ length: 4 }, () => new Float64Array(4));
  const [shoulder, elbow, rotation, hinge, elbowBefore, point] = Array.from({ length: 6 }, () => new Float64Array(3));
  return { trunk, shoulder, elbow, rotation, upper, lower, hinge, flexion: 0, elbowBefore, point, delta };
}

const first = new Float64Array(3);
const second = new Float64Array(3);
const axis = new Float64Array(3);
const elbowRotation = new Float64Array(4);

/** Writes the rotation of a rotation vector. */
function fromVector(out: Float64Array, vector: Float64Array): void {
  const angle = vec3.normalize(axis, 0, vector, 0);
  quat.fromAxisAngle(out, 0, axis, 0, angle);
}

/** Converts a rotation vector in the axes of the trunk to a rotation in world space. `out` receives xyzw. */
export function trunkRotation(out: Float64Array, trunk: Float64Array, vector: Float64Array, v: number): void {
  vec3.rotate(first, 0, trunk, 0, vector, v);
  fromVector(out, first);
}

export function rotateArm(
  pose: ArmPose,
  { bones: [upperBone, lowerBone, handBone], hinge }: Arm,
  trunkBone: number,
  bones: Float64Array,
  b: number,
  unknowns: Float64Array,
  u: number,
): void {
  const at = (bone: number): number => b + BONE_STRIDE * bone;
  const joint = (bone: number): number => at(bone) + POSITION_OFFSET;
  quat.copy(pose.trunk, 0, bones, at(trunkBone));
  vec3.copy(pose.shoulder, 0, bones, joint(upperBone));
  vec3.copy(pose.elbowBefore, 0, bones, joint(lowerBone));
  vec3.subtract(first, 0, bones, joint(lowerBone), bones, joint(upperBone));
  vec3.subtract(second, 0, bones, joint(handBone), bones, joint(lowerBone));
  vec3.normalize(first, 0, first, 0);
  vec3.normalize(second, 0, second, 0);
  vec3.cross(axis, 0, first, 0, second, 0);
  pose.flexion = Math.atan2(vec3.length(axis, 0), vec3.dot(first, 0, second, 0));
  vec3.rotate(pose.hinge, 0, bones, at(upperBone), hinge, 0);
  elbowAxis(pose.hinge, 0, axis);
  quat.fromAxisAngle(elbowRotation, 0, pose.hinge, 0, unknowns[u + 3]);
  vec3.copy(pose.rotation, 0, unknowns, u);
  trunkRotation(pose.upper, pose.trunk, pose.rotation, 0);
  quat.multiply(pose.lower, 0, pose.upper, 0, elbowRotation, 0);
  vec3.rotate(pose.hinge, 0, pose.upper, 0, pose.hinge, 0);
  vec3.subtract(pose.elbow, 0, pose.elbowBefore, 0, pose.shoulder, 0);
  vec3.rotate(pose.elbow, 0, pose.upper, 0, pose.elbow, 0);
  vec3.add(pose.elbow, 0, pose.elbow, 0, pose.shoulder, 0);
}

/** Tells whether an elbow bends neither backward nor through the upper arm before rotation. */
export function isElbowWithin({ flexion }: ArmPose): boolean {
  return flexion >= STRAIGHTEST && flexion <= MOST_BENT;
}

/** Computes the position of a point of a rotated arm, and the world delta of its bone. */
export function movePoint(pose: ArmPose, point: LimbPoint, bones: Float64Array, b: number): void {
  const at = b + BONE_STRIDE * point.bone;
  vec3.rotate(pose.point, 0, bones, at, point.offset, 0);
  vec3.add(pose.point, 0, pose.point, 0, bones, at + POSITION_OFFSET);
  const rotation = point.isUpper ? pose.upper : pose.lower;
  const [from, to] = point.isUpper ? [pose.shoulder, pose.shoulder] : [pose.elbowBefore, pose.elbow];
  vec3.subtract(pose.point, 0, pose.point, 0, from, 0);
  vec3.rotate(pose.point, 0, rotation, 0, pose.point, 0);
  vec3.add(pose.point, 0, pose.point, 0, to, 0);
  quat.multiply(pose.delta, 0, rotation, 0, bones, at);
}

const lever = new Float64Array(3);
const moment = new Float64Array(3);
const across = new Float64Array(3);

/**
 * Converts a gradient by angular velocities to one by the components of a rotation vector: the transposed left Jacobian of SO(3) (Solà, Deray, Atchuthan, A
 * micro Lie theory for state estimation in robotics, 2018, equation 145).
 */
export function byRotationVector(out: Float64Array, rotation: Float64Array): void {
  const angle = vec3.normalize(axis, 0, rotation, 0);
  if (!(angle > 0)) return;
  const sine = Math.sin(angle) / angle;
  const along = vec3.dot(axis, 0, out, 0) * (1 - sine);
  vec3.cross(across, 0, axis, 0, out, 0);
  vec3.scale(out, 0, out, 0, sine);
  vec3.addScaled(out, 0, out, 0, axis, 0, along);
  vec3.addScaled(out, 0, out, 0, across, 0, -(1 - Math.cos(angle)) / angle);
}

/**
 * Computes how a point of a rotated arm moves with the unknowns.
 *
 * @param out Receives {@link UNKNOWNS} numbers: meters along `direction` per radian.
 */
export function pointGradient(
  out: Float64Array,
  pose: ArmPose,
  point: Pick<LimbPoint, 'isUpper'>,
  direction: Float64Array,
): void {
  // (axis × lever) · direction = axis · (lever × direction)
  vec3.subtract(lever, 0, pose.point, 0, pose.shoulder, 0);
  vec3.cross(moment, 0, lever, 0, direction, 0);
  vec3.rotateBack(out, 0, pose.trunk, 0, moment, 0);
  byRotationVector(out, pose.rotation);
  out[3] = 0;
  if (point.isUpper) return;
  vec3.subtract(lever, 0, pose.point, 0, pose.elbow, 0);
  vec3.cross(moment, 0, lever, 0, direction, 0);
  out[3] = vec3.dot(pose.hinge, 0, moment, 0);
}

/** Returns the bone whose axes the unknowns of arms use: the upper trunk. */
export function trunkBoneOf(nodes: ArrayLike<number>): number {
  return [BONE.upperChest, BONE.chest, BONE.spine].find((bone) => nodes[bone] >= 0) ?? BONE.hips;
}

import { BONE, BONE_COUNT } from '../humanoid/bones.ts';
import type { DeclaredHumanoid } from '../humanoid/humanoid.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { restPose } from '../skeleton/pose.ts';
import { POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { anchorOf } from './fill-gaps.ts';
import { createHingeState, followHinges } from './live-hinges.ts';
import {
  declaredBones,
  fitBody,
  heightAboveSoles,
  MAX_COORDINATE,
  MIN_CONFIDENCE,
  type PointMotion,
  type PointOptions,
  placeError,
} from './motion-from-points.ts';
import { bodyParent } from './point-body.ts';
import { ROLE_COUNT } from './roles.ts';
import { completePoints, HINGE_STRIDE, HINGES, hingeBone, hingeChild, solveLimbs, solveTrunk } from './solve-frame.ts';

/** Longest time between two frames that counts, seconds: after a longer pause the twist starts anew. */
const LONGEST_PAUSE = 1;

/** Poses from joint positions that arrive frame by frame. */
export interface PoseFromPoints {
  /** A T-pose in the canonical frame, as of `motionFromPoints`. */
  readonly skeleton: Skeleton;
  /** Which node is which bone. */
  readonly declared: DeclaredHumanoid;
  /** The pose of the last frame: 10 floats per node (translation, rotation, scale, local), the T-pose before the first. */
  readonly pose: Float64Array;
  /**
   * Computes the pose of a frame. It allocates no array or object.
   *
   * @param positions xyz per joint: meters, +Y up; NaN where a joint is missing, which then keeps its offset from the joint above.
   * @param seconds Time since the frame before.
   * @param confidences 0…1 per joint.
   */
  readonly update: (positions: ArrayLike<number>, seconds: number, confidences?: ArrayLike<number>) => void;
}

/**
 * Prepares poses from joint positions that arrive frame by frame, such as the world landmarks of MediaPipe. Bone lengths come from the first frames; each pose is
 * that of `motionFromPoints`, but for the twist of arms and legs, which knows only the frames before.
 *
 * @param first Some frames of the person, such as those of the first second; one is enough. All joints that come later are among them.
 * @returns The skeleton, and what computes its pose.
 * @throws RangeError as of `motionFromPoints`.
 * @experimental
 */
export function createPoseFromPoints(first: PointMotion, options: PointOptions = {}): PoseFromPoints {
  const { minConfidence = MIN_CONFIDENCE } = options;
  const { body, roles, wanted, people, skeleton, nodes, hipsHeight, centered } = fitBody([first], options);
  const [known] = people;
  const lift = centered.length > 0;
  const used = Int32Array.from(wanted);
  const usedRoles = Int32Array.from(wanted, (joint) => roles[joint]);
  const order = Int32Array.from(used.keys()).sort((p, q) => usedRoles[p] - usedRoles[q]);
  const anchors = Int32Array.from(used.keys(), (point) => anchorOf(point, usedRoles));
  /** Position of each used point, and its offset from the point above: those of the last frame that shows it. */
  const now = known.positions.slice(0, 3 * used.length);
  const offsets = new Float64Array(3 * used.length);
  const keepOffset = (point: number): void => {
    if (anchors[point] < 0) vec3.copy(offsets, 3 * point, now, 3 * point);
    else vec3.subtract(offsets, 3 * point, now, 3 * point, now, 3 * anchors[point]);
  };
  for (const point of order) keepOffset(point);
  const place = (role: number): number => usedRoles.indexOf(role);
  const errors = Array.from({ length: HINGES }, (_, limb) => {
    const [upper, lower] = [hingeBone(limb), hingeChild(limb)];
    if (body.has[lower] === 0) return 0;
    return placeError(known.positions, used.length, place(upper), place(lower));
  });
  const state = createHingeState(body, errors);
  const points = new Float64Array(3 * ROLE_COUNT);
  const rotations = new Float64Array(4 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) quat.identity(rotations, 4 * bone);
  const hinges = new Float64Array(HINGES * HINGE_STRIDE);
  const bones = Int32Array.from(Array(BONE_COUNT).keys()).filter((bone) => nodes[bone] >= 0);
  const parents = bones.map((bone) => bodyParent(body, bone));
  const pose = restPose(skeleton);

  const update: PoseFromPoints['update'] = (positions, seconds, confidences) => {
    for (let k = 0; k < order.length; k++) {
      const point = order[k];
      const at = 3 * used[point];
      const isSure = confidences === undefined || confidences[used[point]] >= minConfidence;
      let isKnown = isSure;
      for (let c = at; c < at + 3; c++) isKnown &&= Math.abs(positions[c]) < MAX_COORDINATE;
      if (isKnown) {
        vec3.copy(now, 3 * point, positions, at);
        keepOffset(point);
      } else if (anchors[point] >= 0) vec3.add(now, 3 * point, now, 3 * anchors[point], offsets, 3 * point);
      vec3.copy(points, 3 * usedRoles[point], now, 3 * point);
    }
    completePoints(body, points);
    solveTrunk(body, points, rotations);
    if (!(seconds <= LONGEST_PAUSE)) state.certainty.fill(0);
    followHinges(state, body, points, rotations, Math.max(0, seconds), hinges);
    solveLimbs(body, points, hinges, 0, rotations);
    for (let k = 0; k < bones.length; k++) {
      const out = POSE_STRIDE * nodes[bones[k]] + 3;
      if (parents[k] < 0) quat.copy(pose, out, rotations, 4 * bones[k]);
      else {
        quat.conjugate(pose, out, rotations, 4 * parents[k]);
        quat.multiply(pose, out, pose, out, rotations, 4 * bones[k]);
      }
      quat.normalize(pose, out, pose, out);
    }
    const hips = POSE_STRIDE * nodes[BONE.hips];
    vec3.copy(pose, hips, points, 3 * BONE.hips);
    if (lift) pose[hips + 1] += heightAboveSoles(body, points, hipsHeight);
  };
  return { skeleton, declared: declaredBones(nodes), pose, update };
}

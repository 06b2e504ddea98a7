/** From a pose of a figure to the numbers of a rig: local transforms and model matrices in the axes and the unit of its file. */
import type { Floats } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { DemoCharacter, NodeTransform } from './make-character.ts';
import type { Pose } from '../figure/pose.ts';

/** What of a body its poses depend on. */
export type PosedCharacter = Pick<DemoCharacter, 'drivers' | 'followers' | 'joints' | 'axes' | 'armature' | 'truth'> & {
  readonly skeleton: Pick<Skeleton, 'parents'>;
};

/** World transforms of the nodes of a body: rotations xyzw and positions xyz. Nothing of the armature. */
export interface WorldPose {
  readonly rotations: Float64Array;
  readonly positions: Float64Array;
}

export const ORIGIN: NodeTransform = {
  rotation: Float64Array.of(0, 0, 0, 1),
  position: new Float64Array(3),
  scale: 1,
};

/**
 * World transforms in a pose; canonical frame, meters. With `spread`, joints between two bones of the trunk turn half-way
 * between them, and the bones turn no less for that.
 */
export function worldPose(body: PosedCharacter, pose: Pose, spread = false): WorldPose {
  const { motionBones, blendBones, joints, axes } = body;
  const { parents } = body.skeleton;
  const rotations = new Float64Array(parents.length * 4);
  const positions = new Float64Array(parents.length * 3);
  const deltas = new Float64Array(parents.length * 4);
  for (let node = 0; node < parents.length; node++) {
    const driver = motionBones[node];
    if (driver < 0) continue;
    quat.copy(deltas, node * 4, pose.deltas, driver * 4);
    const follower = blendBones[node];
    if (spread && follower >= 0) quat.slerp(deltas, node * 4, deltas, node * 4, pose.deltas, follower * 4, 0.5);
    quat.multiply(rotations, node * 4, deltas, node * 4, axes, node * 4);
    const parent = parents[node];
    if (parent < 0 || motionBones[parent] < 0) {
      vec3.copy(positions, node * 3, pose.hips, 0);
      continue;
    }
    vec3.subtract(positions, node * 3, joints, node * 3, joints, parent * 3);
    vec3.rotate(positions, node * 3, deltas, parent * 4, positions, node * 3);
    vec3.add(positions, node * 3, positions, node * 3, positions, parent * 3);
  }
  return { rotations, positions };
}

/** Turns the canonical frame into the axes of the file. */
export function toFileAxes(body: PosedCharacter): Float64Array {
  const out = new Float64Array(4);
  quat.conjugate(out, 0, body.truth.frame, 0);
  return out;
}

/** Local transforms of the nodes below the armature in a pose, {@link POSE_STRIDE} floats a node; the others are left alone. */
export function poseCharacter(out: Floats, body: PosedCharacter, pose: Pose, spread = false): void {
  const { motionBones, armature, truth } = body;
  const { parents } = body.skeleton;
  const { rotations, positions } = worldPose(body, pose, spread);
  const base = armature.at(-1) ?? ORIGIN;
  const toFile = toFileAxes(body);
  const inverse = new Float64Array(4);
  for (let node = 0; node < parents.length; node++) {
    if (motionBones[node] < 0) continue;
    const o = node * POSE_STRIDE;
    const parent = parents[node];
    if (parent < 0 || motionBones[parent] < 0) {
      quat.conjugate(inverse, 0, base.rotation, 0);
      vec3.rotate(out, o, toFile, 0, positions, node * 3);
      vec3.scale(out, o, out, o, 1 / truth.metersPerUnit);
      vec3.subtract(out, o, out, o, base.position, 0);
      vec3.rotate(out, o, inverse, 0, out, o);
      vec3.scale(out, o, out, o, 1 / base.scale);
      quat.multiply(inverse, 0, inverse, 0, toFile, 0);
    } else {
      quat.conjugate(inverse, 0, rotations, parent * 4);
      vec3.subtract(out, o, positions, node * 3, positions, parent * 3);
      vec3.rotate(out, o, inverse, 0, out, o);
      vec3.scale(out, o, out, o, 1 / (truth.metersPerUnit * base.scale));
    }
    quat.multiply(out, o + 3, inverse, 0, rotations, node * 4);
    quat.normalize(out, o + 3, out, o + 3);
    out.fill(1, o + 7, o + 10);
  }
}

/** Model matrices of all nodes in a pose, axes and unit of the file, {@link MATRIX_STRIDE} floats a node. */
export function modelMatrices(body: PosedCharacter, pose: Pose): Float64Array {
  const { motionBones, armature, truth } = body;
  const { parents } = body.skeleton;
  const { rotations, positions } = worldPose(body, pose);
  const toFile = toFileAxes(body);
  const out = new Float64Array(parents.length * MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  for (let node = 0; node < parents.length; node++) {
    const above = motionBones[node] < 0;
    if (above) {
      vec3.copy(trs, 0, armature[node].position, 0);
      quat.copy(trs, 3, armature[node].rotation, 0);
    } else {
      vec3.rotate(trs, 0, toFile, 0, positions, node * 3);
      vec3.scale(trs, 0, trs, 0, 1 / truth.metersPerUnit);
      quat.multiply(trs, 3, toFile, 0, rotations, node * 4);
    }
    trs.fill((above ? armature[node] : (armature.at(-1) ?? ORIGIN)).scale, 7);
    mat4.compose(out, node * MATRIX_STRIDE, trs, 0);
  }
  return out;
}

/** Converts poses of a figure into transforms of a rig: world poses, local transforms and model matrices. */
import type { BonePose } from '../../core/humanoid/t-pose/bone-pose.ts';
import type { Floats } from '../../core/math/floats.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import type { Pose } from '../figure/pose.ts';
import type { DemoCharacter, NodeTransform } from './character.ts';

const { rotation: ROTATION, scale: SCALE } = PATH_OFFSET;

/** The parts of a character that its poses depend on. */
type PosedCharacter = Pick<
  DemoCharacter,
  'motionBones' | 'blendBones' | 'joints' | 'axes' | 'armature' | 'frame' | 'metersPerUnit'
> & {
  readonly skeleton: Pick<Skeleton, 'parents'>;
};

/** The identity transform, used as parent of root nodes. */
export const ORIGIN: NodeTransform = {
  rotation: Float64Array.of(0, 0, 0, 1),
  position: new Float64Array(3),
  scale: 1,
};

/**
 * Computes the world transforms of all nodes below the armature in a pose. `pose`: the pose, canonical frame, meters. Returns world rotations and
 * positions per node, canonical frame, meters.
 */
export function worldPose(character: PosedCharacter, pose: Pose, blended = false): BonePose {
  const { motionBones, blendBones, joints, axes } = character;
  const { parents } = character.skeleton;
  const rotations = new Float64Array(parents.length * 4);
  const positions = new Float64Array(parents.length * 3);
  const deltas = new Float64Array(parents.length * 4);
  for (let node = 0; node < parents.length; node++) {
    const bone = motionBones[node];
    if (bone < 0) continue;
    quat.copy(deltas, node * 4, pose.deltas, bone * 4);
    const child = blendBones[node];
    if (blended && child >= 0) quat.slerp(deltas, node * 4, deltas, node * 4, pose.deltas, child * 4, 0.5);
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

export function toFileAxes(character: PosedCharacter): Float64Array {
  return quat.conjugated(character.frame);
}

/**
 * Computes the local transforms of all nodes below the armature in a pose. The armature's transforms are left unchanged. `pose` is in the canonical
 * frame and meters, `out` in local space and the unit of the file.
 */
export function poseCharacter(out: Floats, character: PosedCharacter, pose: Pose, blended = false): void {
  const { motionBones, armature, metersPerUnit } = character;
  const { parents } = character.skeleton;
  const { rotations, positions } = worldPose(character, pose, blended);
  const base = armature.at(-1) ?? ORIGIN;
  const toFile = toFileAxes(character);
  const inverse = new Float64Array(4);
  for (let node = 0; node < parents.length; node++) {
    if (motionBones[node] < 0) continue;
    const o = node * POSE_STRIDE;
    const parent = parents[node];
    if (parent < 0 || motionBones[parent] < 0) {
      quat.conjugate(inverse, 0, base.rotation, 0);
      vec3.rotate(out, o, toFile, 0, positions, node * 3);
      vec3.scale(out, o, out, o, 1 / metersPerUnit);
      vec3.subtract(out, o, out, o, base.position, 0);
      vec3.rotate(out, o, inverse, 0, out, o);
      vec3.scale(out, o, out, o, 1 / base.scale);
      quat.multiply(inverse, 0, inverse, 0, toFile, 0);
    } else {
      quat.conjugate(inverse, 0, rotations, parent * 4);
      vec3.subtract(out, o, positions, node * 3, positions, parent * 3);
      vec3.rotate(out, o, inverse, 0, out, o);
      vec3.scale(out, o, out, o, 1 / (metersPerUnit * base.scale));
    }
    quat.multiply(out, o + ROTATION, inverse, 0, rotations, node * 4);
    quat.normalize(out, o + ROTATION, out, o + ROTATION);
    out.fill(1, o + SCALE, o + POSE_STRIDE);
  }
}

/** Computes the model matrices of all nodes in a pose. `pose`: the pose, canonical frame, meters. */
export function characterMatrices(character: PosedCharacter, pose: Pose): Float64Array {
  const { motionBones, armature, metersPerUnit } = character;
  const { parents } = character.skeleton;
  const { rotations, positions } = worldPose(character, pose);
  const toFile = toFileAxes(character);
  const out = new Float64Array(parents.length * MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  for (let node = 0; node < parents.length; node++) {
    const above = motionBones[node] < 0;
    if (above) {
      vec3.copy(trs, 0, armature[node].position, 0);
      quat.copy(trs, ROTATION, armature[node].rotation, 0);
    } else {
      vec3.rotate(trs, 0, toFile, 0, positions, node * 3);
      vec3.scale(trs, 0, trs, 0, 1 / metersPerUnit);
      quat.multiply(trs, ROTATION, toFile, 0, rotations, node * 4);
    }
    trs.fill((above ? armature[node] : (armature.at(-1) ?? ORIGIN)).scale, SCALE);
    mat4.compose(out, node * MATRIX_STRIDE, trs, 0);
  }
  return out;
}

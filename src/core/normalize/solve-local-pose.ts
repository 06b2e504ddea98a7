import type { Humanoid } from '../humanoid/humanoid.ts';
import { mapNodesToBones } from '../humanoid/node-bones.ts';
import { reflected, straightHumanoid } from '../humanoid/straight-humanoid.ts';
import type { BonePose } from '../humanoid/t-pose/bone-pose.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { restPose } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';

/**
 * A transform equals the rest when it misses it by less than this, the error of float32 bind matrices: as a fraction of
 * its length for translations, of 1 for rotations and of its size for scales. Rotations of bones are stricter, because
 * their errors add up along a limb.
 */
const SAME = 1e-6;
const SAME_ROTATION = 1e-7;
/** Minimum translation that counts, as a fraction of the height. */
const MIN_TRANSLATION = 1e-9;

/** Replaces translation, rotation and scale, each by itself, by the rest value that they miss by rounding only. */
function keepRest(local: Float64Array, rest: ArrayLike<number>, at: number, least: number, rotation: number): void {
  const keep = (from: number, to: number, sign: number, most: number): void => {
    for (let c = from; c < to; c++) if (!(Math.abs(local[at + c] - sign * rest[at + c]) <= most)) return;
    for (let c = from; c < to; c++) local[at + c] = rest[at + c];
  };
  const largest = (from: number): number => {
    return Math.max(Math.abs(rest[at + from]), Math.abs(rest[at + from + 1]), Math.abs(rest[at + from + 2]));
  };
  keep(0, PATH_OFFSET.rotation, 1, Math.max(SAME * largest(0), least));
  keep(
    PATH_OFFSET.rotation,
    PATH_OFFSET.scale,
    quat.dot(local, at + PATH_OFFSET.rotation, rest, at + PATH_OFFSET.rotation) < 0 ? -1 : 1,
    rotation,
  );
  keep(PATH_OFFSET.scale, POSE_STRIDE, 1, SAME * largest(PATH_OFFSET.scale));
}

/**
 * Computes the local transforms of all nodes with which the bones are in a pose. World rotations (without scale) and positions of the bones are
 * those of the pose up to rounding. All other nodes keep their transform relative to their parent from the base pose. Scales do not change. Values
 * that miss the rest pose by rounding only become the rest pose, to the bit. `pose`: world rotations and positions of the bones, canonical frame,
 * meters. `fromCanonical`: 4×4 matrix from the canonical frame in meters to the model space of the skeleton: rotation, uniform scale, translation.
 */
export function solveLocalPose(humanoid: Humanoid, pose: BonePose, fromCanonical: Float64Array): Float64Array {
  // Rotations of a rig with negative scales do not compose.
  const { humanoid: straight, signs } = straightHumanoid(humanoid);
  const { skeleton, map, basePose, metersPerUnit, height } = straight;
  const { parents, rest } = skeleton;
  const count = parents.length;
  const local = basePose === null ? restPose(skeleton) : basePose.slice();
  const bones = mapNodesToBones(map.nodes, count);
  const change = new Float64Array(POSE_STRIDE);
  mat4.decompose(change, 0, fromCanonical, 0);
  const rotations = new Float64Array(4 * count);
  const matrices = new Float64Array(MATRIX_STRIDE * count);
  const inverse = new Float64Array(MATRIX_STRIDE);
  const wanted = new Float64Array(4);
  for (let node = 0; node < count; node++) {
    const at = POSE_STRIDE * node;
    const parent = parents[node];
    const bone = bones[node];
    if (bone >= 0) {
      quat.multiply(wanted, 0, change, PATH_OFFSET.rotation, pose.rotations, 4 * bone);
      mat4.transformPoint(local, at, fromCanonical, 0, pose.positions, 3 * bone);
      if (parent >= 0) {
        const above = quat.conjugated(rotations, 4 * parent);
        quat.multiply(wanted, 0, above, 0, wanted, 0);
        if (mat4.invertAffine(inverse, 0, matrices, MATRIX_STRIDE * parent)) {
          mat4.transformPoint(local, at, inverse, 0, local, at);
        } else for (let c = 0; c < 3; c++) local[at + c] = rest[at + c];
      }
      quat.normalize(local, at + PATH_OFFSET.rotation, wanted, 0);
    }
    const least = lengthInParent(matrices, parent, (MIN_TRANSLATION * height) / metersPerUnit);
    keepRest(local, rest, at, least, bone < 0 ? SAME : SAME_ROTATION);
    mat4.compose(matrices, MATRIX_STRIDE * node, local, at);
    quat.normalize(rotations, 4 * node, local, at + PATH_OFFSET.rotation);
    if (parent < 0) continue;
    mat4.multiply(matrices, MATRIX_STRIDE * node, matrices, MATRIX_STRIDE * parent, matrices, MATRIX_STRIDE * node);
    quat.multiply(rotations, 4 * node, rotations, 4 * parent, rotations, 4 * node);
  }
  return reflected(local, signs);
}

/** A length of model space in the local units of a parent node. */
function lengthInParent(matrices: Float64Array, parent: number, length: number): number {
  if (parent < 0) return length;
  const volume = Math.abs(mat4.determinant(matrices, MATRIX_STRIDE * parent));
  return volume > 0 ? length / Math.cbrt(volume) : length;
}

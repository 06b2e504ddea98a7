/** From a pose of bones to local transforms of all nodes. */
import type { Humanoid } from '../humanoid/humanoid.ts';
import { bonesOfNodes } from '../humanoid/node-bones.ts';
import type { TurnedPose } from '../humanoid/reference/reference-pose.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { restPose } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../skeleton/skeleton.ts';

/**
 * By how much a transform may miss the rest and still be the rest, as float32 bind matrices make it miss: parts of its own length, of 1 for rotations
 * and of its size for scales. Rotations of bones have to be truer, as they add up along a limb.
 */
const SAME = 1e-6;
const SAME_TURN = 1e-7;
/** The least way that counts, as part of the height. */
const LEAST_WAY = 1e-9;

/** Takes the rest for what misses it by a rounding; translation, rotation and scale each by itself. */
function keepRest(local: Float64Array, rest: ArrayLike<number>, at: number, least: number, turn: number): void {
  const keep = (from: number, to: number, sign: number, most: number): void => {
    for (let c = from; c < to; c++) if (!(Math.abs(local[at + c] - sign * rest[at + c]) <= most)) return;
    for (let c = from; c < to; c++) local[at + c] = rest[at + c];
  };
  const largest = (from: number): number => {
    return Math.max(Math.abs(rest[at + from]), Math.abs(rest[at + from + 1]), Math.abs(rest[at + from + 2]));
  };
  keep(0, 3, 1, Math.max(SAME * largest(0), least));
  keep(3, 7, quat.dot(local, at + 3, rest, at + 3) < 0 ? -1 : 1, turn);
  keep(7, 10, 1, SAME * largest(7));
}

/**
 * The local transforms, {@link POSE_STRIDE} floats a node, with which a body stands in a pose of its bones. World rotations (scale left out) and
 * places of the bones are those of the pose, to rounding; all other nodes keep to their parent as in the pose that the reference was taken from.
 * Scales stay.
 *
 * `fromCanonical`: a matrix, canonical frame in meters to the model space of the skeleton, by turn, one scale and shift. What misses the rest pose by
 * a rounding is the rest pose, to the bit.
 */
export function standInPose(
  { skeleton, map, shape, metersPerUnit, height }: Humanoid,
  pose: TurnedPose,
  fromCanonical: Float64Array,
): Float64Array {
  const { parents, rest } = skeleton;
  const count = parents.length;
  const local = shape === null ? restPose(skeleton) : shape.slice();
  const bones = bonesOfNodes(map.nodes, count);
  const turn = new Float64Array(10);
  mat4.decompose(turn, 0, fromCanonical, 0);
  const rotations = new Float64Array(4 * count);
  const matrices = new Float64Array(MATRIX_STRIDE * count);
  const inverse = new Float64Array(MATRIX_STRIDE);
  const wanted = new Float64Array(4);
  for (let node = 0; node < count; node++) {
    const at = POSE_STRIDE * node;
    const parent = parents[node];
    const bone = bones[node];
    if (bone >= 0) {
      quat.multiply(wanted, 0, turn, 3, pose.rotations, 4 * bone);
      mat4.transformPoint(local, at, fromCanonical, 0, pose.positions, 3 * bone);
      if (parent >= 0) {
        const above = new Float64Array(4);
        quat.conjugate(above, 0, rotations, 4 * parent);
        quat.multiply(wanted, 0, above, 0, wanted, 0);
        if (mat4.invertAffine(inverse, 0, matrices, MATRIX_STRIDE * parent)) {
          mat4.transformPoint(local, at, inverse, 0, local, at);
        } else for (let c = 0; c < 3; c++) local[at + c] = rest[at + c];
      }
      quat.normalize(local, at + 3, wanted, 0);
    }
    const least = lengthInParent(matrices, parent, (LEAST_WAY * height) / metersPerUnit);
    keepRest(local, rest, at, least, bone < 0 ? SAME : SAME_TURN);
    mat4.compose(matrices, MATRIX_STRIDE * node, local, at);
    quat.normalize(rotations, 4 * node, local, at + 3);
    if (parent < 0) continue;
    mat4.multiply(matrices, MATRIX_STRIDE * node, matrices, MATRIX_STRIDE * parent, matrices, MATRIX_STRIDE * node);
    quat.multiply(rotations, 4 * node, rotations, 4 * parent, rotations, 4 * node);
  }
  return local;
}

/** A length of model space in the units in which children of a node are placed. */
function lengthInParent(matrices: Float64Array, parent: number, length: number): number {
  if (parent < 0) return length;
  const volume = Math.abs(mat4.determinant(matrices, MATRIX_STRIDE * parent));
  return volume > 0 ? length / Math.cbrt(volume) : length;
}

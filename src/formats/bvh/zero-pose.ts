/** The pose that all angles of a new BVH are 0 in, as world rotations and positions of every node. */
import { bonesOfNodes } from '../../core/humanoid/check-map.ts';
import type { Humanoid } from '../../core/humanoid/humanoid.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { localToModelMatrices, localToModelRotations, restPose } from '../../core/skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';

/** Units of length of a new BVH in a metre: centimetres. */
const UNITS_PER_METRE = 100;

/** A skeleton that is no humanoid. It keeps its axes. */
export interface PlainBody {
  readonly skeleton: Skeleton;
  /** Metres of one unit of length; null where it is not known: the unit is kept. */
  readonly metresPerUnit: number | null;
}

/** How points and rotations of a file come into the space of the BVH, and the pose that is its zero pose. */
export interface ZeroPose {
  /** The bone of every node, −1 for nodes that are none. */
  readonly bones: Int16Array;
  /** Turns directions of the file's axes into those of the BVH; xyzw. */
  readonly frame: Float64Array;
  /** Units of the BVH in one of the file. */
  readonly scale: number;
  /** Height, in units of the BVH, that becomes y = 0. */
  readonly ground: number;
  /** World rotation per node, 4 a node; world position per node, 3 a node, from the ground. Space of the BVH. */
  readonly rotations: Float64Array;
  readonly positions: Float64Array;
  /** Diagonal of the box around the positions. */
  readonly size: number;
}

export function isHumanoid(body: Humanoid | PlainBody): body is Humanoid {
  return 'reference' in body;
}

/**
 * Of a humanoid the reference pose: bones as there, nodes between and below them as they stood when it was taken; canonical frame,
 * ground at y = 0. Of another skeleton the rest pose, axes kept. Centimetres, where the unit is known.
 */
export function zeroPose(body: Humanoid | PlainBody): ZeroPose {
  return isHumanoid(body) ? referenceOfNodes(body) : restOfNodes(body);
}

function sizeOf(positions: Float64Array): number {
  const low = positions.slice(0, 3);
  const high = positions.slice(0, 3);
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3]!, positions[i]!);
    high[i % 3] = Math.max(high[i % 3]!, positions[i]!);
  }
  return vec3.distance(low, 0, high, 0);
}

/** Positions of the nodes of a local pose, turned and scaled. */
function positionsOf(parents: Int32Array, local: Float64Array, frame: ArrayLike<number>, scale: number): Float64Array {
  const matrices = new Float64Array(parents.length * MATRIX_STRIDE);
  localToModelMatrices(matrices, parents, local);
  const positions = new Float64Array(parents.length * 3);
  for (let node = 0; node < parents.length; node++) {
    vec3.rotate(positions, node * 3, frame, 0, matrices, node * MATRIX_STRIDE + 12);
    vec3.scale(positions, node * 3, positions, node * 3, scale);
  }
  return positions;
}

function restOfNodes({ skeleton, metresPerUnit }: PlainBody): ZeroPose {
  const { parents } = skeleton;
  const scale = metresPerUnit === null ? 1 : metresPerUnit * UNITS_PER_METRE;
  const frame = Float64Array.of(0, 0, 0, 1);
  const local = restPose(skeleton);
  const rotations = new Float64Array(4 * parents.length);
  localToModelRotations(rotations, parents, local);
  const positions = positionsOf(parents, local, frame, scale);
  const bones = new Int16Array(parents.length).fill(-1);
  return { bones, frame, scale, ground: 0, rotations, positions, size: sizeOf(positions) };
}

function referenceOfNodes(humanoid: Humanoid): ZeroPose {
  const { skeleton, map, reference, shape, frame, metresPerUnit } = humanoid;
  const { parents } = skeleton;
  const scale = metresPerUnit * UNITS_PER_METRE;
  const ground = humanoid.ground * UNITS_PER_METRE;
  const bones = bonesOfNodes(map.nodes, parents.length);
  const local = shape === null ? restPose(skeleton) : shape.slice();
  const rotations = new Float64Array(4 * parents.length);
  const above = new Float64Array(4);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node]!;
    const at = node * POSE_STRIDE + 3;
    if (parent < 0) quat.copy(above, 0, frame, 0);
    else quat.copy(above, 0, rotations, 4 * parent);
    if (bones[node]! >= 0) {
      quat.copy(rotations, 4 * node, reference.rotations, 4 * bones[node]!);
      quat.conjugate(above, 0, above, 0);
      quat.multiply(local, at, above, 0, rotations, 4 * node);
    } else {
      quat.multiply(rotations, 4 * node, above, 0, local, at);
      quat.normalize(rotations, 4 * node, rotations, 4 * node);
    }
  }
  const positions = positionsOf(parents, local, frame, scale);
  moveToReference(positions, humanoid, bones);
  for (let node = 0; node < parents.length; node++) positions[3 * node + 1]! -= ground;
  return { bones, frame, scale, ground, rotations, positions, size: sizeOf(positions) };
}

/**
 * Puts the bones where the reference pose has them, and every other node as far from the bone above it as it was: the pose may be
 * raised to the ground, and a bone that hangs elsewhere in the node tree is at the end of its limb.
 */
function moveToReference(positions: Float64Array, { skeleton, reference, map }: Humanoid, bones: Int16Array): void {
  const { parents } = skeleton;
  const moves = new Float64Array(positions.length);
  const hips = map.nodes[0]!;
  const ofHips = new Float64Array(3);
  vec3.scale(ofHips, 0, reference.positions, 0, UNITS_PER_METRE);
  vec3.subtract(ofHips, 0, ofHips, 0, positions, 3 * hips);
  for (let node = 0; node < parents.length; node++) {
    const o = 3 * node;
    if (bones[node]! >= 0) {
      vec3.scale(moves, o, reference.positions, 3 * bones[node]!, UNITS_PER_METRE);
      vec3.subtract(moves, o, moves, o, positions, o);
    } else if (parents[node]! < 0) vec3.copy(moves, o, ofHips, 0);
    else vec3.copy(moves, o, moves, 3 * parents[node]!);
  }
  for (let i = 0; i < positions.length; i++) positions[i]! += moves[i]!;
}

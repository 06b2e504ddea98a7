/**
 * Poses: POSE_STRIDE floats a node, local (translation xyz, rotation xyzw, scale xyz), and what follows from them in model
 * space, the space of the skeleton's roots. Parents come first, so every function here is one loop.
 */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { MATRIX_STRIDE, POSE_STRIDE, type Skeleton } from './skeleton.ts';

/** The rest pose of a skeleton, local, in a buffer of its own: what the caller fills in before sampling. */
export function restPose(skeleton: Skeleton): Float64Array {
  return Float64Array.from(skeleton.rest);
}

/**
 * The bind pose of a skeleton, local; null when it has none. Local matrices are `bind(parent)⁻¹ · bind(node)`; shear that
 * ten floats cannot hold is left out. Below a bind matrix that cannot be inverted a node keeps its rest pose.
 */
export function bindPose(skeleton: Skeleton): Float64Array | null {
  const { bind, parents } = skeleton;
  if (bind === null) return null;
  const pose = restPose(skeleton);
  const matrix = new Float64Array(MATRIX_STRIDE);
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    if (parent < 0) mat4.copy(matrix, 0, bind, node * MATRIX_STRIDE);
    else if (mat4.invertAffine(matrix, 0, bind, parent * MATRIX_STRIDE)) {
      mat4.multiply(matrix, 0, matrix, 0, bind, node * MATRIX_STRIDE);
    } else continue;
    mat4.decompose(pose, node * POSE_STRIDE, matrix, 0);
  }
  return pose;
}

/**
 * Model-space rotation of every node, xyzw, 4 floats a node: the product of the local rotations down the tree, unit length.
 * Scale, also a mirroring one, does not count.
 */
export function localToModelRotations(out: Floats, parents: Int32Array, local: Floats): void {
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    if (parent < 0) quat.normalize(out, node * 4, local, node * POSE_STRIDE + 3);
    else {
      quat.multiply(out, node * 4, out, parent * 4, local, node * POSE_STRIDE + 3);
      quat.normalize(out, node * 4, out, node * 4);
    }
  }
}

/** Model-space matrix of every node, {@link MATRIX_STRIDE} floats a node. */
export function localToModelMatrices(out: Floats, parents: Int32Array, local: Floats): void {
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    const o = node * MATRIX_STRIDE;
    mat4.compose(out, o, local, node * POSE_STRIDE);
    if (parent >= 0) mat4.multiply(out, o, out, parent * MATRIX_STRIDE, out, o);
  }
}

/** Model-space position of every node, 3 floats a node, of its model-space matrix. */
export function modelPositions(out: Floats, modelMatrices: Floats): void {
  const count = Math.floor(modelMatrices.length / MATRIX_STRIDE);
  for (let node = 0; node < count; node++) {
    out[node * 3] = modelMatrices[node * MATRIX_STRIDE + 12];
    out[node * 3 + 1] = modelMatrices[node * MATRIX_STRIDE + 13];
    out[node * 3 + 2] = modelMatrices[node * MATRIX_STRIDE + 14];
  }
}

const inverse = new Float64Array(MATRIX_STRIDE);

/**
 * Local matrix of every node of its model-space matrix; `out` may be the input. Returns false when the matrix of a parent
 * cannot be inverted: its children then get the identity.
 */
export function modelToLocalMatrices(out: Floats, parents: Int32Array, modelMatrices: Floats): boolean {
  let invertible = true;
  // Children first: the matrix of the parent is still the model-space one when out is the input.
  for (let node = parents.length - 1; node >= 0; node--) {
    const parent = parents[node];
    const o = node * MATRIX_STRIDE;
    if (parent < 0) mat4.copy(out, o, modelMatrices, o);
    else if (mat4.invertAffine(inverse, 0, modelMatrices, parent * MATRIX_STRIDE)) {
      mat4.multiply(out, o, inverse, 0, modelMatrices, o);
    } else {
      mat4.identity(out, o);
      invertible = false;
    }
  }
  return invertible;
}

/**
 * Conversions between local and model space. A pose has {@link POSE_STRIDE} floats per node: translation xyz, rotation xyzw, scale xyz,
 * local space. Model space is the space of the skeleton's roots. Parents come before children, so every conversion is one loop.
 */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { findReflections } from './reflections.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from './skeleton.ts';

const ROTATION = PATH_OFFSET.rotation;

/**
 * Copies the rest pose of a skeleton. Sampling a clip overwrites only what its tracks animate, so this is the buffer to sample into.
 *
 * @returns a new buffer with 10 floats per node, local space.
 * @example
 * const pose = restPose(skeleton);
 * sampleClip(clip, 0.5, pose);
 */
export function restPose(skeleton: Skeleton): Float64Array {
  return Float64Array.from(skeleton.rest);
}

/**
 * Computes the bind pose of a skeleton in local space: `bind(parent)⁻¹ · bind(node)`, decomposed; shear is lost. A node whose parent has a singular
 * bind matrix keeps its rest pose. Returns a new buffer with 10 floats per node, local space; null when the skeleton has no bind pose.
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
 * Computes the model-space rotation of every node: of the same rig without negative scales, which is the product of the local rotations from the
 * root where there are none. `out` receives 4 floats per node: unit quaternions xyzw, model space. `parents`: parent of each node, −1 for a root;
 * parents come before children. `local`: 10 floats per node, local space.
 */
export function localToModelRotations(out: Floats, parents: Int32Array, local: Floats): void {
  const signs = findReflections({ parents, rest: local });
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    const at = node * POSE_STRIDE + ROTATION;
    quat.copy(out, node * 4, local, at);
    if (signs !== null) for (let c = 0; c < 3; c++) out[node * 4 + c] *= signs[at + c];
    if (parent >= 0) quat.multiply(out, node * 4, out, parent * 4, out, node * 4);
    quat.normalize(out, node * 4, out, node * 4);
  }
}

/**
 * Computes the model-space matrix of every node.
 *
 * @param out Receives {@link MATRIX_STRIDE} floats per node, column-major, model space.
 * @param parents Parent of each node, −1 for a root; parents come before children.
 * @param local 10 floats per node, local space.
 */
export function localToModelMatrices(out: Floats, parents: Int32Array, local: Floats): void {
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node];
    const o = node * MATRIX_STRIDE;
    if (parent < 0) mat4.compose(out, o, local, node * POSE_STRIDE);
    else mat4.multiplyTransform(out, o, out, parent * MATRIX_STRIDE, local, node * POSE_STRIDE);
  }
}

/** Computes the model-space matrices of a local pose, as {@link localToModelMatrices} does, in an array of their own. */
export function modelMatrices(parents: Int32Array, local: Floats): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE * parents.length);
  localToModelMatrices(out, parents, local);
  return out;
}

/**
 * Extracts the model-space position of every node from its matrix. `out` receives 3 floats per node, model space. `modelMatrices`: 16 floats per
 * node, column-major, model space.
 */
export function modelPositions(out: Floats, modelMatrices: Floats): void {
  const count = Math.floor(modelMatrices.length / MATRIX_STRIDE);
  for (let node = 0; node < count; node++) {
    out[node * 3] = modelMatrices[node * MATRIX_STRIDE + 12];
    out[node * 3 + 1] = modelMatrices[node * MATRIX_STRIDE + 13];
    out[node * 3 + 2] = modelMatrices[node * MATRIX_STRIDE + 14];
  }
}

const inverse = new Float64Array(MATRIX_STRIDE);

/** Computes the local matrix of every node from its model-space matrix. `out` may be `modelMatrices`. */
export function modelToLocalMatrices(out: Floats, parents: Int32Array, modelMatrices: Floats): boolean {
  let invertible = true;
  // Children first, so that the parent's matrix is still in model space when out is the input.
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

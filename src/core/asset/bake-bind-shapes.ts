/** Bakes bind shapes (UsdSkel's geomBindTransform) into the vertices. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { modelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { depths } from '../skeleton/topology.ts';
import type { Geometry, Skin } from './geometry.ts';
import { type Similarity, transformMeshes } from './transform-meshes.ts';

/** Largest error, relative to scale, of a bind shape that counts as a similarity: rounding in float32 and text files. */
const SIMILARITY_EPSILON = 1e-4;
/** Largest error of a bind shape that counts as the identity. */
const IDENTITY_EPSILON = 1e-5;

/** Returns the index, in `joints`, of the joint with the fewest ancestors; the first of several. */
function topmostJoint({ joints }: Skin, depthOf: Int32Array): number {
  let top = 0;
  for (let j = 1; j < joints.length; j++) if (depthOf[joints[j]] < depthOf[joints[top]]) top = j;
  return top;
}

/**
 * Computes the transform from mesh space to model space in the bind pose, from joint `top`. Returns null for the identity, and for transforms with
 * shear, mirroring or nonuniform scale, which normals would not follow.
 */
function bindShapeOf({ joints, inverseBindMatrices }: Skin, top: number, bindMatrices: Floats): Similarity | null {
  if (joints.length === 0) return null;
  const bindShape = new Float64Array(MATRIX_STRIDE);
  mat4.multiply(bindShape, 0, bindMatrices, MATRIX_STRIDE * joints[top], inverseBindMatrices, MATRIX_STRIDE * top);
  if (bindShape.every((value, c) => Math.abs(value - (c % 5 === 0 ? 1 : 0)) <= IDENTITY_EPSILON)) return null;
  if (!bindShape.every(Number.isFinite)) return null;
  const trs = new Float64Array(POSE_STRIDE);
  mat4.decompose(trs, 0, bindShape, 0);
  const [sx, sy, sz] = trs.subarray(PATH_OFFSET.scale);
  const scale = Math.cbrt(sx * sy * sz);
  if (!(sx > 0 && sy > 0 && sz > 0 && Math.max(sx, sy, sz) - Math.min(sx, sy, sz) <= SIMILARITY_EPSILON * scale))
    return null;
  trs.fill(scale, PATH_OFFSET.scale);
  const nearest = new Float64Array(MATRIX_STRIDE);
  mat4.compose(nearest, 0, trs, 0);
  const columns = [0, 1, 2, 4, 5, 6, 8, 9, 10];
  if (columns.some((c) => Math.abs(nearest[c] - bindShape[c]) > SIMILARITY_EPSILON * scale)) return null;
  return { rotation: trs.slice(PATH_OFFSET.rotation, PATH_OFFSET.scale), scale, translation: trs.slice(0, 3) };
}

/** Adapts inverse bind matrices to vertices with a baked bind shape. */
function bakeSkin(skin: Skin, bindShape: Similarity | null): Skin {
  if (bindShape === null) return skin;
  const { rotation, scale, translation } = bindShape;
  const matrix = new Float64Array(MATRIX_STRIDE);
  mat4.compose(matrix, 0, [...Array.from(translation), ...Array.from(rotation), scale, scale, scale], 0);
  mat4.invertAffine(matrix, 0, matrix, 0);
  const inverseBindMatrices = Float64Array.from(skin.inverseBindMatrices);
  for (let at = 0; at < inverseBindMatrices.length; at += MATRIX_STRIDE) {
    mat4.multiply(inverseBindMatrices, at, inverseBindMatrices, at, matrix, 0);
  }
  return { ...skin, inverseBindMatrices };
}

/**
 * Bakes the bind shape of every skin into the vertices and inverse bind matrices, so that skinned vertices are stored in model space of the bind
 * pose. Players then find the character at its bounding box (FBX stores meshes in axes and units of their node). The rendered result is the same in
 * every pose. Skins whose bind shape is not a similarity (rotation, uniform scale, translation) stay unchanged. A mesh with several skins becomes
 * several meshes. `bindMatrices`: model matrices of all nodes in the bind pose: 16 floats per node; the rest pose by default. Returns a copy, or
 * the same object where nothing changes.
 */
export function bakeBindShapes(geometry: Geometry, bindMatrices: Floats = modelMatricesAtRest(geometry)): Geometry {
  const { nodes, skins } = geometry;
  const depthOf = depths(nodes.parents);
  const bindShapes = skins.map((skin) => bindShapeOf(skin, topmostJoint(skin, depthOf), bindMatrices));
  if (bindShapes.every((bindShape) => bindShape === null)) return geometry;
  const { meshes, instances } = transformMeshes(geometry, null, (skin) => bindShapes[skin]);
  return { ...geometry, meshes, instances, skins: skins.map((skin, s) => bakeSkin(skin, bindShapes[s])) };
}

function modelMatricesAtRest({ nodes }: Geometry): Float64Array {
  return modelMatrices(nodes.parents, nodes.rest);
}

/** Bind poses stored where they stand. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import { localToModelMatrices } from '../skeleton/pose.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../skeleton/skeleton.ts';
import { depths } from '../skeleton/topology.ts';
import type { Geometry, Skin } from './geometry.ts';
import { transformMeshes, type Similarity } from './transform-meshes.ts';

/** What a factor may miss a similarity by, as part of its scale: float32 and text of files. */
const UNIFORM = 1e-4;
/** What a factor may miss the identity by and still not be worth a change of every vertex. */
const NO_FACTOR = 1e-5;

/** The place of the joint with the fewest nodes above it, the first of them. */
function topmostJoint({ joints }: Skin, depthOf: Int32Array): number {
  let top = 0;
  for (let j = 1; j < joints.length; j++) if (depthOf[joints[j]] < depthOf[joints[top]]) top = j;
  return top;
}

/**
 * The transform from mesh space to model space that the skin has at bind, by joint `top`; null for the identity, and for one that
 * shears, mirrors or scales by axes: normals would not come along.
 */
function bindShapeOf({ joints, inverseBindMatrices }: Skin, top: number, bindMatrices: Floats): Similarity | null {
  if (joints.length === 0) return null;
  const factor = new Float64Array(MATRIX_STRIDE);
  mat4.multiply(factor, 0, bindMatrices, MATRIX_STRIDE * joints[top], inverseBindMatrices, MATRIX_STRIDE * top);
  if (factor.every((value, c) => Math.abs(value - (c % 5 === 0 ? 1 : 0)) <= NO_FACTOR)) return null;
  if (!factor.every(Number.isFinite)) return null;
  const trs = new Float64Array(POSE_STRIDE);
  mat4.decompose(trs, 0, factor, 0);
  const [sx, sy, sz] = trs.subarray(7);
  const scale = Math.cbrt(sx * sy * sz);
  if (!(sx > 0 && sy > 0 && sz > 0 && Math.max(sx, sy, sz) - Math.min(sx, sy, sz) <= UNIFORM * scale)) return null;
  trs.fill(scale, 7);
  const nearest = new Float64Array(MATRIX_STRIDE);
  mat4.compose(nearest, 0, trs, 0);
  const columns = [0, 1, 2, 4, 5, 6, 8, 9, 10];
  if (columns.some((c) => Math.abs(nearest[c] - factor[c]) > UNIFORM * scale)) return null;
  return { rotation: trs.slice(3, 7), scale, translation: trs.slice(0, 3) };
}

function bakeSkin(skin: Skin, move: Similarity | null): Skin {
  if (move === null) return skin;
  const { rotation, scale, translation } = move;
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
 * The geometry with everything that skins move stored as it stands in the model at bind: the bind-shape factor of every skin goes into the
 * vertices, so that boxes around them are where players look for the body (FBX stores meshes in the axes and the unit of their node).
 * What is seen is the same in every pose. Skins whose factor is no similarity stay as they are; a mesh of several skins becomes several.
 *
 * `bindMatrices`: where all nodes stood in the model when they were bound, 16 floats each; without them as they rest.
 */
export function bakeBindShapes(geometry: Geometry, bindMatrices: Floats = modelMatricesAtRest(geometry)): Geometry {
  const { nodes, skins } = geometry;
  const depthOf = depths(nodes.parents);
  const moves = skins.map((skin) => bindShapeOf(skin, topmostJoint(skin, depthOf), bindMatrices));
  if (moves.every((move) => move === null)) return geometry;
  const { meshes, instances } = transformMeshes(geometry, null, (skin) => moves[skin]);
  return { ...geometry, meshes, instances, skins: skins.map((skin, s) => bakeSkin(skin, moves[s])) };
}

function modelMatricesAtRest({ nodes }: Geometry): Float64Array {
  const matrices = new Float64Array(MATRIX_STRIDE * nodes.parents.length);
  localToModelMatrices(matrices, nodes.parents, nodes.rest);
  return matrices;
}

/**
 * Inverse bind matrices of skins. Joints with new axes: `IBM′ = G⁻¹ · IBM`; models in a new pose: the inverse of the
 * rest matrix. glTF 2.0 section 3.7.3.
 */
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { GREATEST_PRODUCT } from '../../../core/skeleton/limit-rest.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import { type AccessorPool, poolAccessor } from '../accessors/accessor-pool.ts';
import type { GltfDocument } from '../document/document.ts';
import { DRACO_EXTENSION } from '../document/draco.ts';
import {
  indexAt,
  indicesAt,
  type JsonObject,
  listItem,
  memberAt,
  objectAt,
  objectsAt,
} from '../document/json-access.ts';
import { createGeometryReader } from '../meshes/geometry-reader.ts';
import { readVertices } from '../meshes/read-vertices.ts';
import { type Frames, newMatrix } from './frames.ts';
import { requireFinite } from './require-finite.ts';

export interface SkinMatrices {
  readonly index: number;
  readonly json: JsonObject;
  /** Joints as nodes of the forest. */
  readonly joints: Int32Array;
  /** 16 floats per joint; the identity where the skin has no usable matrix. */
  readonly inverseBind: Float64Array;
}

/** Returns whether a matrix is complete and its products with others are finite. */
function isUsable(matrix: Float32Array): boolean {
  return matrix.length === MATRIX_STRIDE && matrix.every((value) => Math.abs(value) <= GREATEST_PRODUCT);
}

/** Reads all skins that have joints. Throws FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_ACCESSOR. */
export function skinMatrices(doc: GltfDocument, forestNodes: Int32Array): SkinMatrices[] {
  return [...objectsAt(doc.json, 'skins', '')].flatMap(({ json, pointer, index }): SkinMatrices[] => {
    const nodes = indicesAt(json, 'joints', pointer, doc.json, 'nodes');
    if (nodes.length === 0) return [];
    const accessor = indexAt(json, 'inverseBindMatrices', pointer, doc.json, 'accessors');
    const isMatrix = accessor !== undefined && accessorInfo(doc, accessor).type === 'MAT4';
    const stored = isMatrix ? readFloats(doc, accessor) : new Float32Array(0);
    const inverseBind = new Float64Array(MATRIX_STRIDE * nodes.length);
    for (let at = 0; at < inverseBind.length; at += MATRIX_STRIDE) {
      const matrix = stored.subarray(at, at + MATRIX_STRIDE);
      if (isUsable(matrix)) inverseBind.set(matrix, at);
      else mat4.identity(inverseBind, at);
    }
    return [{ index, json, joints: Int32Array.from(nodes, (node) => forestNodes[node]), inverseBind }];
  });
}

/** Finds the joints of a skin that deform vertices of any mesh. */
export function weightedJoints(doc: GltfDocument, { index, joints }: SkinMatrices): Set<number> {
  const reading = createGeometryReader(doc);
  const meshes = new Set<number>();
  for (const { json: node, pointer } of objectsAt(doc.json, 'nodes', '')) {
    const mesh = indexAt(node, 'mesh', pointer, doc.json, 'meshes');
    if (mesh !== undefined && memberAt(node, 'skin') === index) meshes.add(mesh);
  }
  const found = new Set<number>();
  for (const mesh of meshes) {
    const primitives = objectsAt(listItem(doc.json, 'meshes', mesh), 'primitives', `/meshes/${mesh}`);
    for (const { json: primitive, pointer: where } of primitives) {
      if (Object.hasOwn(objectAt(primitive, 'extensions', where) ?? {}, DRACO_EXTENSION)) return new Set(joints.keys());
      const attributes = objectAt(primitive, 'attributes', where);
      if (attributes === undefined) continue;
      const influences = readVertices(reading, attributes, `${where}/attributes`, null, joints.length)?.influences;
      influences?.indices.forEach((joint, i) => {
        if (influences.weights[i] !== 0) found.add(joint);
      });
    }
  }
  return found;
}

/** Computes the inverse bind matrices of a skin whose joints have new axes. Returns 16 floats per joint; null where no joint has new axes. */
export function rotatedInverseBind(
  { joints, inverseBind }: SkinMatrices,
  { changes, wraps }: Frames,
): Float64Array | null {
  let out: Float64Array | null = null;
  const inverse = new Float64Array(4);
  const rotation = new Float64Array(MATRIX_STRIDE);
  joints.forEach((forestNode, joint) => {
    const { axes } = changes[forestNode];
    if (wraps.has(forestNode) || Math.abs(axes[3]) === 1) return;
    out ??= inverseBind.slice();
    quat.conjugate(inverse, 0, axes, 0);
    mat4.compose(rotation, 0, [0, 0, 0, inverse[0], inverse[1], inverse[2], inverse[3], 1, 1, 1], 0);
    mat4.multiply(out, MATRIX_STRIDE * joint, rotation, 0, inverseBind, MATRIX_STRIDE * joint);
  });
  return out;
}

/** Computes the inverse bind matrices of a skin whose mesh was baked into the rest pose: `M′⁻¹ · Y`. A joint with a singular matrix gets Y alone. */
export function restInverseBind({ joints }: SkinMatrices, frames: Frames, space: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE * joints.length);
  const matrix = new Float64Array(MATRIX_STRIDE);
  joints.forEach((forestNode, joint) => {
    const at = MATRIX_STRIDE * joint;
    newMatrix(matrix, 0, frames, forestNode);
    if (mat4.invertAffine(matrix, 0, matrix, 0)) mat4.multiply(out, at, matrix, 0, space, 0);
    else mat4.copy(out, at, space, 0);
  });
  return out;
}

/**
 * Stores the inverse bind matrices of a skin. The last row is exactly 0 0 0 1, as section 5.28.1 requires. `json`: JSON of the skin, edited.
 * `matrices`: 16 floats per joint. Throws FormatError GLTF_ACCESSOR for matrices that float32 cannot hold, which only damaged ones lead to.
 */
export function storeInverseBind(pool: AccessorPool, json: JsonObject, matrices: Float64Array): void {
  const array = Float32Array.from(matrices);
  const message = 'Inverse bind matrices leave the range of float32. Repair the matrices of the skin';
  requireFinite(array, message, '/skins');
  for (let i = 0; i < array.length; i += MATRIX_STRIDE) {
    for (const c of [3, 7, 11]) array[i + c] = 0;
    array[i + 15] = 1;
  }
  json['inverseBindMatrices'] = poolAccessor(pool, array, { type: 'MAT4' }, 0);
}

/** Skins of joints with new axes: `IBM′ = G⁻¹ · IBM`; of a model in a new pose: the inverse of where each joint stands. glTF 2.0 section 3.7.3. */
import * as mat4 from '../../../core/math/mat4.ts';
import * as quat from '../../../core/math/quat.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessor.ts';
import { type AccessorPool, poolAccessor } from '../accessor-pool.ts';
import type { GltfDocument } from '../document.ts';
import { DRACO_EXTENSION } from '../draco.ts';
import { geometryReading } from '../geometry/geometry-reading.ts';
import { readVertices } from '../geometry/read-vertices.ts';
import { arrayAt, indexAt, indicesAt, type JsonObject, listItem, memberAt, objectAt, objectItem } from '../schema.ts';
import { type Frames, newMatrix } from './plan-frames.ts';

/** A skin of the file, with its matrices as they are now: identities where it has none. */
export interface SkinMatrices {
  readonly index: number;
  readonly json: JsonObject;
  /** Places of the joints. */
  readonly joints: Int32Array;
  /** {@link MATRIX_STRIDE} floats a joint. */
  readonly inverseBind: Float64Array;
}

/** All skins that have joints. FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_ACCESSOR. */
export function skinMatrices(doc: GltfDocument, places: Int32Array): SkinMatrices[] {
  const list = arrayAt(doc.json, 'skins', '');
  return list.flatMap((_, index): SkinMatrices[] => {
    const pointer = `/skins/${index}`;
    const json = objectItem(list, index, '/skins');
    const nodes = indicesAt(json, 'joints', pointer, doc.json, 'nodes');
    if (nodes.length === 0) return [];
    const accessor = indexAt(json, 'inverseBindMatrices', pointer, doc.json, 'accessors');
    const isMatrix = accessor !== undefined && accessorInfo(doc, accessor).type === 'MAT4';
    const given = isMatrix ? readFloats(doc, accessor) : new Float32Array(0);
    const inverseBind = new Float64Array(MATRIX_STRIDE * nodes.length);
    for (let i = 0; i < inverseBind.length; i++) {
      inverseBind[i] = i < given.length ? given[i] : (i % MATRIX_STRIDE) % 5 === 0 ? 1 : 0;
    }
    return [{ index, json, joints: Int32Array.from(nodes, (node) => places[node]), inverseBind }];
  });
}

/** Whether an inverse bind matrix was never set, as exporters leave it where a joint deforms nothing: the identity. */
export function isUnset(inverseBind: ArrayLike<number>, joint: number): boolean {
  for (let c = 0; c < MATRIX_STRIDE; c++) {
    if (inverseBind[MATRIX_STRIDE * joint + c] !== (c % 5 === 0 ? 1 : 0)) return false;
  }
  return true;
}

/** Joints of a skin that move vertices of some mesh; all of them where a mesh would have to be decompressed to know. */
export function weightedJoints(doc: GltfDocument, { index, joints }: SkinMatrices): Set<number> {
  const reading = geometryReading(doc);
  const nodes = arrayAt(doc.json, 'nodes', '');
  const meshes = new Set<number>();
  nodes.forEach((_, n) => {
    const node = objectItem(nodes, n, '/nodes');
    const mesh = indexAt(node, 'mesh', `/nodes/${n}`, doc.json, 'meshes');
    if (mesh !== undefined && memberAt(node, 'skin') === index) meshes.add(mesh);
  });
  const found = new Set<number>();
  for (const mesh of meshes) {
    const pointer = `/meshes/${mesh}`;
    const primitives = arrayAt(listItem(doc.json, 'meshes', mesh), 'primitives', pointer);
    for (let p = 0; p < primitives.length; p++) {
      const where = `${pointer}/primitives/${p}`;
      const primitive = objectItem(primitives, p, `${pointer}/primitives`);
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

/** Matrices of a skin whose joints have new axes; null where none of them has. */
export function reexpressed({ joints, inverseBind }: SkinMatrices, { changes, wraps }: Frames): Float64Array | null {
  let out: Float64Array | null = null;
  const inverse = new Float64Array(4);
  const turn = new Float64Array(MATRIX_STRIDE);
  joints.forEach((place, joint) => {
    const { axes } = changes[place];
    if (wraps.has(place) || Math.abs(axes[3]) === 1) return;
    out ??= inverseBind.slice();
    quat.conjugate(inverse, 0, axes, 0);
    mat4.compose(turn, 0, [0, 0, 0, inverse[0], inverse[1], inverse[2], inverse[3], 1, 1, 1], 0);
    mat4.multiply(out, MATRIX_STRIDE * joint, turn, 0, inverseBind, MATRIX_STRIDE * joint);
  });
  return out;
}

/**
 * Matrices of a skin whose mesh is as it is shown at rest: `M′⁻¹ · Y`, `space` the matrix Y of the space in which vertices are then. A joint that has
 * no inverse, as it is scaled to nothing, gets Y alone.
 */
export function atRest({ joints }: SkinMatrices, frames: Frames, space: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE * joints.length);
  const matrix = new Float64Array(MATRIX_STRIDE);
  joints.forEach((place, joint) => {
    const at = MATRIX_STRIDE * joint;
    newMatrix(matrix, 0, frames, place);
    if (mat4.invertAffine(matrix, 0, matrix, 0)) mat4.multiply(out, at, matrix, 0, space, 0);
    else mat4.copy(out, at, space, 0);
  });
  return out;
}

/** Stores matrices of a skin; the last row is exactly 0 0 0 1, as section 5.28.1 wants it. */
export function storeInverseBind(pool: AccessorPool, json: JsonObject, matrices: Float64Array): void {
  const array = Float32Array.from(matrices);
  for (let i = 0; i < array.length; i += MATRIX_STRIDE) {
    for (const c of [3, 7, 11]) array[i + c] = 0;
    array[i + 15] = 1;
  }
  json['inverseBindMatrices'] = poolAccessor(pool, array, { type: 'MAT4' }, 0);
}

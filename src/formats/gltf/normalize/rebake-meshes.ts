/** Re-bakes skinned meshes into their rest pose: positions, normals, tangents and morph targets. */
import { normalizeInfluences } from '../../../core/deform/edit-influences.ts';
import { normalMatrices } from '../../../core/deform/skinning-matrices.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { bakeDirections, bakePoints, blendMatrices } from '../../../core/normalize/bake-vertices.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type AccessorPool, ARRAY_BUFFER, poolAccessor } from '../accessors/accessor-pool.ts';
import { decodeDraco } from '../accessors/decode-draco.ts';
import type { GltfDocument } from '../document/document.ts';
import {
  ensureList,
  indexAt,
  type JsonObject,
  listItem,
  memberAt,
  objectAt,
  objectsAt,
} from '../document/json-access.ts';
import { createGeometryReader, type GeometryReader } from '../meshes/geometry-reader.ts';
import { readMorphTarget } from '../meshes/read-morph-targets.ts';
import { type PrimitiveVertices, readVertices } from '../meshes/read-vertices.ts';
import { changedValues, MIN_CHANGE, maxMagnitude } from './changed-values.ts';
import type { Frames } from './frames.ts';
import { bakeTarget, type DirectionLengths, storeTarget } from './rebake-morph-targets.ts';
import { requireFinite } from './require-finite.ts';
import type { SkinMatrices } from './rewrite-skins.ts';
import { dropDraco, storeUncompressed } from './store-uncompressed.ts';

/** Smallest change of a normal or tangent component; smaller changes are ignored. */
const MIN_DIRECTION_CHANGE = 1e-6;

/** The nodes that show a mesh with one skin, or without a skin. */
interface MeshUse {
  readonly mesh: number;
  readonly skin: SkinMatrices | null;
  readonly nodes: JsonObject[];
}

/** Matrices that move vertices to the rest pose, out of the target space Y: `Y⁻¹ · M · IBM` per joint. */
function bakeMatrices(
  { joints, inverseBind }: SkinMatrices,
  { restMatrices }: Frames,
  space: Float64Array,
): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE * joints.length);
  const inverse = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(inverse, 0, space, 0);
  joints.forEach((forestNode, joint) => {
    const at = MATRIX_STRIDE * joint;
    mat4.multiply(out, at, restMatrices, MATRIX_STRIDE * forestNode, inverseBind, at);
    mat4.multiply(out, at, inverse, 0, out, at);
  });
  return out;
}

function meshUses(doc: GltfDocument, skins: ReadonlyMap<number, SkinMatrices>): MeshUse[] {
  const uses = new Map<string, MeshUse>();
  for (const { json: node, pointer } of objectsAt(doc.json, 'nodes', '')) {
    const mesh = indexAt(node, 'mesh', pointer, doc.json, 'meshes');
    if (mesh === undefined) continue;
    const skin = skins.get(indexAt(node, 'skin', pointer, doc.json, 'skins') ?? -1) ?? null;
    const key = `${mesh} ${skin?.index ?? -1}`;
    const use = uses.get(key) ?? { mesh, skin, nodes: [] };
    use.nodes.push(node);
    uses.set(key, use);
  }
  return [...uses.values()];
}

const VERTICES_LEAVE =
  'Vertices leave the range of float32 in the rest pose. Repair the positions of the mesh, or the matrices of its skin';

function bakePrimitive(
  reader: GeometryReader,
  pool: AccessorPool,
  primitive: JsonObject,
  pointer: string,
  matrices: { readonly points: Float64Array; readonly normals: Float64Array },
): boolean {
  const { doc } = reader;
  const attributes = objectAt(primitive, 'attributes', pointer);
  if (attributes === undefined || memberAt(attributes, 'POSITION') === undefined) return false;
  const draco = decodeDraco(doc, primitive, pointer);
  const jointCount = matrices.points.length / MATRIX_STRIDE;
  const vertices = readVertices(reader, attributes, `${pointer}/attributes`, draco, jointCount);
  if (vertices === null || vertices.influences === null) return false;
  const influences = normalizeInfluences(vertices.influences);
  const pointBlends = blendMatrices(influences, vertices.vertexCount, matrices.points);
  const normalBlends = blendMatrices(influences, vertices.vertexCount, matrices.normals);
  const baked = bakeAttributes(vertices, pointBlends, normalBlends);
  const list = Array.from(objectsAt(primitive, 'targets', pointer), ({ json, pointer: where }) => {
    const target = readMorphTarget(reader, json, where, vertices.vertexCount);
    return { json, target, changed: bakeTarget(target, pointBlends, normalBlends, baked.lengths) };
  });
  const isChanged = [baked.positions, baked.normals, baked.tangents].some((array) => array !== null);
  if (!isChanged && list.every(({ changed }) => changed === null)) return false;
  for (const { positions, normals, tangents } of [baked, ...list.flatMap(({ changed }) => changed ?? [])]) {
    for (const values of [positions, normals, tangents]) requireFinite(values, VERTICES_LEAVE, pointer);
  }
  if (draco !== null) storeUncompressed(doc, pool, primitive, attributes, draco);
  const store = (name: string, array: Float32Array<ArrayBuffer> | null, type: 'VEC3' | 'VEC4'): void => {
    if (array === null) return;
    attributes[name] = poolAccessor(pool, array, { type, minMax: name === 'POSITION' }, ARRAY_BUFFER);
  };
  store('POSITION', baked.positions, 'VEC3');
  store('NORMAL', baked.normals, 'VEC3');
  store('TANGENT', baked.tangents, 'VEC4');
  for (const { json, target, changed } of list)
    if (changed !== null) storeTarget(pool, json, target, changed, vertices.vertexCount);
  return true;
}

/** New vertex attributes; null where an attribute does not change. */
interface BakedAttributes {
  readonly positions: Float32Array<ArrayBuffer> | null;
  readonly normals: Float32Array<ArrayBuffer> | null;
  readonly tangents: Float32Array<ArrayBuffer> | null;
  readonly lengths: DirectionLengths;
}

/** Lets directions that a matrix of scale 0 erases stay as they were: glTF forbids directions of length 0. */
function keepErased(baked: Float64Array, values: Float32Array, stride: 3 | 4): void {
  for (let at = 0; at < baked.length; at += stride) {
    if (baked[at] !== 0 || baked[at + 1] !== 0 || baked[at + 2] !== 0) continue;
    for (let c = at; c < at + 3; c++) baked[c] = values[c];
  }
}

function bakeAttributes(
  { positions, normals, tangents, vertexCount }: PrimitiveVertices,
  pointBlends: Float64Array,
  normalBlends: Float64Array,
): BakedAttributes {
  const lengths = { normals: new Float64Array(vertexCount), tangents: new Float64Array(vertexCount) };
  const direction = (values: Float32Array | null, stride: 3 | 4): Float32Array<ArrayBuffer> | null => {
    if (values === null) return null;
    const [by, into] = stride === 3 ? [normalBlends, lengths.normals] : [pointBlends, lengths.tangents];
    const baked = bakeDirections(by, values, stride, into);
    keepErased(baked, values, stride);
    return changedValues(values, baked, MIN_DIRECTION_CHANGE);
  };
  return {
    positions: changedValues(positions, bakePoints(pointBlends, positions), MIN_CHANGE * maxMagnitude(positions)),
    normals: direction(normals, 3),
    tangents: direction(tangents, 4),
    lengths,
  };
}

/**
 * Bakes the meshes of skins into their rest pose. A mesh that is also shown with another skin, or without a skin, is
 * copied. Compressed and quantized meshes get uncompressed accessors for the attributes that change; for
 * KHR_draco_mesh_compression, for all attributes.
 */
export function rebakeMeshes(
  doc: GltfDocument,
  pool: AccessorPool,
  frames: Frames,
  skins: readonly SkinMatrices[],
  space: Float64Array,
): number {
  const uses = meshUses(doc, new Map(skins.map((skin) => [skin.index, skin])));
  const reader = createGeometryReader(doc);
  const taken = new Set<number>();
  // Nodes without one of the skins keep the original mesh.
  for (const { mesh, skin } of uses) if (skin === null) taken.add(mesh);
  let count = 0;
  for (const { mesh, skin, nodes } of uses) {
    if (skin === null) continue;
    const points = bakeMatrices(skin, frames, space);
    const normals = new Float64Array(points.length);
    normalMatrices(normals, points);
    const original = listItem(doc.json, 'meshes', mesh);
    const own = taken.has(mesh) ? structuredClone(original) : original;
    let isChanged = false;
    for (const { json: primitive, pointer } of objectsAt(own, 'primitives', `/meshes/${mesh}`)) {
      if (bakePrimitive(reader, pool, primitive, pointer, { points, normals })) isChanged = true;
    }
    if (!isChanged) continue;
    count++;
    if (own === original) taken.add(mesh);
    else {
      const index = ensureList(doc.json, 'meshes').push(own) - 1;
      for (const node of nodes) node['mesh'] = index;
    }
  }
  dropDraco(doc);
  return count;
}

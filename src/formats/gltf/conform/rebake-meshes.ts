/** Meshes of skins made what they are shown as at rest: positions, normals, tangents and their morph targets. */
import { bakeDirections, bakePoints, blendedMatrices } from '../../../core/conform/bake-vertices.ts';
import { normalizeInfluences } from '../../../core/deform/edit-influences.ts';
import { normalMatrices } from '../../../core/deform/skinning-matrices.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { type AccessorPool, ARRAY_BUFFER, poolAccessor } from '../accessor-pool.ts';
import { decodeDraco } from '../decode-draco.ts';
import type { GltfDocument } from '../document.ts';
import { type GeometryReading, geometryReading } from '../geometry/geometry-reading.ts';
import { readMorphTarget } from '../geometry/read-morph-targets.ts';
import { type PrimitiveVertices, readVertices } from '../geometry/read-vertices.ts';
import { arrayAt, growingList, indexAt, type JsonObject, listItem, memberAt, objectAt, objectItem } from '../schema.ts';
import { changedOnly, largest, STILL } from './changed-only.ts';
import type { Frames } from './plan-frames.ts';
import { bakeTarget, type DirectionLengths, storeTarget } from './rebake-morph-targets.ts';
import type { SkinMatrices } from './rewrite-skins.ts';
import { storePlain } from './store-plain.ts';

/** A direction that turns by less stays as it is, to the bit. */
const STILL_DIRECTION = 1e-6;

/** A use of a mesh: nodes that show it with one skin, or without. */
interface MeshUse {
  readonly mesh: number;
  readonly skin: SkinMatrices | null;
  readonly nodes: JsonObject[];
}

/** The matrices that move a mesh of a skin to where it is shown at rest, out of the space Y that it is to be stored in: `Y⁻¹ · M · IBM` a joint. */
function bakeMatrices({ joints, inverseBind }: SkinMatrices, { shown }: Frames, space: Float64Array): Float64Array {
  const out = new Float64Array(MATRIX_STRIDE * joints.length);
  const inverse = new Float64Array(MATRIX_STRIDE);
  mat4.invertAffine(inverse, 0, space, 0);
  joints.forEach((place, joint) => {
    const at = MATRIX_STRIDE * joint;
    mat4.multiply(out, at, shown, MATRIX_STRIDE * place, inverseBind, at);
    mat4.multiply(out, at, inverse, 0, out, at);
  });
  return out;
}

function meshUses(doc: GltfDocument, skins: ReadonlyMap<number, SkinMatrices>): MeshUse[] {
  const nodes = arrayAt(doc.json, 'nodes', '');
  const uses = new Map<string, MeshUse>();
  nodes.forEach((_, index) => {
    const node = objectItem(nodes, index, '/nodes');
    const pointer = `/nodes/${index}`;
    const mesh = indexAt(node, 'mesh', pointer, doc.json, 'meshes');
    if (mesh === undefined) return;
    const skin = skins.get(indexAt(node, 'skin', pointer, doc.json, 'skins') ?? -1) ?? null;
    const key = `${mesh} ${skin?.index ?? -1}`;
    const use = uses.get(key) ?? { mesh, skin, nodes: [] };
    use.nodes.push(node);
    uses.set(key, use);
  });
  return [...uses.values()];
}

/** Bakes one primitive; whether anything of it changed. */
function bakePrimitive(
  reading: GeometryReading,
  pool: AccessorPool,
  primitive: JsonObject,
  pointer: string,
  matrices: { readonly points: Float64Array; readonly normals: Float64Array },
): boolean {
  const { doc } = reading;
  const attributes = objectAt(primitive, 'attributes', pointer);
  if (attributes === undefined || memberAt(attributes, 'POSITION') === undefined) return false;
  const draco = decodeDraco(doc, primitive, pointer);
  const jointCount = matrices.points.length / MATRIX_STRIDE;
  const vertices = readVertices(reading, attributes, `${pointer}/attributes`, draco, jointCount);
  if (vertices === null || vertices.influences === null) return false;
  const influences = normalizeInfluences(vertices.influences);
  const blended = blendedMatrices(influences, vertices.vertexCount, matrices.points);
  const turned = blendedMatrices(influences, vertices.vertexCount, matrices.normals);
  const baked = bakeAttributes(vertices, blended, turned);
  const targets = arrayAt(primitive, 'targets', pointer);
  const list = targets.map((_, t) => {
    const where = `${pointer}/targets/${t}`;
    const json = objectItem(targets, t, `${pointer}/targets`);
    const target = readMorphTarget(reading, json, where, vertices.vertexCount);
    return { json, target, changed: bakeTarget(target, blended, turned, baked.lengths) };
  });
  const isChanged = [baked.positions, baked.normals, baked.tangents].some((array) => array !== null);
  if (!isChanged && list.every(({ changed }) => changed === null)) return false;
  if (draco !== null) storePlain(doc, pool, primitive, attributes, draco);
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

interface BakedAttributes {
  /** Null where nothing of them changes. */
  readonly positions: Float32Array<ArrayBuffer> | null;
  readonly normals: Float32Array<ArrayBuffer> | null;
  readonly tangents: Float32Array<ArrayBuffer> | null;
  readonly lengths: DirectionLengths;
}

function bakeAttributes(
  { positions, normals, tangents, vertexCount }: PrimitiveVertices,
  blended: Float64Array,
  turned: Float64Array,
): BakedAttributes {
  const lengths = { normals: new Float64Array(vertexCount), tangents: new Float64Array(vertexCount) };
  const direction = (values: Float32Array | null, stride: 3 | 4): Float32Array<ArrayBuffer> | null => {
    if (values === null) return null;
    const [by, into] = stride === 3 ? [turned, lengths.normals] : [blended, lengths.tangents];
    return changedOnly(values, bakeDirections(by, values, stride, into), STILL_DIRECTION);
  };
  return {
    positions: changedOnly(positions, bakePoints(blended, positions), STILL * largest(positions)),
    normals: direction(normals, 3),
    tangents: direction(tangents, 4),
    lengths,
  };
}

/**
 * Stores the meshes of these skins as they are shown at rest, in the space of the matrix `space`; gives how many changed. A mesh that others show
 * too, with another skin or without, is copied for it. Compressed and quantised meshes get plain accessors of the attributes that change
 * (KHR_draco_mesh_compression: of all). Errors as with `readVertices`.
 */
export function rebakeMeshes(
  doc: GltfDocument,
  pool: AccessorPool,
  frames: Frames,
  skins: readonly SkinMatrices[],
  space: Float64Array,
): number {
  const uses = meshUses(doc, new Map(skins.map((skin) => [skin.index, skin])));
  const reading = geometryReading(doc);
  const taken = new Set<number>();
  // Uses that leave a mesh alone keep it.
  for (const { mesh, skin } of uses) if (skin === null) taken.add(mesh);
  let count = 0;
  for (const { mesh, skin, nodes } of uses) {
    if (skin === null) continue;
    const points = bakeMatrices(skin, frames, space);
    const normals = new Float64Array(points.length);
    normalMatrices(normals, points);
    const original = listItem(doc.json, 'meshes', mesh);
    const own = taken.has(mesh) ? structuredClone(original) : original;
    const primitives = arrayAt(own, 'primitives', `/meshes/${mesh}`);
    let isChanged = false;
    primitives.forEach((_, p) => {
      const primitive = objectItem(primitives, p, `/meshes/${mesh}/primitives`);
      if (bakePrimitive(reading, pool, primitive, `/meshes/${mesh}/primitives/${p}`, { points, normals }))
        isChanged = true;
    });
    if (!isChanged) continue;
    count++;
    if (own === original) taken.add(mesh);
    else {
      const index = growingList(doc.json, 'meshes').push(own) - 1;
      for (const node of nodes) node['mesh'] = index;
    }
  }
  return count;
}

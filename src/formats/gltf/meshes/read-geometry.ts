/** Everything visible in a document: glTF 2.0 sections 3.5, 3.7 to 3.9. */
import type {
  CustomProperties,
  FileGeometry,
  Geometry,
  Mesh,
  MeshInstance,
  Skin,
} from '../../../core/asset/geometry.ts';
import type { Material, Texture } from '../../../core/asset/material.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { accessorInfo, readFloats } from '../accessors/accessor.ts';
import { accessorError } from '../accessors/stored-elements.ts';
import { spendBytes } from '../document/decode-budget.ts';
import type { GltfDocument } from '../document/document.ts';
import {
  arrayAt,
  indexAt,
  indicesAt,
  isObject,
  type JsonObject,
  objectAt,
  objectItem,
  objectsAt,
  stringAt,
} from '../document/json-access.ts';
import { listOf, memberOf } from '../document/loose-json.ts';
import { NODE_VISIBILITY } from '../extensions/khr-node-visibility.ts';
import { readSceneNodes, type SceneNodes } from '../read/read-scene.ts';
import { countIssue, reportCounts } from './geometry-issues.ts';
import { countExtensions, createGeometryReader, finiteFloats, type GeometryReader } from './geometry-reader.ts';
import { readMaterial } from './read-material.ts';
import { readMesh, readMorphWeights } from './read-mesh.ts';
import { readTexture } from './read-textures.ts';

/**
 * Reads the skins whose joints are all nodes of the scene; skins without joints are left out. Joints keep their index, repeated ones too, as meshes
 * use it. Missing inverse bind matrices are the identity (glTF 2.0 section 3.7.3.1).
 */
function readSceneSkins(
  reader: GeometryReader,
  { nodesBySource: sceneNodes }: SceneNodes,
): { skins: Skin[]; indices: Map<number, number> } {
  const { json } = reader.doc;
  const skins: Skin[] = [];
  const indices = new Map<number, number>();
  for (const { json: skin, pointer, index } of objectsAt(json, 'skins', '')) {
    const nodes = indicesAt(skin, 'joints', pointer, json, 'nodes');
    if (nodes.length === 0 || nodes.some((node) => sceneNodes[node] < 0)) continue;
    indices.set(index, skins.length);
    skins.push({
      name: stringAt(skin, 'name', pointer) ?? '',
      joints: Int32Array.from(nodes, (node) => sceneNodes[node]),
      inverseBindMatrices: readInverseBind(reader, skin, pointer, nodes.length),
    });
  }
  return { skins, indices };
}

function readInverseBind(reader: GeometryReader, skin: JsonObject, pointer: string, jointCount: number): Float32Array {
  const { doc } = reader;
  const index = indexAt(skin, 'inverseBindMatrices', pointer, doc.json, 'accessors');
  const size = jointCount * MATRIX_STRIDE;
  let stored = new Float32Array(0);
  if (index !== undefined) {
    const where = `/accessors/${index}`;
    const { type } = accessorInfo(doc, index);
    if (type !== 'MAT4') throw accessorError(`its type is ${type}, expected MAT4 for inverse bind matrices`, where);
    stored = finiteFloats(reader, readFloats(doc, index), where) as Float32Array<ArrayBuffer>;
    if (stored.length >= size) return stored.subarray(0, size);
    countIssue(reader.issueCounts, 'matrix', '', pointer);
  }
  spendBytes(doc, 4 * size, pointer);
  const matrices = new Float32Array(size);
  matrices.set(stored);
  for (let i = stored.length; i < size; i++) matrices[i] = (i % MATRIX_STRIDE) % 5 === 0 ? 1 : 0;
  return matrices;
}

/** A mesh at a node. Mesh and skin are indices of the file, the node is an index of the scene. */
interface FileInstance {
  readonly node: number;
  readonly mesh: number;
  /** −1 without a skin. */
  readonly skin: number;
  readonly json: JsonObject;
  readonly pointer: string;
  /** True where its node or one above is not visible. */
  readonly isHidden: boolean;
}

const INSTANCING = 'EXT_mesh_gpu_instancing';

/**
 * Reads the meshes, skins, instances, materials and textures of the default scene, or of all nodes where the document
 * has no scene. Compressed data is decoded. Arrays may be views of the file, and one array may appear several times: do
 * not write to them. Buffers must have been loaded (`loadResources`), images where they are wanted (`loadImages`), and
 * decoders attached where data is compressed.
 *
 * @param doc The parsed document.
 * @returns The geometry in glTF space (meters, +Y up), and an issue per kind: GEOMETRY_DROPPED for unsupported data, GEOMETRY_REPAIRED for repaired data.
 * @throws FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_NODE_TREE, GLTF_ACCESSOR, GLTF_BUFFER, GLTF_COMPRESSION,
 * GLTF_LIMIT, GLTF_URI_REFUSED.
 * @example
 * ```ts
 * const doc = parseGltf(bytes);
 * await loadResources(doc, readResource);
 * const { geometry, issues } = readGeometry(doc);
 * console.log(geometry.meshes.length, issues);
 * ```
 */
export function readGeometry(doc: GltfDocument): FileGeometry {
  return readWith(createGeometryReader(doc));
}

/**
 * Reads how the vertices of a document move with its nodes: indices, positions, joints and weights of its meshes, as {@link readGeometry} does, without
 * all that only players show.
 */
export function readMovingVertices(doc: GltfDocument): Geometry {
  return readWith(createGeometryReader(doc, true)).geometry;
}

function readWith(reader: GeometryReader): FileGeometry {
  const { doc } = reader;
  const scene = readSceneNodes(doc);
  const found = findInstances(reader, scene);
  const { skins, indices: skinIndices } = readSceneSkins(reader, scene);
  const textures: Texture[] = [];
  const indexOfTexture = indexer(textures, (index) => readTexture(reader, index));
  const materials: Material[] = [];
  const indexOfMaterial = indexer(materials, (index) => readMaterial(reader, index, indexOfTexture));
  const { meshes, indices: meshIndices } = readSceneMeshes(reader, found, skins, skinIndices, indexOfMaterial);
  const instances = found.map(({ node, mesh, skin, json, pointer, isHidden }): MeshInstance => {
    const index = meshIndices.get(mesh) as number;
    const targetCount = meshes[index].morphWeights.length;
    const morphWeights = readMorphWeights(reader, json, pointer, targetCount);
    return { node, mesh: index, skin: skinIndices.get(skin) ?? -1, morphWeights, ...(isHidden ? { isHidden } : {}) };
  });
  const customProperties = readCustomProperties(reader, scene);
  const { name, names, parents, rest, sourceNodes } = scene;
  const joints = new Uint8Array(parents.length);
  for (const skin of skins) for (const joint of skin.joints) joints[joint] = 1;
  const issues: Issue[] = [];
  reportCounts(reader.issueCounts, issues);
  const nodes = { name, names, parents, rest, bind: null, joints };
  return { geometry: { nodes, sourceNodes, customProperties, meshes, skins, instances, materials, textures }, issues };
}

/** Creates a function that reads each item of the file once, on first use, and returns its index in `list`; −1 where there is nothing. */
function indexer<T>(list: T[], read: (index: number) => T | null): (index: number) => number {
  const indices = new Map<number, number>();
  return (sourceIndex) => {
    const known = indices.get(sourceIndex);
    if (known !== undefined) return known;
    const item = read(sourceIndex);
    const index = item === null ? -1 : list.push(item) - 1;
    indices.set(sourceIndex, index);
    return index;
  };
}

/** Nodes of the scene that have a mesh. Counts node data that is not supported. */
function findInstances(reader: GeometryReader, { sourceNodes, parents, shown }: SceneNodes): FileInstance[] {
  const { json: root } = reader.doc;
  const list = arrayAt(root, 'nodes', '');
  const found: FileInstance[] = [];
  const hidden = new Uint8Array(sourceNodes.length);
  for (let node = 0; node < sourceNodes.length; node++) {
    if (shown[node] === 0) continue;
    const json = objectItem(list, sourceNodes[node], '/nodes');
    const pointer = `/nodes/${sourceNodes[node]}`;
    countExtensions(reader, 'nodeExtension', json, pointer, [INSTANCING, NODE_VISIBILITY]);
    const extensions = objectAt(json, 'extensions', pointer) ?? {};
    const isVisible = memberOf(extensions, NODE_VISIBILITY, 'visible') !== false;
    hidden[node] = isVisible && (parents[node] < 0 || hidden[parents[node]] === 0) ? 0 : 1;
    if (Object.hasOwn(json, 'camera')) countIssue(reader.issueCounts, 'camera', '', pointer);
    const mesh = indexAt(json, 'mesh', pointer, root, 'meshes');
    if (mesh === undefined) continue;
    if (Object.hasOwn(extensions, INSTANCING)) countIssue(reader.issueCounts, 'copies', '', pointer);
    const skin = indexAt(json, 'skin', pointer, root, 'skins') ?? -1;
    found.push({ node, mesh, skin, json, pointer, isHidden: hidden[node] === 1 });
  }
  return found;
}

/** Meshes that the scene references, in file order, and their indices by file index. */
function readSceneMeshes(
  reader: GeometryReader,
  found: readonly FileInstance[],
  skins: readonly Skin[],
  skinIndices: ReadonlyMap<number, number>,
  indexOfMaterial: (material: number) => number,
): { meshes: Mesh[]; indices: Map<number, number> } {
  /** Smallest joint count of the skins that a mesh is used with. */
  const jointCounts = new Map<number, number>();
  for (const { mesh, skin } of found) {
    const skinIndex = skinIndices.get(skin);
    const count = skinIndex === undefined ? Number.POSITIVE_INFINITY : skins[skinIndex].joints.length;
    jointCounts.set(mesh, Math.min(count, jointCounts.get(mesh) ?? Number.POSITIVE_INFINITY));
  }
  const meshes: Mesh[] = [];
  const indices = new Map<number, number>();
  const count = arrayAt(reader.doc.json, 'meshes', '').length;
  for (let index = 0; index < count; index++) {
    const jointCount = jointCounts.get(index);
    if (jointCount === undefined) {
      countIssue(reader.issueCounts, 'mesh', '', `/meshes/${index}`);
      continue;
    }
    indices.set(index, meshes.length);
    meshes.push(readMesh(reader, index, jointCount, indexOfMaterial));
  }
  return { meshes, indices };
}

/** Lists of the document whose items can have extras that are not read. */
const WITH_EXTRAS = ['scenes', 'meshes', 'materials', 'skins', 'textures', 'images', 'cameras'] as const;

/** Reads the extras of the nodes. Counts values that are no custom properties, and all extras of other objects except names of morph targets. */
function readCustomProperties(reader: GeometryReader, { sourceNodes }: SceneNodes): Map<number, CustomProperties> {
  const { doc, issueCounts } = reader;
  const nodes = arrayAt(doc.json, 'nodes', '');
  const out = new Map<number, CustomProperties>();
  for (const [node, source] of sourceNodes.entries()) {
    const kept: [string, CustomProperties[string]][] = [];
    for (const [key, value] of extrasOf(nodes[source])) {
      if (key !== '' && isCustomProperty(value)) kept.push([key, value]);
      else countIssue(issueCounts, 'extras', key, `/nodes/${source}/extras`);
    }
    if (kept.length > 0) out.set(node, Object.fromEntries(kept));
  }
  const countAll = (owner: unknown, pointer: string): void => {
    for (const [key] of extrasOf(owner))
      if (key !== 'targetNames') countIssue(issueCounts, 'extras', key, `${pointer}/extras`);
  };
  countAll(doc.json, '');
  countAll(doc.json['asset'], '/asset');
  for (const list of WITH_EXTRAS) {
    for (const [index, item] of arrayAt(doc.json, list, '').entries()) {
      countAll(item, `/${list}/${index}`);
      for (const [p, primitive] of listOf(item, 'primitives').entries())
        countAll(primitive, `/${list}/${index}/primitives/${p}`);
    }
  }
  return out;
}

/** The entries of the extras of an object. Extras that are no object are an entry without a key. */
function extrasOf(item: unknown): [key: string, value: unknown][] {
  const extras = memberOf(item, 'extras');
  return isObject(extras) ? Object.entries(extras) : extras === undefined ? [] : [['', extras]];
}

function isCustomProperty(value: unknown): value is CustomProperties[string] {
  if (!Array.isArray(value)) return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  // JSON can hold numbers beyond float64, which read as infinite.
  return value.length >= 2 && value.length <= 4 && value.every(Number.isFinite);
}

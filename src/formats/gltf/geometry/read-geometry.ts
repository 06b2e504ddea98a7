/** Everything that is seen of a document: glTF 2.0 sections 3.5, 3.7 to 3.9. */
import type { Geometry, Mesh, MeshInstance, Skin } from '../../../core/asset/geometry.ts';
import type { Material, Texture } from '../../../core/asset/material.ts';
import type { Issue } from '../../../core/report/issue.ts';
import type { GltfDocument } from '../document.ts';
import { readSceneNodes, type SceneNodes } from '../scene-nodes.ts';
import { arrayAt, indexAt, type JsonObject, objectAt, objectItem } from '../schema.ts';
import { note, reportFindings } from './geometry-findings.ts';
import { type GeometryReading, geometryReading, noteExtensions } from './geometry-reading.ts';
import { readMaterial } from './read-material.ts';
import { readMesh, readMorphWeights } from './read-mesh.ts';
import { readSceneSkins } from './read-scene-skins.ts';
import { readTexture } from './read-textures.ts';

/** Where a mesh stands: a node of the scene, mesh and skin of the file. */
interface FileInstance {
  readonly node: number;
  readonly mesh: number;
  /** −1 for none. */
  readonly skin: number;
  /** The node. */
  readonly json: JsonObject;
  readonly pointer: string;
}

const INSTANCING = 'EXT_mesh_gpu_instancing';

/**
 * Meshes, skins, instances, materials and textures of the default scene (of all nodes where there are no scenes), with
 * compressed data decoded. Arrays may be views of the file, and the same one at several places: do not write to them.
 * What Geometry has no place for is reported as GEOMETRY_DROPPED, what was mended as GEOMETRY_REPAIRED, one issue a kind.
 * Buffers must have been loaded (`loadResources`), images as far as they are wanted (`loadImages`), decoders attached
 * where something is compressed. FormatError GLTF_SCHEMA, GLTF_REFERENCE, GLTF_NODE_TREE, GLTF_ACCESSOR, GLTF_BUFFER,
 * GLTF_COMPRESSION, GLTF_LIMIT, GLTF_URI_REFUSED.
 */
export function readGeometry(doc: GltfDocument, issues: Issue[]): Geometry {
  const reading = geometryReading(doc);
  const scene = readSceneNodes(doc);
  const found = findInstances(reading, scene);
  const { skins, places: skinPlaces } = readSceneSkins(reading, scene);
  const textures: Texture[] = [];
  const placeOfTexture = placesOf(textures, (index) => readTexture(reading, index));
  const materials: Material[] = [];
  const placeOfMaterial = placesOf(materials, (index) => readMaterial(reading, index, placeOfTexture));
  const { meshes, places: meshPlaces } = readSceneMeshes(reading, found, skins, skinPlaces, placeOfMaterial);
  const instances = found.map(({ node, mesh, skin, json, pointer }): MeshInstance => {
    const place = meshPlaces.get(mesh) as number;
    const targetCount = meshes[place].morphWeights.length;
    const morphWeights = readMorphWeights(reading, json, pointer, targetCount);
    return { node, mesh: place, skin: skinPlaces.get(skin) ?? -1, morphWeights };
  });
  const { name, names, parents, rest, sourceNodes } = scene;
  const joints = new Uint8Array(parents.length);
  for (const skin of skins) for (const joint of skin.joints) joints[joint] = 1;
  reportFindings(reading.findings, issues);
  const nodes = { name, names, parents, rest, bind: null, joints };
  return { nodes, sourceNodes, meshes, skins, instances, materials, textures };
}

/** Puts what is read first into the list, once; gives its place there, −1 where there is nothing. */
function placesOf<T>(list: T[], read: (index: number) => T | null): (index: number) => number {
  const places = new Map<number, number>();
  return (index) => {
    const known = places.get(index);
    if (known !== undefined) return known;
    const item = read(index);
    const place = item === null ? -1 : list.push(item) - 1;
    places.set(index, place);
    return place;
  };
}

/** Nodes of the scene that have a mesh; notes what else hangs on nodes. */
function findInstances(reading: GeometryReading, { sourceNodes, shown }: SceneNodes): FileInstance[] {
  const { json: root } = reading.doc;
  const list = arrayAt(root, 'nodes', '');
  const found: FileInstance[] = [];
  for (let node = 0; node < sourceNodes.length; node++) {
    if (shown[node] === 0) continue;
    const json = objectItem(list, sourceNodes[node], '/nodes');
    const pointer = `/nodes/${sourceNodes[node]}`;
    noteExtensions(reading, 'nodeExtension', json, pointer, [INSTANCING]);
    if (Object.hasOwn(json, 'camera')) note(reading.findings, 'camera', '', pointer);
    const mesh = indexAt(json, 'mesh', pointer, root, 'meshes');
    if (mesh === undefined) continue;
    const extensions = objectAt(json, 'extensions', pointer) ?? {};
    if (Object.hasOwn(extensions, INSTANCING)) note(reading.findings, 'copies', '', pointer);
    found.push({ node, mesh, skin: indexAt(json, 'skin', pointer, root, 'skins') ?? -1, json, pointer });
  }
  return found;
}

/** Meshes that stand somewhere, in the order of the file, and their places by their index there. */
function readSceneMeshes(
  reading: GeometryReading,
  found: readonly FileInstance[],
  skins: readonly Skin[],
  skinPlaces: ReadonlyMap<number, number>,
  placeOfMaterial: (material: number) => number,
): { meshes: Mesh[]; places: Map<number, number> } {
  /** Joints that all skins have with which a mesh is used. */
  const jointCounts = new Map<number, number>();
  for (const { mesh, skin } of found) {
    const place = skinPlaces.get(skin);
    const count = place === undefined ? Number.POSITIVE_INFINITY : skins[place].joints.length;
    jointCounts.set(mesh, Math.min(count, jointCounts.get(mesh) ?? Number.POSITIVE_INFINITY));
  }
  const meshes: Mesh[] = [];
  const places = new Map<number, number>();
  const count = arrayAt(reading.doc.json, 'meshes', '').length;
  for (let index = 0; index < count; index++) {
    const jointCount = jointCounts.get(index);
    if (jointCount === undefined) {
      note(reading.findings, 'mesh', '', `/meshes/${index}`);
      continue;
    }
    places.set(index, meshes.length);
    meshes.push(readMesh(reading, index, jointCount, placeOfMaterial));
  }
  return { meshes, places };
}

/** Loads the bytes of a figure as objects of three.js, addressed by the node indices of the file. */
import { Group, type Mesh, type Object3D } from 'three';
import { type GLTF, GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { StageFigure } from '../contract.ts';
import { isSoftwareGl } from '../view/renderer.ts';
import { disposeTree } from './dispose.ts';
import type { GltfJson } from './gltf-json.ts';
import { prepareMaterials } from './materials.ts';
import { selfContained } from './self-contained.ts';

/** A loaded file. */
export interface LoadedFigure {
  /** The default scene. */
  readonly scene: Object3D;
  /** The object of each node; nodes outside of the scene are included. */
  readonly nodes: readonly Object3D[];
  /** Meshes of the scene. */
  readonly meshes: readonly Mesh[];
  /** The JSON of the file. */
  readonly json: GltfJson;
}

const MESHOPT = /^(?:EXT|KHR)_meshopt_compression$/;
const DRACO = 'KHR_draco_mesh_compression';

/** Reads the JSON chunk of a GLB (glTF 2.0, section 4.4). */
function readJson(glb: Uint8Array): GltfJson {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  if (glb.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) {
    throw new TypeError('The bytes are not a GLB. Expected a file that begins with "glTF".');
  }
  const chunk = glb.subarray(20, 20 + view.getUint32(12, true));
  return JSON.parse(new TextDecoder().decode(chunk)) as GltfJson;
}

/** Returns the bytes as a buffer of their own; GLTFLoader does not change it. */
function bufferOf(glb: Uint8Array): ArrayBuffer {
  const isWhole = glb.byteLength === glb.buffer.byteLength && glb.buffer instanceof ArrayBuffer;
  return isWhole ? (glb.buffer as ArrayBuffer) : new Uint8Array(glb).buffer;
}

/** Returns the scene that is shown; all root nodes of a file without scenes. */
function sceneOf({ scene, scenes }: GLTF, nodes: readonly Object3D[]): Object3D {
  const found = scene ?? scenes[0];
  if (found !== undefined) return found;
  return new Group().add(...nodes.filter(({ parent }) => parent === null));
}

/** Loads the objects of all nodes; GLTFLoader has each node once. */
function nodesOf(parser: GLTFParser, json: GltfJson): Promise<Object3D[]> {
  const indices = [...(json.nodes ?? []).keys()];
  return Promise.all(indices.map((node) => parser.getDependency('node', node) as Promise<Object3D>));
}

/**
 * Loads a figure. Nothing is requested from the network.
 *
 * @param figure The bytes and the tint.
 * @returns Its objects, in the axes and units of the file.
 * @throws {TypeError} If the bytes are not a GLB, or the GLB is compressed with Draco.
 */
export async function loadFigure({ id, glb, tint }: StageFigure): Promise<LoadedFigure> {
  const json = readJson(glb);
  const used = json.extensionsUsed ?? [];
  if (used.includes(DRACO)) {
    throw new TypeError(
      `Figure ${id} is compressed with Draco. Expected a GLB without ${DRACO}; open and save it with anyrig first.`,
    );
  }
  const loader = new GLTFLoader().register(selfContained);
  if (used.some((name) => MESHOPT.test(name))) {
    const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
    loader.setMeshoptDecoder(MeshoptDecoder);
  }
  const gltf = await loader.parseAsync(bufferOf(glb), '');
  const nodes = await nodesOf(gltf.parser, json);
  const scene = sceneOf(gltf, nodes);
  const meshes: Mesh[] = [];
  scene.traverse((object) => {
    if ((object as Partial<Mesh>).isMesh === true) meshes.push(object as Mesh);
  });
  for (const other of gltf.scenes) if (other !== scene) disposeTree(other);
  for (const mesh of meshes) {
    // The bounds of a skinned mesh are those of its first pose.
    mesh.frustumCulled = false;
    mesh.castShadow = true;
  }
  prepareMaterials(meshes, gltf.parser, tint, isSoftwareGl());
  return { scene, nodes, meshes, json };
}

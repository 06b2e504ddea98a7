/** Loads the bytes of a figure as objects of three.js, addressed by the node indices of the file. */
import { Group, type Mesh, type Object3D } from 'three';
import { type GLTF, GLTFLoader, type GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import type { StageFigure } from '../contract.ts';
import { nextTask } from '../next-task.ts';
import { disposeTree } from './dispose.ts';
import type { GltfJson } from './gltf-json.ts';
import { prepareMaterials } from './materials.ts';
import { selfContained } from './self-contained.ts';
import { prepareSkinning } from './skinning.ts';

/** A loaded file. */
export interface LoadedFigure {
  /** The default scene. */
  readonly scene: Object3D;
  /** The object of each node; nodes outside of the scene are included. */
  readonly nodes: readonly Object3D[];
  /** Visible meshes of the scene. */
  readonly meshes: readonly Mesh[];
  /** The JSON of the file. */
  readonly json: GltfJson;
}

const MESHOPT = /^(?:EXT|KHR)_meshopt_compression$/;
const DRACO = 'KHR_draco_mesh_compression';

const HEADER = 20;
const MAGIC = 0x46546c67;

/** Reads the chunks of a GLB (glTF 2.0, section 4.4). `bin` is the first buffer. */
function readChunks(glb: Uint8Array): { json: GltfJson; bin: Uint8Array | null } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  if (glb.byteLength < HEADER || view.getUint32(0, true) !== MAGIC) {
    throw new TypeError('The bytes are not a GLB. Expected a file that begins with "glTF".');
  }
  const end = HEADER + view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(HEADER, end))) as GltfJson;
  const hasBin = end + 8 <= glb.byteLength;
  return { json, bin: hasBin ? glb.subarray(end + 8, end + 8 + view.getUint32(end, true)) : null };
}

/** Returns the scene that is shown; all root nodes of a file without scenes. */
function sceneOf({ scene, scenes }: GLTF, nodes: readonly Object3D[]): Object3D {
  const found = scene ?? scenes[0];
  if (found !== undefined) return found;
  return new Group().add(...nodes.filter(({ parent }) => parent === null));
}

function nodesOf(parser: GLTFParser, json: GltfJson): Promise<Object3D[]> {
  const indices = [...(json.nodes ?? []).keys()];
  return Promise.all(indices.map((node) => parser.getDependency('node', node) as Promise<Object3D>));
}

/**
 * Loads a figure. Nothing is requested from the network. Returns its objects, in the axes and units of the file. Throws TypeError if the bytes are
 * not a GLB, or the GLB is compressed with Draco.
 */
export async function loadFigure({ id, glb, tint }: StageFigure): Promise<LoadedFigure> {
  const { json, bin } = readChunks(glb);
  const used = json.extensionsUsed ?? [];
  if (used.includes(DRACO)) {
    throw new TypeError(
      `Figure ${id} is compressed with Draco. Expected a GLB without ${DRACO}; open and save it with anyrig first.`,
    );
  }
  await nextTask();
  const loader = new GLTFLoader().register((parser) => selfContained(parser, bin));
  if (used.some((name) => MESHOPT.test(name))) {
    const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');
    loader.setMeshoptDecoder(MeshoptDecoder);
  }
  // GLTFLoader takes parsed JSON, too, which its types do not say.
  const gltf = await loader.parseAsync(json as unknown as string, '');
  await nextTask();
  const nodes = await nodesOf(gltf.parser, json);
  // GLTFLoader shows what the file hides.
  for (const [node, { extensions }] of (json.nodes ?? []).entries()) {
    if (extensions?.KHR_node_visibility?.visible === false) nodes[node].visible = false;
  }
  const scene = sceneOf(gltf, nodes);
  const meshes: Mesh[] = [];
  scene.traverseVisible((object) => {
    if ((object as Partial<Mesh>).isMesh === true) meshes.push(object as Mesh);
  });
  for (const other of gltf.scenes) if (other !== scene) disposeTree(other);
  // The bounds of a skinned mesh are those of its first pose.
  for (const mesh of meshes) {
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    mesh.receiveShadow = true;
  }
  prepareMaterials(meshes, gltf.parser, tint);
  prepareSkinning(meshes);
  return { scene, nodes, meshes, json };
}

/** Evaluates a document in three.js over time: world positions of vertices by node and primitive of the file. */
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import {
  AnimationMixer,
  BufferAttribute,
  BufferGeometry,
  LoopOnce,
  Mesh,
  type Object3D,
  type SkinnedMesh,
  type TypedArray,
  type Vector3,
} from 'three';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import type { DecoderModule } from '../../../src/files/adapters/gltf/draco-module.ts';
import { bufferBytes } from '../../../src/formats/gltf/document/buffers.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';
import { glbOf } from '../../support/make/glb.ts';

function list(json: JsonObject, key: string): JsonObject[] {
  return (json[key] ?? []) as JsonObject[];
}

/** Extensions about vertex storage. Without the others, a player runs headless. */
const STORAGE = /meshopt_compression|mesh_quantization|draco_mesh_compression/;

/** Serializes a GLB with one buffer and only the default scene, without materials, for headless players. */
export function vertexGlb(doc: GltfDocument): Uint8Array {
  const json = structuredClone(doc.json);
  for (const key of ['materials', 'textures', 'images', 'samplers', 'cameras', 'extensions', 'extras'])
    delete json[key];
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    const names = ((json[key] ?? []) as string[]).filter((name) => STORAGE.test(name));
    if (names.length > 0) json[key] = names;
    else delete json[key];
  }
  for (const mesh of list(json, 'meshes')) {
    delete mesh['extensions'];
    for (const primitive of list(mesh, 'primitives')) {
      delete primitive['material'];
      const draco = (primitive['extensions'] as JsonObject | undefined)?.['KHR_draco_mesh_compression'];
      delete primitive['extensions'];
      if (draco !== undefined) primitive['extensions'] = { KHR_draco_mesh_compression: draco };
    }
  }
  const nodes = list(json, 'nodes');
  for (const node of nodes) for (const key of ['camera', 'extensions']) delete node[key];
  const scene = list(json, 'scenes')[(json['scene'] ?? 0) as number];
  const below = new Set(nodes.flatMap(({ children }) => (children ?? []) as number[]));
  const roots = scene?.['nodes'] ?? Array.from(nodes.keys()).filter((node) => !below.has(node));
  json['scenes'] = [{ nodes: roots }];
  json['scene'] = 0;
  return glbOf(json, joinBuffers(doc, json));
}

/** Merges all buffers into one. Buffers without bytes are meshopt fallbacks, which are not read. */
function joinBuffers(doc: GltfDocument, json: JsonObject): Uint8Array | undefined {
  const buffers = list(json, 'buffers');
  if (buffers.length === 0) return undefined;
  const starts: number[] = [];
  const parts: Uint8Array[] = [];
  let size = 0;
  buffers.forEach((buffer, i) => {
    const hasBytes = buffer['uri'] !== undefined || (i === 0 && doc.bin !== null);
    const bytes = hasBytes ? bufferBytes(doc, i) : new Uint8Array(0);
    starts.push(size);
    parts.push(bytes);
    size += Math.ceil(bytes.length / 8) * 8;
  });
  const joined = new Uint8Array(size);
  parts.forEach((bytes, i) => {
    joined.set(bytes, starts[i]);
  });
  for (const view of list(json, 'bufferViews')) {
    const compressions = Object.values((view['extensions'] ?? {}) as Record<string, JsonObject>);
    for (const part of [view, ...compressions.filter(({ buffer }) => buffer !== undefined)]) {
      part['byteOffset'] = ((part['byteOffset'] ?? 0) as number) + starts[part['buffer'] as number];
      part['buffer'] = 0;
    }
  }
  json['buffers'] = [{ byteLength: size }];
  return joined;
}

/** Creates an array of the type that three.js requests by name, and returns the Draco number of that type. */
function storeOf(module: DecoderModule, type: string, size: number): [TypedArray, number] {
  switch (type) {
    case 'Int8Array':
      return [new Int8Array(size), module.DT_INT8];
    case 'Uint8Array':
      return [new Uint8Array(size), module.DT_UINT8];
    case 'Int16Array':
      return [new Int16Array(size), module.DT_INT16];
    case 'Uint16Array':
      return [new Uint16Array(size), module.DT_UINT16];
    case 'Uint32Array':
      return [new Uint32Array(size), module.DT_UINT32];
    default:
      return [new Float32Array(size), module.DT_FLOAT32];
  }
}

let draco: DecoderModule | null = null;

/** Replaces the DRACOLoader of three.js, which requires workers, by a synchronous call of Google's decoder. */
const dracoLoader = {
  preload(): void {},
  decodeDracoFile(
    buffer: ArrayBuffer,
    done: (geometry: BufferGeometry) => void,
    ids: Readonly<Record<string, number>>,
    types: Readonly<Record<string, string>>,
    _space: unknown,
    fail: (error: unknown) => void,
  ): void {
    const module = draco as DecoderModule;
    const decoder = new module.Decoder();
    const mesh = new module.Mesh();
    const stream = new Int8Array(buffer);
    if (!decoder.DecodeArrayToMesh(stream, stream.length, mesh).ok()) {
      fail(new Error('Draco refuses the mesh'));
      return;
    }
    const geometry = new BufferGeometry();
    for (const [name, id] of Object.entries(ids)) {
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      const width = attribute.num_components();
      const [array, type] = storeOf(module, types[name], width * mesh.num_points());
      const pointer = module._malloc(array.byteLength);
      decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, array.byteLength, pointer);
      const bytes = new Uint8Array(array.buffer);
      bytes.set(module.HEAPU8.subarray(pointer, pointer + bytes.length));
      module._free(pointer);
      geometry.setAttribute(name, new BufferAttribute(array, width));
    }
    module.destroy(mesh);
    module.destroy(decoder);
    done(geometry);
  },
};

/** Loads a GLB with all decoders. Rejects as GLTFLoader does. */
export async function loadThree(glb: Uint8Array): Promise<GLTF> {
  draco ??= await draco3d.createDecoderModule({ print: () => {}, printErr: () => {} });
  const loader = new GLTFLoader();
  loader.setMeshoptDecoder(MeshoptDecoder);
  loader.setDRACOLoader(dracoLoader as unknown as Parameters<GLTFLoader['setDRACOLoader']>[0]);
  const copy = new Uint8Array(glb).buffer;
  return new Promise((resolve, reject) => loader.parse(copy, '', resolve, reject));
}

/** One primitive of one instance. */
export interface ThreePart {
  readonly vertexCount: number;
  /** World position of a vertex. */
  vertex(index: number, out: Vector3): Vector3;
}

export interface ThreeFile {
  readonly animationCount: number;
  /** Evaluates parts by `node/primitive` of the file at a time of an animation; −1 is the rest pose. Valid until the next call. */
  at(animation: number, time: number): ReadonlyMap<string, ThreePart>;
}

/** Loads a document. Rejects as GLTFLoader does. */
export async function threeFile(doc: GltfDocument): Promise<ThreeFile> {
  const { scene, animations, parser } = await loadThree(vertexGlb(doc));
  const mixer = new AnimationMixer(scene);
  const parts = new Map<string, ThreePart>();
  const above = new Set<Object3D>([scene]);
  scene.traverse((object: Object3D) => {
    if (!('geometry' in object)) return;
    const mesh = object as Mesh;
    if (mesh.geometry.attributes['position'] === undefined) return;
    const own = parser.associations.get(mesh);
    const node = own?.nodes ?? (mesh.parent === null ? undefined : parser.associations.get(mesh.parent)?.nodes);
    // Points and lines lack this method, but have everything that it uses.
    const positionOf = 'getVertexPosition' in mesh ? mesh.getVertexPosition : Mesh.prototype.getVertexPosition;
    for (const bone of (mesh as SkinnedMesh).skeleton?.bones ?? []) {
      let root: Object3D = bone;
      while (root.parent !== null) root = root.parent;
      above.add(root);
    }
    parts.set(`${node}/${own?.primitives}`, {
      vertexCount: mesh.geometry.attributes['position'].count,
      vertex: (index, out) => positionOf.call(mesh, index, out).applyMatrix4(mesh.matrixWorld),
    });
  });
  return {
    animationCount: animations.length,
    at(animation, time) {
      mixer.stopAllAction();
      if (animation >= 0) {
        const action = mixer.clipAction(animations[animation]);
        action.setLoop(LoopOnce, 1);
        action.clampWhenFinished = true;
        action.reset().play();
        mixer.setTime(time);
      }
      for (const root of above) {
        // Quaternions of normalized integers are not unit quaternions; three.js does not normalize them, glTF requires unit quaternions.
        root.traverse((object: Object3D) => object.quaternion.normalize());
        root.updateMatrixWorld(true);
      }
      return parts;
    },
  };
}

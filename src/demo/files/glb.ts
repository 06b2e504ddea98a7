/** Writes characters and their clips as glTF, for the demo, the benchmarks and the tests. */
import type { Clip } from '../../core/animation/clip.ts';
import * as mat4 from '../../core/math/mat4.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { appendAccessor } from '../../formats/gltf/accessors/append-accessor.ts';
import { createDocument } from '../../formats/gltf/document/document.ts';
import { appendClips, concatParts, type GltfDocument, serializeGltf } from '../../formats/gltf/index.ts';
import type { DemoCharacter } from '../characters/character.ts';
import { type CharacterMesh, makeMesh } from '../characters/mesh.ts';

type WrittenMesh = Omit<CharacterMesh, 'weights'> & { readonly weights: Float32Array | Uint8Array };

/** The mesh of a character with its material. */
export interface Costume {
  readonly material: string;
  readonly mesh: WrittenMesh;
  /** A face, in a mesh of its own; none by default. */
  readonly face?:
    | {
        readonly mesh: WrittenMesh;
        /** By expression, how far it moves each vertex: xyz, model space. */
        readonly shapes: Readonly<Record<string, Float32Array>>;
      }
    | undefined;
  readonly roughness: number;
  readonly metalness: number;
}

export interface CharacterFileOptions {
  readonly clips?: readonly Clip[];
  /** Linear RGB of the mesh, 0…1. */
  readonly color?: readonly [number, number, number];
  /** Mesh density: 1 (default) gives a file of 0.2 MB, 4 of 3 MB, 12 of 29 MB. */
  readonly detail?: number;
  /** A mesh instead of the mannequin of `color` and `detail`, with its material. */
  readonly costume?: Costume;
}

const ARRAY_BUFFER = 34962;
const ELEMENT_ARRAY_BUFFER = 34963;
const SLATE = [0.16, 0.24, 0.36] as const;
const MANNEQUIN = { material: 'mannequin', roughness: 0.75, metalness: 0 } as const;

/**
 * Creates a glTF document of a character. Node i of the document is node i of the skeleton; a character with a skin also gets a
 * mesh, and maybe a face, whose nodes are the last. Node transforms are exact, binary data is float32.
 */
export function characterDocument(character: DemoCharacter, options: CharacterFileOptions = {}): GltfDocument {
  const { clips = [], color = SLATE, detail = 1, costume } = options;
  const doc = createDocument();
  const { json } = doc;
  const nodes = nodesJson(character);
  json['scene'] = 0;
  json['scenes'] = [{ nodes: [0] }];
  json['nodes'] = nodes;
  const mannequin = (): Costume => ({ mesh: makeMesh(character, color, detail), ...MANNEQUIN });
  if (character.skeleton.bind !== null) addMeshes(doc, character, nodes, costume ?? mannequin());
  const sourceNodes = nodes.map((_, node) => node);
  if (clips.length > 0)
    appendClips(
      doc,
      clips.map((clip) => ({ name: clip.name, clip, sourceNodes })),
    );
  return doc;
}

export function glbBytes(doc: GltfDocument): Uint8Array {
  return concatParts(serializeGltf(doc).parts);
}

function nodesJson({ skeleton }: DemoCharacter): Record<string, unknown>[] {
  const { names, parents, rest } = skeleton;
  const nodes: Record<string, unknown>[] = names.map((name, node) => {
    const o = node * POSE_STRIDE;
    const [x, y, z, qx, qy, qz, qw, sx, sy, sz] = rest.subarray(o, o + POSE_STRIDE);
    const json: Record<string, unknown> = name === '' ? {} : { name };
    if (x !== 0 || y !== 0 || z !== 0) json['translation'] = [x, y, z];
    if (qw !== 1) json['rotation'] = [qx, qy, qz, qw];
    if (sx !== 1 || sy !== 1 || sz !== 1) json['scale'] = [sx, sy, sz];
    return json;
  });
  nodes.forEach((json, node) => {
    const children = names.flatMap((_, child) => (parents[child] === node ? [child] : []));
    if (children.length > 0) json['children'] = children;
  });
  return nodes;
}

function addMeshes(
  doc: GltfDocument,
  { name, skeleton }: DemoCharacter,
  nodes: Record<string, unknown>[],
  { mesh, face, material, roughness, metalness }: Costume,
): void {
  const { json } = doc;
  const joints = Array.from(skeleton.parents.keys()).filter((node) => skeleton.joints[node] === 1);
  const inverseBind = new Float64Array(joints.length * MATRIX_STRIDE);
  joints.forEach((node, joint) => {
    mat4.invertAffine(inverseBind, joint * MATRIX_STRIDE, skeleton.bind!, node * MATRIX_STRIDE);
  });
  const meshes: Record<string, unknown>[] = [
    { name: `${name} mesh`, primitives: [{ ...appendMesh(doc, mesh, joints), material: 0 }] },
  ];
  if (face !== undefined) {
    const targets = Object.values(face.shapes).map((shape) => {
      const POSITION = appendAccessor(doc, shape, { type: 'VEC3', minMax: true });
      setTarget(doc, POSITION, ARRAY_BUFFER);
      return { POSITION };
    });
    meshes.push({
      name: `${name} face`,
      primitives: [{ ...appendMesh(doc, face.mesh, joints), material: 0, targets }],
      weights: targets.map(() => 0),
      extras: { targetNames: Object.keys(face.shapes) },
    });
  }
  json['materials'] = [
    { name: material, pbrMetallicRoughness: { metallicFactor: metalness, roughnessFactor: roughness } },
  ];
  json['meshes'] = meshes;
  json['skins'] = [
    { inverseBindMatrices: appendAccessor(doc, Float32Array.from(inverseBind), { type: 'MAT4' }), joints },
  ];
  json['scenes'] = [{ nodes: [0, ...meshes.map((_, k) => nodes.length + k)] }];
  nodes.push(...meshes.map((one, k) => ({ name: one['name'], mesh: k, skin: 0 })));
}

/** Declares the target of the bufferView of an accessor, which validators otherwise guess (glTF 2.0, 3.6.2.3). */
function setTarget(doc: GltfDocument, accessor: number, target: number): void {
  const lists = doc.json as { accessors: { bufferView: number }[]; bufferViews: { target?: number }[] };
  lists.bufferViews[lists.accessors[accessor].bufferView].target = target;
}

function appendMesh(
  doc: GltfDocument,
  mesh: WrittenMesh,
  joints: readonly number[],
): { attributes: Record<string, number>; indices: number } {
  const jointOf = new Map(joints.map((node, joint) => [node, joint]));
  // Slots with weight 0 use joint 0.
  const slots = mesh.nodes.map((node, slot) => (mesh.weights[slot] > 0 ? jointOf.get(node)! : 0));
  const vertices = mesh.positions.length / 3;
  const attributes = {
    POSITION: appendAccessor(doc, mesh.positions, { type: 'VEC3', minMax: true }),
    NORMAL: appendAccessor(doc, mesh.normals, { type: 'VEC3' }),
    COLOR_0: appendAccessor(doc, mesh.colors, { type: 'VEC4', normalized: true }),
    JOINTS_0: appendAccessor(doc, joints.length <= 256 ? Uint8Array.from(slots) : slots, { type: 'VEC4' }),
    WEIGHTS_0: appendAccessor(doc, mesh.weights, { type: 'VEC4', normalized: mesh.weights instanceof Uint8Array }),
  };
  const indices = appendAccessor(doc, vertices <= 65535 ? Uint16Array.from(mesh.indices) : mesh.indices, {
    type: 'SCALAR',
  });
  for (const accessor of Object.values(attributes)) setTarget(doc, accessor, ARRAY_BUFFER);
  setTarget(doc, indices, ELEMENT_ARRAY_BUFFER);
  return { attributes, indices };
}

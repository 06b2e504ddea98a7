/** A character of a few nodes with the difficult cases that glTF allows: common samplers, matrices, objects on bones, non-uniform scale. */
import { BONE, BONE_COUNT } from '../../../../src/core/humanoid/bones.ts';
import type { JsonObject } from '../../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../../src/formats/gltf/index.ts';
import type { NormalizeRequest } from '../../../../src/formats/gltf/normalize/normalize-request.ts';
import { readNodes } from '../../../../src/formats/gltf/read/read-nodes.ts';
import { documentOf } from '../../../support/make/glb.ts';
import { type Matrix, worldMatricesOf } from './world-matrices.ts';

const HALF = Math.SQRT1_2;

/** 0 root, 1 hips, 2 spine, 3 left upper arm, 4 left lower arm, 5 left hand (a prop on it), 6 helper between, 7 the skinned mesh, 8 head with a camera. */
export const NODES: readonly JsonObject[] = [
  { name: 'root', children: [1, 7] },
  { name: 'hips', translation: [0, 1, 0], rotation: [HALF, 0, 0, HALF], children: [2] },
  { name: 'spine', translation: [0, 0.3, 0], scale: [2, 2, 2], children: [6, 8] },
  { name: 'arm', translation: [0, 0.1, 0], rotation: [0, 0, -HALF, HALF], scale: [1, 1.5, 0.5], children: [4] },
  { name: 'forearm', translation: [0, 0.2, 0], rotation: [0, 0.6, 0, 0.8], children: [5] },
  { name: 'hand', translation: [0, 0.2, 0], mesh: 1 },
  { name: 'helper', matrix: [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0.2, 0.2, 0, 1], children: [3] },
  { name: 'body', mesh: 0, skin: 0 },
  { name: 'skull', translation: [0, 0.2, 0], camera: 0 },
];

const MEMBERS = { hips: 1, spine: 2, leftUpperArm: 3, leftLowerArm: 4, leftHand: 5, head: 8 } as const;

/** Node per bone of the character. */
export function bonesOf(): Int32Array {
  const bones = new Int32Array(BONE_COUNT).fill(-1);
  for (const [name, node] of Object.entries(MEMBERS)) bones[BONE[name as keyof typeof BONE]] = node;
  return bones;
}

/** Float arrays in one buffer, with an accessor each. */
class Floats {
  readonly accessors: JsonObject[] = [];
  readonly views: JsonObject[] = [];
  readonly values: number[] = [];

  add(type: string, width: number, values: readonly number[], more: JsonObject = {}): number {
    this.views.push({ buffer: 0, byteOffset: 4 * this.values.length, byteLength: 4 * values.length });
    this.values.push(...values);
    const bufferView = this.views.length - 1;
    return this.accessors.push({ bufferView, componentType: 5126, count: values.length / width, type, ...more }) - 1;
  }
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** The character; `json` replaces members of it. */
export function tinyCharacter(json: Record<string, unknown> = {}): GltfDocument {
  const floats = new Floats();
  const times = floats.add('SCALAR', 1, [0, 1], { min: [0], max: [1] });
  const turns = floats.add('VEC4', 4, [0, 0, 0, 1, 0, HALF, 0, HALF]);
  const ways = floats.add('VEC3', 3, [0, 1, 0, 0, 1.5, 0.5]);
  const sizes = floats.add('VEC3', 3, [1, 1, 1, 3, 3, 3]);
  const points = [0, 1, 0, 0.5, 1.5, 0, 0, 2, 0.3];
  const positions = floats.add('VEC3', 3, points, { min: [0, 1, 0], max: [0.5, 2, 0.3] });
  const joints = floats.add('VEC4', 4, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  const weights = floats.add('VEC4', 4, [1, 0, 0, 0, 0, 0.5, 0, 0.5, 0, 0.25, 0.75, 0]);
  const matrices = floats.add('MAT4', 16, [...IDENTITY, ...IDENTITY, ...IDENTITY, ...IDENTITY]);
  // Joint indices are bytes after the floats.
  const bin = Buffer.concat([
    Buffer.from(Float32Array.from(floats.values).buffer),
    Buffer.from([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]),
  ]);
  floats.views.push({ buffer: 0, byteOffset: 4 * floats.values.length, byteLength: 12 });
  floats.accessors[joints] = { bufferView: floats.views.length - 1, componentType: 5121, count: 3, type: 'VEC4' };
  const attributes = { POSITION: positions, JOINTS_0: joints, WEIGHTS_0: weights };
  return documentOf(
    {
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: structuredClone(NODES),
      cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
      meshes: [{ primitives: [{ attributes }] }, { primitives: [{ attributes: { POSITION: positions } }] }],
      skins: [{ joints: [1, 2, 3, 4], inverseBindMatrices: matrices }],
      animations: [
        {
          samplers: [
            { input: times, output: turns },
            { input: times, output: ways },
            { input: times, output: sizes, interpolation: 'STEP' },
          ],
          channels: [
            { sampler: 0, target: { node: 1, path: 'rotation' } },
            { sampler: 0, target: { node: 4, path: 'rotation' } },
            { sampler: 0, target: { node: 7, path: 'rotation' } },
            { sampler: 1, target: { node: 1, path: 'translation' } },
            { sampler: 2, target: { node: 2, path: 'scale' } },
          ],
        },
      ],
      accessors: floats.accessors,
      bufferViews: floats.views,
      ...json,
    },
    bin,
  );
}

/** A request that changes only what the options say. */
export function requestFor(doc: GltfDocument, parts: Partial<NormalizeRequest> = {}): NormalizeRequest {
  const { sourceNodes } = readNodes(doc, []);
  const worlds = worldMatricesOf(doc);
  return {
    bones: bonesOf(),
    sourceNodes: sourceNodes.slice(),
    bind: Float64Array.from(Array.from(sourceNodes, (node) => [...(worlds.get(node) as Matrix)]).flat()),
    shared: new Set(),
    axesRotations: null,
    pose: null,
    space: null,
    rootSpace: null,
    modelSpace: Float64Array.from(IDENTITY),
    requiresRoot: false,
    ...parts,
  };
}

/** A VRM 0.x with everything that a conversion touches: morph targets, toon materials, springs, look-at, extras, a clip. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { DemoCharacter } from '../../../src/demo/characters/character.ts';
import { makeCharacter } from '../../../src/demo/characters/make-character.ts';
import { VRM0_RIG } from '../../../src/demo/characters/rigs.ts';
import { glbBytes } from '../../../src/demo/files/glb.ts';
import { vrm0Document } from '../../../src/demo/files/vrm.ts';
import { appendAccessor } from '../../../src/formats/gltf/accessors/append-accessor.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import type { GltfDocument } from '../../../src/formats/gltf/index.ts';

/** Curve of a straight range map. */
const STRAIGHT = [0, 0, 0, 1, 1, 1, 1, 0];

export const MTOON_ITEM = {
  name: 'toon',
  shader: 'VRM/MToon',
  renderQueue: 3002,
  floatProperties: {
    _BlendMode: 2,
    _CullMode: 0,
    _ShadeShift: -0.4,
    _ShadeToony: 0.8,
    _IndirectLightIntensity: 0.25,
    _RimLightingMix: 0.5,
    _RimFresnelPower: 2,
    _RimLift: 0.1,
    _OutlineWidthMode: 1,
    _OutlineWidth: 0.3,
    _OutlineColorMode: 1,
    _OutlineLightingMix: 0.75,
    _UvAnimScrollX: 0.5,
    _UvAnimScrollY: 0.25,
    _UvAnimRotation: 0.125,
  },
  vectorProperties: {
    _Color: [0.5, 1, 0.25, 0.5],
    _ShadeColor: [0.25, 0.5, 0.75, 1],
    _RimColor: [0.1, 0.2, 0.3, 1],
    _OutlineColor: [0.3, 0.2, 0.1, 1],
    _EmissionColor: [0.5, 0, 0.25, 1],
    _MainTex: [0.125, 0.25, 0.5, 0.5],
  },
  textureProperties: { _MainTex: 0, _ShadeTexture: 1, _SphereAdd: 1 },
  keywordMap: { _ALPHABLEND_ON: true },
  tagMap: { RenderType: 'Transparent' },
} as const;

/** One white pixel. */
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

/** A clip that rotates the head and moves the hips. */
function turnHead({ bones }: DemoCharacter): Clip {
  const times = Float32Array.of(0, 1);
  const rotation = Float32Array.of(0, 0, 0, 1, 0.5, 0.5, -0.5, 0.5);
  const translation = Float32Array.of(0, 1, 0, 0.25, 1, 0.5);
  const common = { interpolation: 'LINEAR', times } as const;
  return {
    name: 'turn',
    duration: 1,
    tracks: [
      { target: bones[BONE.head], path: 'rotation', values: rotation, ...common },
      { target: bones[BONE.hips], path: 'translation', values: translation, ...common },
    ],
  };
}

/** Adds a node; returns its index. */
function addNode({ json }: GltfDocument, node: JsonObject, parent: number | null): number {
  const nodes = json['nodes'] as JsonObject[];
  const index = nodes.push(node) - 1;
  if (parent === null) (json['scenes'] as { nodes: number[] }[])[0].nodes.push(index);
  else nodes[parent]['children'] = [...((nodes[parent]['children'] as number[]) ?? []), index];
  return index;
}

function addFace(doc: GltfDocument, head: number): number {
  const accessor = (values: readonly number[]): number =>
    appendAccessor(doc, Float32Array.from(values), { type: 'VEC3', minMax: true });
  const uv = appendAccessor(doc, Float32Array.of(0, 0, 1, 0, 0, 1), { type: 'VEC2' });
  const meshes = doc.json['meshes'] as JsonObject[];
  const mesh = meshes.push({
    name: 'Face',
    primitives: [
      {
        attributes: {
          POSITION: accessor([0, 0, 0.1, 0.1, 0, 0.2, 0, 0.1, 0.3]),
          NORMAL: accessor([0, 0, 1, 0, 1, 0, 1, 0, 0]),
          TEXCOORD_0: uv,
        },
        targets: [
          { POSITION: accessor([0, 0, 0.5, 0.25, 0, 0, 0, 0, 0]) },
          { POSITION: accessor([0, 1, 0, 0, 1, 0, 0, 0, 2]) },
        ],
        material: 1,
      },
    ],
    extras: { targetNames: ['Smile', 'Mouth'] },
  });
  return addNode(doc, { name: 'Face', mesh: mesh - 1, extras: { note: 'kept' } }, head);
}

/** Returns the document. Nodes of hair are `Hair1`, `Hair2` below it and `Side` beside that. */
export function richVrm0(): GltfDocument {
  const character = makeCharacter(VRM0_RIG);
  const doc = vrm0Document(character, { clips: [turnHead(character)] });
  const { json } = doc;
  const vrm = (json['extensions'] as { VRM: JsonObject }).VRM;
  const bones = (vrm['humanoid'] as { humanBones: { bone: string; node: number }[] }).humanBones;
  const nodeOf = (bone: string): number => bones.find((one) => one.bone === bone)!.node;
  const head = nodeOf('head');
  const face = addFace(doc, head);
  const faceMesh = (json['nodes'] as { mesh: number }[])[face].mesh;
  const hair = addNode(doc, { name: 'Hair1', translation: [0, 0.1, 0.05] }, head);
  addNode(doc, { name: 'Hair2', translation: [0.01, -0.1, 0.02] }, hair);
  addNode(doc, { name: 'Side', translation: [0.03, -0.1, 0] }, hair);
  addNode(doc, { name: 'Camera', camera: 0, translation: [1, 2, 3] }, null);
  json['cameras'] = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
  json['images'] = [{ uri: PNG }, { uri: PNG }];
  json['textures'] = [{ source: 0 }, { source: 1 }];
  (json['materials'] as JsonObject[]).push({ name: 'toon', pbrMetallicRoughness: {}, extras: { kept: 1 } });
  (vrm['materialProperties'] as unknown[]).push(structuredClone(MTOON_ITEM));
  json['extras'] = { owner: 'me' };
  json['extensionsUsed'] = ['VRM', 'VENDOR_thing'];
  (json['extensions'] as JsonObject)['VENDOR_thing'] = { nodes: [face] };
  const range = (xRange: number, yRange: number): JsonObject => ({ curve: STRAIGHT, xRange, yRange });
  Object.assign(vrm, {
    meta: {
      ...(vrm['meta'] as JsonObject),
      texture: 1,
      reference: 'a book',
      contactInformation: 'mail',
      violentUssageName: 'Disallow',
    },
    firstPerson: {
      firstPersonBone: head,
      firstPersonBoneOffset: { x: 0.01, y: 0.06, z: 0.03 },
      meshAnnotations: [{ mesh: faceMesh, firstPersonFlag: 'ThirdPersonOnly' }],
      lookAtTypeName: 'Bone',
      lookAtHorizontalInner: range(90, 8),
      lookAtHorizontalOuter: range(80, 12),
      lookAtVerticalDown: range(70, 10),
      lookAtVerticalUp: range(60, 10),
    },
    blendShapeMaster: {
      blendShapeGroups: [
        {
          name: 'Joy',
          presetName: 'joy',
          isBinary: false,
          binds: [{ mesh: faceMesh, index: 0, weight: 75 }],
          materialValues: [],
        },
        {
          name: 'A',
          presetName: 'a',
          isBinary: true,
          binds: [{ mesh: faceMesh, index: 1, weight: 100 }],
          materialValues: [],
        },
        {
          name: 'Blush',
          presetName: 'unknown',
          isBinary: false,
          binds: [],
          materialValues: [
            { materialName: 'toon', propertyName: '_ShadeColor', targetValue: [1, 0, 0, 1] },
            { materialName: 'toon', propertyName: '_MainTex_ST', targetValue: [0.5, 0.25, 0.25, 0.5] },
          ],
        },
      ],
    },
    secondaryAnimation: {
      boneGroups: [
        {
          comment: 'hair',
          stiffiness: 2,
          gravityPower: 0.5,
          gravityDir: { x: 0.25, y: -1, z: 0.5 },
          dragForce: 0.4,
          center: -1,
          hitRadius: 0.02,
          bones: [hair],
          colliderGroups: [0],
        },
      ],
      colliderGroups: [{ node: head, colliders: [{ offset: { x: 0.01, y: 0.1, z: -0.02 }, radius: 0.09 }] }],
    },
  });
  return doc;
}

/** Returns the file of {@link richVrm0}. */
export function richVrm0Bytes(): Uint8Array {
  return glbBytes(richVrm0());
}

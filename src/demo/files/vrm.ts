/** Bodies as VRM 1.0, VRM 0.x and VRMA: glTF with a humanoid map. */
import { BONES } from '../../core/humanoid/bones.ts';
import type { GltfDocument } from '../../formats/gltf/index.ts';
import type { DemoCharacter } from '../characters/make-character.ts';
import { type CharacterFileOptions, characterDocument } from './glb.ts';

const AUTHOR = 'anyrig demo';

function addExtension(doc: GltfDocument, name: string, content: unknown): void {
  doc.json['extensionsUsed'] = [name];
  doc.json['extensions'] = { [name]: content };
}

/** Bone names and nodes of the bones that are there. */
function bonesOf({ bones }: DemoCharacter): (readonly [string, number])[] {
  return BONES.map((bone, k) => [bone, bones[k]] as const).filter(([, node]) => node >= 0);
}

/** A body as VRM 1.0 (VRMC_vrm-1.0). The format wants it to face +Z and to rest in the T-pose. */
export function vrm1Document(body: DemoCharacter, options: CharacterFileOptions = {}): GltfDocument {
  const doc = characterDocument(body, options);
  addExtension(doc, 'VRMC_vrm', {
    specVersion: '1.0',
    meta: { name: body.name, version: '1', authors: [AUTHOR], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
    humanoid: { humanBones: Object.fromEntries(bonesOf(body).map(([bone, node]) => [bone, { node }])) },
  });
  return doc;
}

/** The joints of a thumb are called one further out than in VRM 1.0. */
const VRM0_THUMBS: Readonly<Record<string, string>> = {
  ThumbMetacarpal: 'ThumbProximal',
  ThumbProximal: 'ThumbIntermediate',
};

function vrm0Name(bone: string): string {
  return bone.replace(/Thumb(Metacarpal|Proximal)$/, (part) => VRM0_THUMBS[part] ?? part);
}

/** A body as VRM 0.x (vrm.schema.json 0.0). The format wants it to face −Z, to rest in the T-pose and to have no rest rotations. */
export function vrm0Document(body: DemoCharacter, options: CharacterFileOptions = {}): GltfDocument {
  const doc = characterDocument(body, options);
  addExtension(doc, 'VRM', {
    exporterVersion: AUTHOR,
    specVersion: '0.0',
    meta: {
      title: body.name,
      version: '1',
      author: AUTHOR,
      contactInformation: '',
      reference: '',
      allowedUserName: 'Everyone',
      violentUssageName: 'Allow',
      sexualUssageName: 'Allow',
      commercialUssageName: 'Allow',
      otherPermissionUrl: '',
      licenseName: 'CC0',
      otherLicenseUrl: '',
    },
    humanoid: {
      humanBones: bonesOf(body).map(([bone, node]) => ({ bone: vrm0Name(bone), node, useDefaultValues: true })),
    },
    firstPerson: { firstPersonBone: -1, meshAnnotations: [], lookAtTypeName: 'Bone' },
    blendShapeMaster: { blendShapeGroups: [] },
    secondaryAnimation: { boneGroups: [], colliderGroups: [] },
    materialProperties: [
      {
        name: 'mannequin',
        shader: 'VRM_USE_GLTFSHADER',
        renderQueue: 2000,
        floatProperties: {},
        vectorProperties: {},
        textureProperties: {},
        keywordMap: {},
        tagMap: {},
      },
    ],
  });
  return doc;
}

/** Clips of a body as VRMA (VRMC_vrm_animation-1.0): the nodes, no mesh, no eyes. The format wants the rest pose to be the T-pose. */
export function vrmaDocument(body: DemoCharacter, options: Pick<CharacterFileOptions, 'clips'> = {}): GltfDocument {
  const doc = characterDocument({ ...body, skeleton: { ...body.skeleton, bind: null } }, options);
  const bones = bonesOf(body).filter(([bone]) => !bone.endsWith('Eye'));
  addExtension(doc, 'VRMC_vrm_animation', {
    specVersion: '1.0',
    humanoid: { humanBones: Object.fromEntries(bones.map(([bone, node]) => [bone, { node }])) },
  });
  return doc;
}

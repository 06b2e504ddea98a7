/** Writes characters as VRM 1.0 and VRM 0.x, and their clips as VRMA: glTF with a humanoid map. */
import { BONES } from '../../core/humanoid/bones.ts';
import type { GltfDocument } from '../../formats/gltf/index.ts';
import type { DemoCharacter } from '../characters/character.ts';
import { type CharacterFileOptions, characterDocument } from './glb.ts';

const AUTHOR = 'anyrig demo';

function addExtension(doc: GltfDocument, name: string, content: unknown): void {
  doc.json['extensionsUsed'] = [name];
  doc.json['extensions'] = { [name]: content };
}

/** Lists the names and nodes of the bones that the character has. */
function bonesOf({ bones }: DemoCharacter): (readonly [string, number])[] {
  return BONES.map((bone, k) => [bone, bones[k]] as const).filter(([, node]) => node >= 0);
}

/** Creates a VRM 1.0 document of a character (VRMC_vrm-1.0). The format requires it to face +Z and to have the T-pose as rest pose. */
export function vrm1Document(character: DemoCharacter, options: CharacterFileOptions = {}): GltfDocument {
  const doc = characterDocument(character, options);
  addExtension(doc, 'VRMC_vrm', {
    specVersion: '1.0',
    meta: { name: character.name, version: '1', authors: [AUTHOR], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
    humanoid: { humanBones: Object.fromEntries(bonesOf(character).map(([bone, node]) => [bone, { node }])) },
  });
  return doc;
}

/** VRM 0.x names the thumb joints one phalanx further out than VRM 1.0. */
const VRM0_THUMBS: Readonly<Record<string, string>> = {
  ThumbMetacarpal: 'ThumbProximal',
  ThumbProximal: 'ThumbIntermediate',
};

function vrm0Name(bone: string): string {
  return bone.replace(/Thumb(Metacarpal|Proximal)$/, (part) => VRM0_THUMBS[part] ?? part);
}

/**
 * Creates a VRM 0.x document of a character (vrm.schema.json 0.0). The format requires it to face −Z, to have the T-pose as rest
 * pose and to have no rest rotations.
 */
export function vrm0Document(character: DemoCharacter, options: CharacterFileOptions = {}): GltfDocument {
  const doc = characterDocument(character, options);
  addExtension(doc, 'VRM', {
    exporterVersion: AUTHOR,
    specVersion: '0.0',
    meta: {
      title: character.name,
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
      humanBones: bonesOf(character).map(([bone, node]) => ({ bone: vrm0Name(bone), node, useDefaultValues: true })),
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

/**
 * Creates a VRMA document of a character's clips (VRMC_vrm_animation-1.0): nodes without mesh and without eyes. The format
 * requires the T-pose as rest pose.
 */
export function vrmaDocument(
  character: DemoCharacter,
  options: Pick<CharacterFileOptions, 'clips'> = {},
): GltfDocument {
  const doc = characterDocument({ ...character, skeleton: { ...character.skeleton, bind: null } }, options);
  const bones = bonesOf(character).filter(([bone]) => !bone.endsWith('Eye'));
  addExtension(doc, 'VRMC_vrm_animation', {
    specVersion: '1.0',
    humanoid: { humanBones: Object.fromEntries(bones.map(([bone, node]) => [bone, { node }])) },
  });
  return doc;
}

/** Writes characters as VRM 1.0 and VRM 0.x, and their clips as VRMA: glTF with a humanoid map. */
import type { Track } from '../../core/animation/clip.ts';
import { BONES } from '../../core/humanoid/bones.ts';
import type { GltfDocument } from '../../formats/gltf/index.ts';
import type { DemoCharacter } from '../characters/character.ts';
import { EXPRESSIONS, type Motion } from '../motions/motion.ts';
import { type CharacterFileOptions, characterDocument } from './glb.ts';

const AUTHOR = 'anyrig demo';

function addExtension(doc: GltfDocument, name: string, content: unknown): void {
  doc.json['extensionsUsed'] = [name];
  doc.json['extensions'] = { [name]: content };
}

function bonesOf({ bones }: DemoCharacter): (readonly [string, number])[] {
  return BONES.map((bone, k) => [bone, bones[k]] as const).filter(([, node]) => node >= 0);
}

/** Lists the expressions of a document: their names, and the node and mesh whose morph targets show them. */
function expressionsOf({ json }: GltfDocument): { names: readonly string[]; node: number; mesh: number } {
  const meshes = (json['meshes'] ?? []) as { extras?: { targetNames?: string[] } }[];
  const mesh = meshes.findIndex(({ extras }) => extras?.targetNames !== undefined);
  const node = (json['nodes'] as { mesh?: number }[]).findIndex((one) => mesh >= 0 && one.mesh === mesh);
  return { names: meshes[mesh]?.extras?.targetNames ?? [], node, mesh };
}

/** Creates a VRM 1.0 document of a character (VRMC_vrm-1.0). The format requires it to face +Z and to have the T-pose as rest pose. */
export function vrm1Document(character: DemoCharacter, options: CharacterFileOptions = {}): GltfDocument {
  const doc = characterDocument(character, options);
  const { names, node } = expressionsOf(doc);
  const preset = names.map((name, index) => [name, { morphTargetBinds: [{ node, index, weight: 1 }] }]);
  addExtension(doc, 'VRMC_vrm', {
    specVersion: '1.0',
    meta: { name: character.name, version: '1', authors: [AUTHOR], licenseUrl: 'https://vrm.dev/licenses/1.0/' },
    humanoid: { humanBones: Object.fromEntries(bonesOf(character).map(([bone, node]) => [bone, { node }])) },
    ...(names.length === 0 ? {} : { expressions: { preset: Object.fromEntries(preset) } }),
  });
  return doc;
}

/** Expressions that have another name in VRM 0.x. */
const VRM0_EXPRESSIONS: Readonly<Record<string, string>> = { happy: 'joy' };

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
  const { names, mesh } = expressionsOf(doc);
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
    blendShapeMaster: {
      blendShapeGroups: names.map((name, index) => ({
        name,
        presetName: VRM0_EXPRESSIONS[name] ?? name,
        binds: [{ mesh, index, weight: 100 }],
        materialValues: [],
        isBinary: false,
      })),
    },
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
 * Creates a VRMA document of a character's clips (VRMC_vrm_animation-1.0): nodes without mesh and without eyes, and a node for each expression,
 * whose translation along x is its weight. The format requires the T-pose as rest pose.
 */
export function vrmaDocument(
  character: DemoCharacter,
  { clips = [], face }: Pick<CharacterFileOptions, 'clips'> & { readonly face?: Motion['face'] | undefined } = {},
): GltfDocument {
  const { names, parents, rest, joints } = character.skeleton;
  const expressions = face === undefined || clips.length === 0 ? [] : EXPRESSIONS;
  const skeleton = {
    ...character.skeleton,
    names: [...names, ...expressions],
    parents: Int32Array.from([...parents, ...expressions.map(() => 0)]),
    rest: Float64Array.from([...rest, ...expressions.flatMap(() => [0, 0, 0, 0, 0, 0, 1, 1, 1, 1])]),
    joints: Uint8Array.from([...joints, ...expressions.map(() => 0)]),
    bind: null,
  };
  const [first, ...others] = clips;
  const weights = expressions.map((expression, k): Track => {
    const { times } = first.tracks[0];
    const values = Float64Array.from(Array.from(times).flatMap((time) => [face?.(time)[expression] ?? 0, 0, 0]));
    return { target: names.length + k, path: 'translation', interpolation: 'LINEAR', times, values };
  });
  const shown = weights.length === 0 ? clips : [{ ...first, tracks: [...first.tracks, ...weights] }, ...others];
  const doc = characterDocument({ ...character, skeleton }, { clips: shown });
  const bones = bonesOf(character).filter(([bone]) => !bone.endsWith('Eye'));
  const preset = expressions.map((expression, k) => [expression, { node: names.length + k }]);
  addExtension(doc, 'VRMC_vrm_animation', {
    specVersion: '1.0',
    humanoid: { humanBones: Object.fromEntries(bones.map(([bone, node]) => [bone, { node }])) },
    ...(preset.length === 0 ? {} : { expressions: { preset: Object.fromEntries(preset) } }),
  });
  return doc;
}

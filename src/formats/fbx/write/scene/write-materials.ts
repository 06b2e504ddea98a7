/** Writes materials: Phong, which all programs read, with the properties of physically based materials of Maya beside it. */
import type { Geometry } from '../../../../core/asset/geometry.ts';
import { imageType } from '../../../../core/asset/image-type.ts';
import {
  type Material,
  plainMaterial,
  type Texture,
  type TextureUse,
  type Wrap,
} from '../../../../core/asset/material.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { uniqueName } from '../../../../core/text/unique-name.ts';
import type { FbxRecord } from '../../document/fbx-tree.ts';
import { connect, listRecord, objectRecord, property70, record } from '../build-records.ts';
import type { FileBuilder } from './file-builder.ts';
import { uvSetName } from './uv-set-name.ts';

/** File extensions of the image types that FBX programs read. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/ktx2': 'ktx2',
};
/** Types that Unity, Unreal, Blender and Maya all read. */
const COMMON_TYPES = new Set(['image/png', 'image/jpeg']);

const WRAP_MODES: Readonly<Record<Wrap, number>> = { repeat: 0, mirror: 0, clamp: 1 };

export interface ImageFile {
  /** Path relative to the folder of the file. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface ImageStore {
  readonly files: readonly ImageFile[];
  readonly store: (
    name: string,
    bytes: Uint8Array,
  ) => { readonly file: string; readonly content: readonly FbxRecord[] };
}

export function createImageStore(folder: string | null): ImageStore {
  const files: ImageFile[] = [];
  return {
    files,
    store: (name, bytes) => {
      if (folder === null) return { file: name, content: [record('Content', 'R', [bytes])] };
      const file = `${folder}/${name}`;
      files.push({ file, bytes });
      return { file, content: [] };
    },
  };
}

/** Ids of written materials by their index in the source; −1 is the default material. */
export type MaterialIds = ReadonlyMap<number, number>;

/**
 * Writes the materials that are used, with their images.
 *
 * - DiffuseColor, EmissiveColor with EmissiveFactor, TransparencyFactor and Opacity; Shininess = 100 · (1 − roughness)² and ReflectionFactor = metallic,
 *   as Blender writes and reads them.
 * - `Maya|base_color`, `Maya|metallic`, `Maya|roughness`, `Maya|emissive`, `Maya|opacity`, the names of Maya's Stingray PBS.
 * - Base color, emission and normal map are connected to both; roughness, metalness and occlusion to those of Stingray PBS alone, because Phong has none.
 *
 * @param used Indices of materials in the order in which they are written; −1 for the default.
 * @param issues Receives FBX_MATERIAL for what FBX does not have.
 */
export function writeMaterials(
  file: FileBuilder,
  { materials, textures }: Geometry,
  used: Iterable<number>,
  images: ImageStore,
  issues: Issue[],
): MaterialIds {
  const out = new Map<number, number>();
  const lost = new Map<string, Set<string>>();
  const lose = (what: string, name: string): void => {
    const names = lost.get(what) ?? new Set();
    lost.set(what, names.add(name));
  };
  const writeTexture = createTextureWriter(file, textures, images, lose);
  const taken = new Set<string>();
  for (const index of used) {
    const material = materials[index] ?? plainMaterial('default');
    const id = file.nextId();
    const name = uniqueName(material.name || 'material', (one) => taken.has(one), '_', 1);
    taken.add(name);
    out.set(index, id);
    file.objects.push(materialRecord(id, name, material));
    for (const [use, properties] of textureSlots(material)) {
      if (use === null) continue;
      const texture = writeTexture(use, name);
      if (texture !== null) for (const property of properties) file.connections.push(connect(texture, id, property));
    }
    for (const what of lostOf(material)) lose(what, name);
  }
  for (const [what, names] of lost) {
    const [first] = names;
    const whose =
      names.size === 1
        ? `The material ${JSON.stringify(first)} has`
        : `${names.size} materials (the first is ${JSON.stringify(first)}) have`;
    issues.push(issue('FBX_MATERIAL', `${whose} ${what}.`));
  }
  return out;
}

function materialRecord(id: number, name: string, material: Material): FbxRecord {
  const { baseColor, metallic, roughness, emissive } = material;
  const [r, g, b, opacity] = baseColor;
  const strength = Math.max(1, ...emissive);
  const glow = emissive.map((value) => value / strength) as [number, number, number];
  const isGlowing = emissive.some((value) => value > 0);
  const shininess = 100 * (1 - roughness) ** 2;
  return objectRecord('Material', id, [name, 'Material'], '', [
    record('Version', 'I', [102]),
    record('ShadingModel', 'S', ['Phong']),
    record('MultiLayer', 'I', [0]),
    listRecord('Properties70', [
      property70('EmissiveColor', 'animatableColor', ...glow),
      property70('EmissiveFactor', 'animatableNumber', isGlowing ? strength : 0),
      property70('AmbientColor', 'animatableColor', 0, 0, 0),
      property70('DiffuseColor', 'animatableColor', r, g, b),
      property70('DiffuseFactor', 'animatableNumber', 1),
      property70('TransparentColor', 'animatableColor', 1 - opacity, 1 - opacity, 1 - opacity),
      property70('TransparencyFactor', 'animatableNumber', 1 - opacity),
      property70('Opacity', 'animatableNumber', opacity),
      property70('SpecularColor', 'animatableColor', 0.2, 0.2, 0.2),
      property70('SpecularFactor', 'animatableNumber', 1),
      property70('Shininess', 'animatableNumber', shininess),
      property70('ShininessExponent', 'animatableNumber', shininess),
      property70('ReflectionFactor', 'animatableNumber', metallic),
      property70('Maya|base_color', 'color', r, g, b),
      property70('Maya|metallic', 'double', metallic),
      property70('Maya|roughness', 'double', roughness),
      property70('Maya|emissive', 'color', ...glow),
      property70('Maya|emissive_intensity', 'double', isGlowing ? strength : 0),
      property70('Maya|opacity', 'color', opacity, opacity, opacity),
    ]),
  ]);
}

/** Textures of a material and the properties that they are connected to. */
function textureSlots({
  baseColorTexture,
  metallicRoughnessTexture,
  normalTexture,
  occlusionTexture,
  emissiveTexture,
  alphaMode,
}: Material): (readonly [TextureUse | null, readonly string[]])[] {
  const opacity = alphaMode === 'opaque' ? [] : ['TransparentColor'];
  return [
    [baseColorTexture, ['DiffuseColor', 'Maya|TEX_color_map', ...opacity]],
    [metallicRoughnessTexture, ['Maya|TEX_roughness_map', 'Maya|TEX_metallic_map']],
    [normalTexture, ['NormalMap', 'Maya|TEX_normal_map']],
    [occlusionTexture, ['Maya|TEX_ao_map']],
    [emissiveTexture, ['EmissiveColor', 'Maya|TEX_emissive_map']],
  ];
}

function lostOf(material: Material): string[] {
  const { baseColor, baseColorTexture, metallicRoughnessTexture, alphaMode, unlit } = material;
  const lost: string[] = [];
  if (baseColorTexture !== null && baseColor.slice(0, 3).some((value) => value < 1))
    lost.push('a base color beside its texture, which replaces it in FBX; multiply the color into the image');
  if (metallicRoughnessTexture !== null)
    lost.push(
      'roughness and metalness in the channels of one image; engines read FBX images as a whole, so assign it in the engine (green is roughness, blue metalness)',
    );
  if (alphaMode === 'mask') lost.push('an alpha cutoff, which FBX lacks; set it in the engine');
  if (unlit) lost.push('no lighting, which FBX cannot tell; choose an unlit material in the engine');
  return lost;
}

function createTextureWriter(
  { objects, connections, nextId }: FileBuilder,
  textures: readonly Texture[],
  images: ImageStore,
  lose: (what: string, material: string) => void,
): (use: TextureUse, material: string) => number | null {
  const known = new Map<string, number>();
  const videos = new Map<Uint8Array, { id: number; file: string }>();
  const files = new Set<string>();
  const videoOf = ({ name, image, mimeType }: Texture, material: string): { id: number; file: string } => {
    const found = videos.get(image);
    if (found !== undefined) return found;
    const type = imageType(image) ?? mimeType;
    if (!COMMON_TYPES.has(type))
      lose(
        `an image of the type ${type}, which Unity, Unreal and Maya do not read in FBX; convert it to PNG`,
        material,
      );
    const stem = name.replace(/\.(?:png|jpe?g|webp|ktx2|bmp|gif)$/i, '').replace(/[^\w.() -]+/g, '_') || 'texture';
    const extension = EXTENSIONS[type] ?? 'bin';
    const unique = uniqueName(stem, (one) => files.has(`${one}.${extension}`.toLowerCase()), '_', 1);
    const own = `${unique}.${extension}`;
    files.add(own.toLowerCase());
    const { file, content } = images.store(own, image);
    const video = { id: nextId(), file };
    videos.set(image, video);
    objects.push(
      objectRecord('Video', video.id, [unique, 'Video'], 'Clip', [
        record('Type', 'S', ['Clip']),
        listRecord('Properties70', [property70('Path', 'url', file)]),
        record('UseMipMap', 'I', [0]),
        record('Filename', 'S', [file]),
        record('RelativeFilename', 'S', [file]),
        ...content,
      ]),
    );
    return video;
  };
  return (use, material) => {
    const texture = textures[use.texture];
    if (texture === undefined) return null;
    const key = JSON.stringify(use);
    const found = known.get(key);
    if (found !== undefined) return found;
    const video = videoOf(texture, material);
    const id = nextId();
    known.set(key, id);
    const { offset, scale, rotation } = use.transform ?? { offset: [0, 0], scale: [1, 1], rotation: 0 };
    if (rotation !== 0)
      lose('a texture that is rotated, which programs ignore in FBX; rotate the image or the UVs', material);
    if (texture.wrapU === 'mirror' || texture.wrapV === 'mirror')
      lose('a texture that repeats mirrored, which FBX lacks; it repeats', material);
    const label = texture.name || video.file;
    objects.push(
      objectRecord('Texture', id, [label, 'Texture'], '', [
        record('Type', 'S', ['TextureVideoClip']),
        record('Version', 'I', [202]),
        record('TextureName', 'S', [`${label}\0\x01Texture`]),
        listRecord('Properties70', [
          property70('UVSet', 'text', uvSetName(use.uvSet)),
          property70('UseMaterial', 'bool', 1),
          property70('UseMipMap', 'bool', 1),
          property70('WrapModeU', 'enum', WRAP_MODES[texture.wrapU]),
          property70('WrapModeV', 'enum', WRAP_MODES[texture.wrapV]),
          // v points up here: v' = scale · v + (1 − scale − offset).
          property70('Translation', 'vector', offset[0], 1 - scale[1] - offset[1], 0),
          property70('Scaling', 'vector', scale[0], scale[1], 1),
        ]),
        record('Media', 'S', [`${video.file}\0\x01Video`]),
        record('FileName', 'S', [video.file]),
        record('RelativeFilename', 'S', [video.file]),
        record('ModelUVTranslation', 'DD', [0, 0]),
        record('ModelUVScaling', 'DD', [1, 1]),
        record('Texture_Alpha_Source', 'S', ['None']),
        record('Cropping', 'IIII', [0, 0, 0, 0]),
      ]),
    );
    connections.push(connect(video.id, id));
    return id;
  };
}

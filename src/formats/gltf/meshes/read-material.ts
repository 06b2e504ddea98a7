/** Materials: glTF 2.0 section 3.9 and the extensions that the core type Material covers. */
import type { Material, TextureUse } from '../../../core/asset/material.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import {
  booleanAt,
  indexAt,
  integerAt,
  type JsonObject,
  listItem,
  numberAt,
  numbersAt,
  objectAt,
  required,
  stringAt,
} from '../document/json-access.ts';
import { countExtensions, type GeometryReader } from './geometry-reader.ts';

const SUPPORTED = ['KHR_materials_unlit', 'KHR_materials_emissive_strength'] as const;
const ALPHA_MODES = { OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' } as const;

/** Reads a material. Throws FormatError GLTF_SCHEMA, GLTF_REFERENCE. */
export function readMaterial(reader: GeometryReader, index: number, indexOf: (texture: number) => number): Material {
  const pointer = `/materials/${index}`;
  const material = listItem(reader.doc.json, 'materials', index);
  countExtensions(reader, 'materialExtension', material, pointer, SUPPORTED);
  const extensions = objectAt(material, 'extensions', pointer) ?? {};
  const strength = objectAt(extensions, 'KHR_materials_emissive_strength', `${pointer}/extensions`) ?? {};
  const at = `${pointer}/pbrMetallicRoughness`;
  const pbr = objectAt(material, 'pbrMetallicRoughness', pointer) ?? {};
  const use = (owner: JsonObject, key: string, where: string): TextureUse | null => {
    const info = objectAt(owner, key, where);
    return info === undefined ? null : readTextureUse(reader, info, `${where}/${key}`, indexOf);
  };
  const normal = objectAt(material, 'normalTexture', pointer) ?? {};
  const occlusion = objectAt(material, 'occlusionTexture', pointer) ?? {};
  const [r, g, b] = numbersAt(material, 'emissiveFactor', pointer, 3) ?? [0, 0, 0];
  const brightness =
    numberAt(strength, 'emissiveStrength', `${pointer}/extensions/KHR_materials_emissive_strength`) ?? 1;
  return {
    name: stringAt(material, 'name', pointer) ?? '',
    baseColor: (numbersAt(pbr, 'baseColorFactor', at, 4) ?? [1, 1, 1, 1]) as [number, number, number, number],
    baseColorTexture: use(pbr, 'baseColorTexture', at),
    metallic: numberAt(pbr, 'metallicFactor', at) ?? 1,
    roughness: numberAt(pbr, 'roughnessFactor', at) ?? 1,
    metallicRoughnessTexture: use(pbr, 'metallicRoughnessTexture', at),
    normalTexture: use(material, 'normalTexture', pointer),
    normalScale: numberAt(normal, 'scale', `${pointer}/normalTexture`) ?? 1,
    occlusionTexture: use(material, 'occlusionTexture', pointer),
    occlusionStrength: numberAt(occlusion, 'strength', `${pointer}/occlusionTexture`) ?? 1,
    emissive: [r * brightness, g * brightness, b * brightness],
    emissiveTexture: use(material, 'emissiveTexture', pointer),
    alphaMode: alphaModeOf(stringAt(material, 'alphaMode', pointer) ?? 'OPAQUE', pointer),
    alphaCutoff: numberAt(material, 'alphaCutoff', pointer) ?? 0.5,
    doubleSided: booleanAt(material, 'doubleSided', pointer) ?? false,
    unlit: Object.hasOwn(extensions, 'KHR_materials_unlit'),
  };
}

function alphaModeOf(mode: string, pointer: string): Material['alphaMode'] {
  if (Object.hasOwn(ALPHA_MODES, mode)) return ALPHA_MODES[mode as keyof typeof ALPHA_MODES];
  const message = `${pointer}/alphaMode is ${JSON.stringify(mode.slice(0, 40))}, expected OPAQUE, MASK or BLEND.`;
  throw new FormatError('GLTF_SCHEMA', message, { pointer: `${pointer}/alphaMode` });
}

/** A reference to a texture with the transform of KHR_texture_transform; null where the texture has no image. */
function readTextureUse(
  reader: GeometryReader,
  info: JsonObject,
  pointer: string,
  indexOf: (texture: number) => number,
): TextureUse | null {
  const { json } = reader.doc;
  countExtensions(reader, 'textureExtension', info, pointer, ['KHR_texture_transform']);
  const index = required(indexAt(info, 'index', pointer, json, 'textures'), 'index', pointer);
  const uvSet = integerAt(info, 'texCoord', pointer) ?? 0;
  const texture = indexOf(index);
  if (texture < 0) return null;
  const extensions = objectAt(info, 'extensions', pointer) ?? {};
  const textureTransform = objectAt(extensions, 'KHR_texture_transform', `${pointer}/extensions`);
  if (textureTransform === undefined) return { texture, uvSet, transform: null };
  const at = `${pointer}/extensions/KHR_texture_transform`;
  return {
    texture,
    uvSet: integerAt(textureTransform, 'texCoord', at) ?? uvSet,
    transform: {
      offset: (numbersAt(textureTransform, 'offset', at, 2) ?? [0, 0]) as [number, number],
      rotation: numberAt(textureTransform, 'rotation', at) ?? 0,
      scale: (numbersAt(textureTransform, 'scale', at, 2) ?? [1, 1]) as [number, number],
    },
  };
}

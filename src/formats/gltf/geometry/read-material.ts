/** Materials of a document: glTF 2.0 section 3.9 and the extensions that the core's Material has a place for. */
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
} from '../schema.ts';
import { type GeometryReading, noteExtensions } from './geometry-reading.ts';

const UNDERSTOOD = ['KHR_materials_unlit', 'KHR_materials_emissive_strength'] as const;
const ALPHA_MODES = { OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' } as const;

/**
 * A material. `placeOf` gives the place of a texture of the file in the list of those that are kept, −1 for one without
 * an image. FormatError GLTF_SCHEMA, GLTF_REFERENCE.
 */
export function readMaterial(reading: GeometryReading, index: number, placeOf: (texture: number) => number): Material {
  const pointer = `/materials/${index}`;
  const material = listItem(reading.doc.json, 'materials', index);
  noteExtensions(reading, 'materialExtension', material, pointer, UNDERSTOOD);
  const extensions = objectAt(material, 'extensions', pointer) ?? {};
  const strength = objectAt(extensions, 'KHR_materials_emissive_strength', `${pointer}/extensions`) ?? {};
  const at = `${pointer}/pbrMetallicRoughness`;
  const pbr = objectAt(material, 'pbrMetallicRoughness', pointer) ?? {};
  const use = (owner: JsonObject, key: string, where: string): TextureUse | null => {
    const info = objectAt(owner, key, where);
    return info === undefined ? null : readTextureUse(reading, info, `${where}/${key}`, placeOf);
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
  const message = `${pointer}/alphaMode is ${JSON.stringify(mode.slice(0, 40))}, expected OPAQUE, MASK or BLEND`;
  throw new FormatError('GLTF_SCHEMA', message, { pointer: `${pointer}/alphaMode` });
}

/** A texture in its place, moved as KHR_texture_transform says; null where it has no image. */
function readTextureUse(
  reading: GeometryReading,
  info: JsonObject,
  pointer: string,
  placeOf: (texture: number) => number,
): TextureUse | null {
  const { json } = reading.doc;
  noteExtensions(reading, 'textureExtension', info, pointer, ['KHR_texture_transform']);
  const index = required(indexAt(info, 'index', pointer, json, 'textures'), 'index', pointer);
  const uvSet = integerAt(info, 'texCoord', pointer) ?? 0;
  const texture = placeOf(index);
  if (texture < 0) return null;
  const extensions = objectAt(info, 'extensions', pointer) ?? {};
  const moved = objectAt(extensions, 'KHR_texture_transform', `${pointer}/extensions`);
  if (moved === undefined) return { texture, uvSet, transform: null };
  const at = `${pointer}/extensions/KHR_texture_transform`;
  return {
    texture,
    uvSet: integerAt(moved, 'texCoord', at) ?? uvSet,
    transform: {
      offset: (numbersAt(moved, 'offset', at, 2) ?? [0, 0]) as [number, number],
      rotation: numberAt(moved, 'rotation', at) ?? 0,
      scale: (numbersAt(moved, 'scale', at, 2) ?? [1, 1]) as [number, number],
    },
  };
}

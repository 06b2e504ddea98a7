/** Writes a material: glTF 2.0 section 3.9, KHR_materials_unlit, KHR_materials_emissive_strength, KHR_texture_transform. */
import type { Material, TextureUse } from '../../../core/asset/material.ts';
import { clamp01 } from '../../../core/math/floats.ts';
import type { UsedExtensions } from '../document/extensions-used.ts';
import type { JsonObject } from '../document/json-access.ts';

/**
 * Converts a material to JSON. Members with the default value of glTF are omitted; values out of range are clamped. `extensions` receives the
 * extensions in use.
 */
export function writeMaterial(material: Material, textures: Int32Array, extensions: UsedExtensions): JsonObject {
  const texture = (use: TextureUse | null): JsonObject | undefined => textureInfo(use, textures, extensions);
  const normal = texture(material.normalTexture);
  const occlusion = texture(material.occlusionTexture);
  const pbr = present({
    baseColorFactor: unlessAll(1, material.baseColor.map(clamp01)),
    baseColorTexture: texture(material.baseColorTexture),
    metallicFactor: unless(1, clamp01(material.metallic)),
    roughnessFactor: unless(1, clamp01(material.roughness)),
    metallicRoughnessTexture: texture(material.metallicRoughnessTexture),
  });
  const { factor, strength } = emissiveOf(material.emissive);
  const ownExtensions = present({
    KHR_materials_unlit: material.unlit ? {} : undefined,
    KHR_materials_emissive_strength: strength === 1 ? undefined : { emissiveStrength: strength },
  });
  for (const name of Object.keys(ownExtensions)) extensions.used.add(name);
  return present({
    name: material.name === '' ? undefined : material.name,
    pbrMetallicRoughness: filled(pbr),
    normalTexture: normal && present({ ...normal, scale: unless(1, material.normalScale) }),
    occlusionTexture: occlusion && present({ ...occlusion, strength: unless(1, clamp01(material.occlusionStrength)) }),
    emissiveTexture: texture(material.emissiveTexture),
    emissiveFactor: unlessAll(0, factor),
    alphaMode: material.alphaMode === 'opaque' ? undefined : material.alphaMode.toUpperCase(),
    alphaCutoff: material.alphaMode === 'mask' ? unless(0.5, Math.max(0, material.alphaCutoff)) : undefined,
    doubleSided: material.doubleSided || undefined,
    extensions: filled(ownExtensions),
  });
}

export function neededUvSets(material: JsonObject | undefined): number {
  let needed = 0;
  const { pbrMetallicRoughness = {}, normalTexture, occlusionTexture, emissiveTexture } = material ?? {};
  const { baseColorTexture, metallicRoughnessTexture } = pbrMetallicRoughness as JsonObject;
  for (const info of [baseColorTexture, metallicRoughnessTexture, normalTexture, occlusionTexture, emissiveTexture]) {
    if (info !== undefined)
      needed = Math.max(needed, 1 + (((info as JsonObject)['texCoord'] as number | undefined) ?? 0));
  }
  return needed;
}

/** Splits an emissive color into a factor in 0…1 and a strength. */
function emissiveOf(emissive: Material['emissive']): { readonly factor: number[]; readonly strength: number } {
  const strength = Math.max(1, ...emissive.filter(Number.isFinite));
  return { factor: emissive.map((value) => clamp01(value / strength)), strength };
}

function textureInfo(use: TextureUse | null, textures: Int32Array, extensions: UsedExtensions): JsonObject | undefined {
  const index = use === null ? -1 : (textures[use.texture] ?? -1);
  if (use === null || index < 0) return undefined;
  const transform =
    use.transform &&
    present({
      offset: unlessAll(0, [...use.transform.offset]),
      rotation: unless(0, use.transform.rotation),
      scale: unlessAll(1, [...use.transform.scale]),
    });
  const hasTransform = transform !== null && Object.keys(transform).length > 0;
  if (hasTransform) extensions.used.add('KHR_texture_transform');
  return present({
    index,
    texCoord: unless(0, use.uvSet),
    extensions: hasTransform ? { KHR_texture_transform: transform } : undefined,
  });
}

function present(json: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

function filled(json: JsonObject): JsonObject | undefined {
  return Object.keys(json).length > 0 ? json : undefined;
}

function unless(standard: number, value: number): number | undefined {
  return value === standard || !Number.isFinite(value) ? undefined : value;
}

function unlessAll(standard: number, values: number[]): number[] | undefined {
  return values.every((value) => value === standard || !Number.isFinite(value)) ? undefined : values;
}

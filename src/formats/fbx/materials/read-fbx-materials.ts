import type { ReadResource } from '../../../core/asset/asset.ts';
import type { Material, Texture, TextureUse } from '../../../core/asset/material.ts';
import { clamp01 } from '../../../core/math/floats.ts';
import type { Issue } from '../../../core/report/issue.ts';
import { type FbxProperties, propertyOf } from '../document/object-properties.ts';
import { numberOf, recordIn, textOf } from '../document/records.ts';
import { type FbxObject, type FbxScene, parentObjects } from '../nodes/fbx-scene.ts';
import {
  type ChosenTextures,
  chooseTextures,
  PROPERTY_NAMES,
  reportMaterial,
  type TextureSlot,
} from './choose-textures.ts';
import { loadTextures, readTextureSource, type TextureSource } from './read-fbx-textures.ts';

interface MaterialContext {
  readonly uvSets: readonly (readonly string[])[];
  /** Reads files beside the FBX; undefined to read embedded images only. */
  readonly readResource: ReadResource | undefined;
}

type Color = [number, number, number];

/**
 * Reads materials and the textures that they use.
 *
 * Colors are read as linear, like Blender reads them; FBX does not specify it. Lambert and Phong:
 * - base color = DiffuseColor · DiffuseFactor, or white with a texture, which replaces the color in FBX
 * - emissive = EmissiveColor · EmissiveFactor
 * - roughness = (2 / (ShininessExponent + 2))^¼, the GGX lobe as wide as that of Blinn and Phong (Walter et al. 2007;
 *   glTF squares its roughness); 1 without specular color
 * - metallic = 0
 * - opacity = 1 − TransparencyFactor, or `Opacity`, or 1 − TransparencyFactor · TransparentColor, whichever the
 *   exporter uses
 *
 * Physically based materials of Maya and 3ds Max are read by the names of their properties. A material is double-sided
 * unless a Model that uses it culls faces.
 *
 * @param issues Receives FBX_MATERIAL for features that glTF does not support: height maps, separate opacity images,
 *   separate images of metalness and roughness, rotated textures. These are left out.
 */
export async function readMaterials(
  scene: FbxScene,
  objects: readonly FbxObject[],
  context: MaterialContext,
  issues: Issue[],
): Promise<{ materials: Material[]; textures: Texture[] }> {
  const sources = new Map<string, TextureSource>();
  const chosen = objects.map((material) => chooseTextures(scene, material, issues));
  for (const { slots } of chosen) {
    for (const texture of slots.values()) {
      if (!sources.has(texture.id)) sources.set(texture.id, readTextureSource(scene, texture));
    }
  }
  const loaded = await loadTextures([...sources.values()], context.readResource, issues);
  const textures: Texture[] = [];
  const uses = new Map<string, TextureUse>();
  for (const [i, [id, { uvSet, transform, name, isRotated }]] of [...sources].entries()) {
    const texture = loaded[i];
    if (texture === null) continue;
    if (isRotated)
      reportMaterial(
        issues,
        `The texture ${JSON.stringify(name)} has a rotation, which was left out. Rotate the UVs or the image instead.`,
      );
    uses.set(id, { texture: textures.length, uvSet: uvSetIndex(uvSet, context.uvSets), transform });
    textures.push(texture);
  }
  const materials = objects.map((material, m) => readMaterial(scene, material, chosen[m], uses));
  return { materials, textures };
}

function uvSetIndex(name: string, uvSets: readonly (readonly string[])[]): number {
  for (const names of uvSets) {
    const index = names.indexOf(name);
    if (index >= 0) return index;
  }
  return 0;
}

function numberIn(properties: FbxProperties, names: readonly string[]): number | undefined {
  for (const name of names) {
    const number = numberOf(propertyOf(properties, name)?.[0]);
    if (number !== undefined) return number;
  }
  return undefined;
}

function colorIn(properties: FbxProperties, names: readonly string[]): Color | undefined {
  for (const name of names) {
    const [r, g, b] = (propertyOf(properties, name) ?? []).map(numberOf);
    if (r !== undefined && g !== undefined && b !== undefined) return [r, g, b];
  }
  return undefined;
}

function scaled([r, g, b]: Color, factor: number, most: number): Color {
  const part = (value: number): number => Math.min(Math.max(value * factor, 0), most) + 0;
  return [part(r), part(g), part(b)];
}

/** Limit for emissive colors, which may exceed 1. */
const MAX_EMISSIVE = 1e6;

function readMaterial(
  scene: FbxScene,
  { id, name, properties }: FbxObject,
  { slots, hasAlpha }: ChosenTextures,
  uses: ReadonlyMap<string, TextureUse>,
): Material {
  const use = (slot: TextureSlot): TextureUse | null => uses.get(slots.get(slot)?.id ?? '') ?? null;
  const isPhysical = colorIn(properties, PROPERTY_NAMES.baseColor) !== undefined;
  const color = colorIn(properties, [...PROPERTY_NAMES.baseColor, 'DiffuseColor', 'Diffuse']) ?? [1, 1, 1];
  const weights = isPhysical ? PROPERTY_NAMES.baseWeight : ['DiffuseFactor'];
  const baseColorTexture = use('baseColor');
  const metallicRoughnessTexture = use('roughness');
  const isTextured = metallicRoughnessTexture !== null;
  // The texture replaces the color.
  const base: Color = baseColorTexture ? [1, 1, 1] : scaled(color, numberIn(properties, weights) ?? 1, 1);
  const opacity = opacityOf(properties);
  return {
    name,
    baseColor: [...base, opacity],
    baseColorTexture,
    metallic: isTextured ? 1 : clamp01(numberIn(properties, PROPERTY_NAMES.metallic) ?? 0),
    roughness: isTextured
      ? 1
      : clamp01(numberIn(properties, PROPERTY_NAMES.roughness) ?? (isPhysical ? 1 : roughnessOf(properties))),
    metallicRoughnessTexture,
    normalTexture: use('normal'),
    normalScale: 1,
    occlusionTexture: use('occlusion'),
    occlusionStrength: 1,
    emissive: emissiveOf(properties, use('emissive') !== null),
    emissiveTexture: use('emissive'),
    alphaMode: opacity < 1 || (hasAlpha && baseColorTexture !== null) ? 'blend' : 'opaque',
    alphaCutoff: 0.5,
    doubleSided: isDoubleSided(scene, id),
    unlit: false,
  };
}

/**
 * Returns the opacity of a material. Exporters use different properties for it: first 1 − TransparencyFactor, unless that is
 * 0 or 1; then `Opacity`, as Blender and three.js read it; then 1 − TransparencyFactor · TransparentColor, as the SDK defines
 * it, unless the material would be invisible.
 */
function opacityOf(properties: FbxProperties): number {
  const modern = colorIn(properties, PROPERTY_NAMES.opacity);
  if (modern !== undefined) return clamp01((modern[0] + modern[1] + modern[2]) / 3);
  const factor = numberIn(properties, ['TransparencyFactor']) ?? 0;
  if (factor > 0 && factor < 1) return 1 - factor;
  // The defaults of these two in templates are 1 and 0, whatever the material is.
  const own = { own: properties.own, defaults: new Map() };
  const opacity = numberIn(own, ['Opacity']);
  if (opacity !== undefined) return clamp01(opacity);
  const [through] = colorIn(own, ['TransparentColor']) ?? [0];
  return factor >= 1 && through > 0 && through < 1 ? 1 - through : 1;
}

function roughnessOf(properties: FbxProperties): number {
  const specular = colorIn(properties, ['SpecularColor', 'Specular']);
  const factor = numberIn(properties, ['SpecularFactor']) ?? 1;
  if (specular === undefined || Math.max(...specular) * factor <= 0) return 1;
  const exponent = numberIn(properties, ['ShininessExponent', 'Shininess']) ?? 0;
  return (2 / (Math.max(exponent, 0) + 2)) ** 0.25;
}

function emissiveOf(properties: FbxProperties, hasTexture: boolean): Color {
  const modern = colorIn(properties, PROPERTY_NAMES.emissive);
  const classic = colorIn(properties, ['EmissiveColor', 'Emissive']) ?? [0, 0, 0];
  const factors = modern === undefined ? ['EmissiveFactor'] : PROPERTY_NAMES.emissiveWeight;
  const color: Color = hasTexture ? [1, 1, 1] : (modern ?? classic);
  return scaled(color, numberIn(properties, factors) ?? 1, MAX_EMISSIVE);
}

function isDoubleSided(scene: FbxScene, materialId: string): boolean {
  return parentObjects(scene, materialId, 'Model').every(({ record }) => {
    const culling = textOf(recordIn(record.records, 'Culling')?.properties[0]);
    return culling === undefined || culling === 'CullingOff';
  });
}

/** FBX materials in glTF's model: Lambert, Phong, and the physically based ones of Maya and 3ds Max. */
import type { Material, Texture, TextureUse } from '../../core/asset/material.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { type FbxProperties, propertyOf } from './properties.ts';
import { loadTextures, type ReadFbxResource, readTextureSource, type TextureSource } from './read-textures.ts';
import { numberOf, recordIn, textOf } from './records.ts';
import { type FbxObject, type FbxScene, objectsAbove, objectsBelow } from './scene.ts';

/** Properties that say the same, by program: Stingray and Standard Surface of Maya, Physical and PBR of 3ds Max, then the classic ones. */
const NAMES = {
  baseColor: [
    'Maya|baseColor',
    'Maya|base_color',
    '3dsMax|Parameters|base_color',
    '3dsMax|main|basecolor',
    '3dsMax|main|base_color',
  ],
  baseWeight: ['Maya|base', '3dsMax|Parameters|base_weight'],
  metallic: ['Maya|metalness', 'Maya|metallic', '3dsMax|Parameters|metalness', '3dsMax|main|metalness'],
  roughness: ['Maya|specularRoughness', 'Maya|roughness', '3dsMax|Parameters|roughness', '3dsMax|main|roughness'],
  emissive: ['Maya|emissionColor', 'Maya|emissive', '3dsMax|Parameters|emit_color', '3dsMax|main|emit_color'],
  emissiveWeight: ['Maya|emission', 'Maya|emissive_intensity', '3dsMax|Parameters|emission'],
  opacity: ['Maya|opacity'],
} as const;

const TEXTURES = {
  baseColor: [
    ...NAMES.baseColor,
    'Maya|TEX_color_map',
    '3dsMax|Parameters|base_color_map',
    '3dsMax|main|base_color_map',
    '3dsMax|maps|texmap_diffuse',
    'DiffuseColor',
  ],
  metallic: [
    ...NAMES.metallic,
    'Maya|TEX_metallic_map',
    '3dsMax|Parameters|metalness_map',
    '3dsMax|main|metalness_map',
  ],
  roughness: [
    ...NAMES.roughness,
    'Maya|TEX_roughness_map',
    '3dsMax|Parameters|roughness_map',
    '3dsMax|main|roughness_map',
  ],
  emissive: [
    ...NAMES.emissive,
    'Maya|TEX_emissive_map',
    '3dsMax|Parameters|emit_color_map',
    '3dsMax|main|emit_color_map',
    'EmissiveColor',
  ],
  normal: ['NormalMap', 'Maya|TEX_normal_map', '3dsMax|main|norm_map'],
  /** Height maps, or normal maps all the same. */
  bump: ['Maya|normalCamera', '3dsMax|Parameters|bump_map', '3dsMax|main|bump_map', '3dsMax|maps|texmap_bump', 'Bump'],
  occlusion: ['Maya|TEX_ao_map', '3dsMax|main|ao_map'],
  opacity: ['TransparentColor', 'TransparencyFactor', ...NAMES.opacity, '3dsMax|maps|texmap_opacity'],
} as const;

/** How people name files of normal maps. */
const NORMAL_MAP_NAME = /(^|[^a-z])(n|nm|nrm|nor|norm|normal|normals|normalmap)([^a-z]|$)/i;

/** What materials need to know of the rest of the file. */
export interface MaterialContext {
  /** Names of uv sets, one list a mesh. */
  readonly uvSets: readonly (readonly string[])[];
  readonly readResource: ReadFbxResource | undefined;
}

type Color = [number, number, number];

/**
 * Reads materials and the textures that they use.
 *
 * Colors are taken as linear, as the file writes them (so does Blender; FBX says nothing). Lambert and Phong: base color =
 * DiffuseColor · DiffuseFactor, or white under a texture, which takes the place of the color in FBX; emissive =
 * EmissiveColor · EmissiveFactor; roughness = (2 / (ShininessExponent + 2))^¼, the GGX lobe as wide as that of
 * Blinn and Phong (Walter et al. 2007; glTF squares its roughness), 1 without specular color; metallic 0. Opacity = 1 − TransparencyFactor, or
 * `Opacity`, or what TransparentColor leaves, as exporters mean it. The physically based materials of Maya and 3ds Max by the names of their
 * properties. Double-sided unless a Model that has the material culls.
 *
 * What glTF has no place for is left out and reported as FBX_MATERIAL: height maps, opacity maps apart from the base
 * color, metalness and roughness in two images, turned textures.
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
  for (const [i, [id, { uvSet, transform, name, isTurned }]] of [...sources].entries()) {
    const texture = loaded[i];
    if (texture === null) continue;
    if (isTurned) report(issues, `The texture ${JSON.stringify(name)} is turned; it is shown as it is.`);
    uses.set(id, { texture: textures.length, uvSet: uvSetIndex(uvSet, context.uvSets), transform });
    textures.push(texture);
  }
  const materials = objects.map((material, m) => readMaterial(scene, material, chosen[m], uses));
  return { materials, textures };
}

type Slot = keyof typeof TEXTURES;

/** The textures of a material that glTF has a place for. */
interface ChosenTextures {
  /** Roughness is that of metalness and roughness; bump, metallic and opacity do not come. */
  readonly slots: ReadonlyMap<Slot, FbxObject>;
  /** Whether the base color says opacity too. */
  readonly isCut: boolean;
}

function chooseTextures(scene: FbxScene, material: FbxObject, issues: Issue[]): ChosenTextures {
  const slots = texturesOf(scene, material);
  const leave = (what: string): void => report(issues, `The material ${JSON.stringify(material.name)} has ${what}`);
  const take = (slot: Slot): FbxObject | undefined => {
    const texture = slots.get(slot);
    slots.delete(slot);
    return texture;
  };
  const opacity = take('opacity');
  const isCut = opacity !== undefined && opacity.id === slots.get('baseColor')?.id;
  if (opacity !== undefined && !isCut) {
    leave('its opacity in an image of its own; it was left out. Put it into the alpha of the base color.');
  }
  const bump = take('bump');
  if (bump !== undefined && !slots.has('normal')) {
    const file = textOf(recordIn(bump.record.records, 'RelativeFilename')?.properties[0])?.split(/[\\/]/).at(-1);
    const isNormalMap = NORMAL_MAP_NAME.test(file ?? '') || NORMAL_MAP_NAME.test(bump.name);
    if (isNormalMap) slots.set('normal', bump);
    else leave(`a height map (${JSON.stringify(file ?? bump.name)}); it was left out. Make a normal map of it.`);
  }
  const metallic = take('metallic');
  if (metallic?.id !== slots.get('roughness')?.id) {
    slots.delete('roughness');
    leave(
      'metalness and roughness in images of their own; they were left out. Pack roughness into green, metalness into blue of one.',
    );
  }
  return { slots, isCut };
}

function report(issues: Issue[], message: string): void {
  issues.push(issue('FBX_MATERIAL', message));
}

function uvSetIndex(name: string, uvSets: readonly (readonly string[])[]): number {
  for (const names of uvSets) {
    const index = names.indexOf(name);
    if (index >= 0) return index;
  }
  return 0;
}

/** The textures of a material by what they are for. Of layered ones the first layer; in 6.1 they may hang on the Model. */
function texturesOf(scene: FbxScene, material: FbxObject): Map<Slot, FbxObject> {
  const out = new Map<Slot, FbxObject>();
  const byProperty = new Map<string, FbxObject>();
  for (const { source, property } of scene.below.get(material.id) ?? []) {
    const object = scene.objects.get(source);
    const texture = object?.kind === 'LayeredTexture' ? objectsBelow(scene, source, 'Texture')[0] : object;
    if (texture?.kind === 'Texture' && !byProperty.has(property)) byProperty.set(property, texture);
  }
  for (const slot of Object.keys(TEXTURES) as Slot[]) {
    const name = TEXTURES[slot].find((property) => byProperty.has(property));
    const texture = byProperty.get(name ?? '');
    if (name !== undefined && texture !== undefined) out.set(slot, texture);
  }
  if (byProperty.size === 0 && scene.version < 7000) {
    const model = objectsAbove(scene, material.id, 'Model')[0];
    const texture = objectsBelow(scene, model?.id ?? '', 'Texture')[0];
    if (texture !== undefined) out.set('baseColor', texture);
  }
  return out;
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

const clamp = (value: number): number => Math.min(Math.max(value, 0), 1);
/** Emissive colors may be above 1; numbers past float32 are none. */
const BRIGHTEST = 1e6;

function readMaterial(
  scene: FbxScene,
  { id, name, properties }: FbxObject,
  { slots, isCut }: ChosenTextures,
  uses: ReadonlyMap<string, TextureUse>,
): Material {
  const use = (slot: Slot): TextureUse | null => uses.get(slots.get(slot)?.id ?? '') ?? null;
  const isPhysical = colorIn(properties, NAMES.baseColor) !== undefined;
  const color = colorIn(properties, [...NAMES.baseColor, 'DiffuseColor', 'Diffuse']) ?? [1, 1, 1];
  const weights = isPhysical ? NAMES.baseWeight : ['DiffuseFactor'];
  const baseColorTexture = use('baseColor');
  const metallicRoughnessTexture = use('roughness');
  const isTextured = metallicRoughnessTexture !== null;
  // The texture takes the place of the color.
  const base: Color = baseColorTexture ? [1, 1, 1] : scaled(color, numberIn(properties, weights) ?? 1, 1);
  const opacity = opacityOf(properties);
  return {
    name,
    baseColor: [...base, opacity],
    baseColorTexture,
    metallic: isTextured ? 1 : clamp(numberIn(properties, NAMES.metallic) ?? 0),
    roughness: isTextured
      ? 1
      : clamp(numberIn(properties, NAMES.roughness) ?? (isPhysical ? 1 : roughnessOf(properties))),
    metallicRoughnessTexture,
    normalTexture: use('normal'),
    normalScale: 1,
    occlusionTexture: use('occlusion'),
    occlusionStrength: 1,
    emissive: emissiveOf(properties, use('emissive') !== null),
    emissiveTexture: use('emissive'),
    alphaMode: opacity < 1 || (isCut && baseColorTexture !== null) ? 'blend' : 'opaque',
    alphaCutoff: 0.5,
    doubleSided: isDoubleSided(scene, id),
    unlit: false,
  };
}

/**
 * Exporters disagree on what says it: 1 − TransparencyFactor unless that is all or nothing, then `Opacity` (so do Blender and
 * three.js), then TransparencyFactor · TransparentColor as the SDK means it, unless nothing were left to see.
 */
function opacityOf(properties: FbxProperties): number {
  const modern = colorIn(properties, NAMES.opacity);
  if (modern !== undefined) return clamp((modern[0] + modern[1] + modern[2]) / 3);
  const factor = numberIn(properties, ['TransparencyFactor']) ?? 0;
  if (factor > 0 && factor < 1) return 1 - factor;
  // Templates say 1 and 0 of these two whatever the material is.
  const own = { own: properties.own, defaults: new Map() };
  const opacity = numberIn(own, ['Opacity']);
  if (opacity !== undefined) return clamp(opacity);
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
  const modern = colorIn(properties, NAMES.emissive);
  const classic = colorIn(properties, ['EmissiveColor', 'Emissive']) ?? [0, 0, 0];
  const factors = modern === undefined ? ['EmissiveFactor'] : NAMES.emissiveWeight;
  const color: Color = hasTexture ? [1, 1, 1] : (modern ?? classic);
  return scaled(color, numberIn(properties, factors) ?? 1, BRIGHTEST);
}

function isDoubleSided(scene: FbxScene, materialId: string): boolean {
  return objectsAbove(scene, materialId, 'Model').every(({ record }) => {
    const culling = textOf(recordIn(record.records, 'Culling')?.properties[0]);
    return culling === undefined || culling === 'CullingOff';
  });
}

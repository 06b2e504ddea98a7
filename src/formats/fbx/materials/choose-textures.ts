/** Chooses the textures of FBX materials that glTF's material model supports. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { recordIn, textOf } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene, parentObjects } from '../nodes/fbx-scene.ts';

/** Property names with the same meaning: Stingray and Standard Surface of Maya, Physical and PBR of 3ds Max. */
export const PROPERTY_NAMES = {
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

/** Properties that textures of each slot are connected to, the preferred one first. The classic properties of Lambert and Phong come last. */
const TEXTURE_PROPERTIES = {
  baseColor: [
    ...PROPERTY_NAMES.baseColor,
    'Maya|TEX_color_map',
    '3dsMax|Parameters|base_color_map',
    '3dsMax|main|base_color_map',
    '3dsMax|maps|texmap_diffuse',
    'DiffuseColor',
  ],
  metallic: [
    ...PROPERTY_NAMES.metallic,
    'Maya|TEX_metallic_map',
    '3dsMax|Parameters|metalness_map',
    '3dsMax|main|metalness_map',
  ],
  roughness: [
    ...PROPERTY_NAMES.roughness,
    'Maya|TEX_roughness_map',
    '3dsMax|Parameters|roughness_map',
    '3dsMax|main|roughness_map',
  ],
  emissive: [
    ...PROPERTY_NAMES.emissive,
    'Maya|TEX_emissive_map',
    '3dsMax|Parameters|emit_color_map',
    '3dsMax|main|emit_color_map',
    'EmissiveColor',
  ],
  normal: ['NormalMap', 'Maya|TEX_normal_map', '3dsMax|main|norm_map'],
  /** Height maps; some programs use these properties for normal maps. */
  bump: ['Maya|normalCamera', '3dsMax|Parameters|bump_map', '3dsMax|main|bump_map', '3dsMax|maps|texmap_bump', 'Bump'],
  occlusion: ['Maya|TEX_ao_map', '3dsMax|main|ao_map'],
  opacity: ['TransparentColor', 'TransparencyFactor', ...PROPERTY_NAMES.opacity, '3dsMax|maps|texmap_opacity'],
} as const;

const NORMAL_MAP_NAME = /(^|[^a-z])(n|nm|nrm|nor|norm|normal|normals|normalmap)([^a-z]|$)/i;

export type TextureSlot = keyof typeof TEXTURE_PROPERTIES;

export interface ChosenTextures {
  /** Textures by slot. `roughness` is the texture of both metalness and roughness; `bump`, `metallic` and `opacity` do not occur. */
  readonly slots: ReadonlyMap<TextureSlot, FbxObject>;
  /** True if the base color texture also has the opacity. */
  readonly hasAlpha: boolean;
}

/**
 * Chooses the textures of a material that glTF supports. `issues` receives FBX_MATERIAL for height maps, separate opacity images, and separate
 * images of metalness and roughness. These are left out.
 */
export function chooseTextures(scene: FbxScene, material: FbxObject, issues: Issue[]): ChosenTextures {
  const slots = texturesOf(scene, material);
  const leave = (what: string): void =>
    reportMaterial(issues, `The material ${JSON.stringify(material.name)} has ${what}`);
  const take = (slot: TextureSlot): FbxObject | undefined => {
    const texture = slots.get(slot);
    slots.delete(slot);
    return texture;
  };
  const opacity = take('opacity');
  const hasAlpha = opacity !== undefined && opacity.id === slots.get('baseColor')?.id;
  if (opacity !== undefined && !hasAlpha) {
    leave('a separate opacity image; it was left out. Put the opacity into the alpha channel of the base color.');
  }
  const bump = take('bump');
  if (bump !== undefined && !slots.has('normal')) {
    const file = textOf(recordIn(bump.record.records, 'RelativeFilename')?.properties[0])?.split(/[\\/]/).at(-1);
    const isNormalMap = NORMAL_MAP_NAME.test(file ?? '') || NORMAL_MAP_NAME.test(bump.name);
    if (isNormalMap) slots.set('normal', bump);
    else leave(`a height map (${JSON.stringify(file ?? bump.name)}); it was left out. Convert it to a normal map.`);
  }
  const metallic = take('metallic');
  if (metallic?.id !== slots.get('roughness')?.id) {
    slots.delete('roughness');
    leave(
      'separate metalness and roughness images; they were left out. Pack roughness into green and metalness into blue of one image.',
    );
  }
  return { slots, hasAlpha };
}

/** Returns the textures of a material by slot. LayeredTextures give their first layer; in 6.1 a Model may own the texture. */
function texturesOf(scene: FbxScene, material: FbxObject): Map<TextureSlot, FbxObject> {
  const out = new Map<TextureSlot, FbxObject>();
  const byProperty = new Map<string, FbxObject>();
  for (const { source, property } of scene.childConnections.get(material.id) ?? []) {
    const object = scene.objects.get(source);
    const texture = object?.kind === 'LayeredTexture' ? childObjects(scene, source, 'Texture')[0] : object;
    if (texture?.kind === 'Texture' && !byProperty.has(property)) byProperty.set(property, texture);
  }
  for (const slot of Object.keys(TEXTURE_PROPERTIES) as TextureSlot[]) {
    const name = TEXTURE_PROPERTIES[slot].find((property) => byProperty.has(property));
    const texture = byProperty.get(name ?? '');
    if (name !== undefined && texture !== undefined) out.set(slot, texture);
  }
  if (byProperty.size === 0 && scene.version < 7000) {
    const model = parentObjects(scene, material.id, 'Model')[0];
    const texture = childObjects(scene, model?.id ?? '', 'Texture')[0];
    if (texture !== undefined) out.set('baseColor', texture);
  }
  return out;
}

export function reportMaterial(issues: Issue[], message: string): void {
  issues.push(issue('FBX_MATERIAL', message));
}
